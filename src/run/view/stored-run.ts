import type { InboxItem } from '../../review/inbox.ts'
import type { JsonData } from '../../tool/journal/codec.ts'
import { itemOf } from '../approvals/inbox-item.ts'
import type { Place } from '../journal/place.ts'
import { artifactId, type Values } from '../journal/values.ts'
import { unknownRun } from '../run-errors.ts'
import type { RunsContext } from '../runs-context.ts'
import type { WholeRun } from '../store/run-reading.ts'
import type { RunArtifact } from './run-record.ts'

/** A run with all that belongs to it, as it was at one moment. */
export interface StoredRun extends Pick<WholeRun, 'row' | 'entries' | 'events' | 'hasLivingWorker'> {
  readonly approvals: readonly InboxItem[]
  readonly artifacts: readonly RunArtifact[]
  /** With which it was opened. */
  readonly values: Values
  /** The value of a stored text: opened, and taken from the artifacts, unless it was too large to be read. */
  readonly data: (text: string, place: Place) => JsonData | RunArtifact
}

/** For a view: larger values are only named. */
export const LARGEST = 1024 * 1024

/** Reads a run, but no artifact of more bytes than `largest`; rejects where there is no such run. */
export async function storedRun({ store, values }: RunsContext, id: string, largest: number): Promise<StoredRun> {
  const whole = await store.readRun(id, largest)
  if (whole === undefined) throw unknownRun(id)
  const { row, entries, events, approvals, artifacts, hasLivingWorker } = whole
  const large = new Map(artifacts.map((each) => [each.id, each]))
  return {
    row,
    values,
    entries,
    events,
    hasLivingWorker,
    approvals: approvals.map((each) => itemOf(each, values)),
    artifacts: artifacts.map(({ id: artifact, bytes }) => ({ artifact, bytes })),
    data: (text, place) => {
      const artifact = large.get(artifactId(text) ?? '')
      if (artifact === undefined) return values.unseal(text, place)
      return artifact.data === null ? { artifact: artifact.id, bytes: artifact.bytes } : values.unseal(artifact.data, place)
    },
  }
}
