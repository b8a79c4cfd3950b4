import type { InboxItem } from '../../review/inbox.ts'
import { type JsonData, encode } from '../../tool/journal/codec.ts'
import type { JournalEntry } from '../../tool/journal/journal.ts'
import type { StoredReview } from '../journal/read-journal.ts'
import type { RunsContext } from '../runs-context.ts'
import { type OpenedEntry, openedRun } from './opened-run.ts'
import { storedRun } from './stored-run.ts'
import { type RunInfo, infoOf } from './run-info.ts'
import { checkShowOptions, type ShowOptions } from './show-run.ts'

/** A run as one JSON document. Inputs, options, results and what the journal holds are in the form in which the journal keeps values. */
export interface RunExport {
  readonly format: 'toolwright.run'
  /** Rises when a reader of older documents could not read newer ones. */
  readonly formatVersion: 1
  readonly exportedAt: number
  /** Secrets are masked: to be read, and not to be replayed. */
  readonly masked: boolean
  readonly run: RunInfo & {
    readonly plan: string
    readonly inputHash: string
    readonly input: JsonData
    readonly options: JsonData
    readonly result?: JsonData | undefined
  }
  /** In the order in which they began: what `memoryJournal` takes, with the times beside. */
  readonly journal: readonly ExportedEntry[]
  readonly approvals: readonly InboxItem[]
  readonly events: readonly { readonly no: number; readonly at: number; readonly type: string; readonly data: JsonData }[]
}

/** A journal entry of an exported run, with the times at which it began and ended. */
export type ExportedEntry = JournalEntry & { readonly begunAt: number; readonly endedAt?: number | undefined }

/**
 * The whole run as one document, artifacts included. With `includeSecrets` it holds true values and can be replayed; otherwise secrets are
 * masked, so that it can be shown around.
 */
export async function exportRun(context: RunsContext, id: string, own: ShowOptions = {}): Promise<RunExport> {
  checkShowOptions(own, 'runs.export')
  const { includeSecrets = false } = own
  const stored = await storedRun(context, id, Infinity)
  const { input, options, why, result, entries, approvals, events } = await openedRun(context, stored, includeSecrets)
  const { plan, inputHash } = stored.row
  return {
    format: 'toolwright.run',
    formatVersion: 1,
    exportedAt: context.store.clock.now(),
    masked: !includeSecrets,
    run: {
      ...infoOf(stored.row, context.values),
      ...(why === undefined ? {} : { why }),
      plan,
      inputHash,
      input: encode(input),
      options: encode(options),
      ...(result === undefined ? {} : { result: encode(result) }),
    },
    journal: entries.map(entryOf),
    approvals,
    events: events.map(({ no, at, type, data }) => ({ no, at, type, data: data as JsonData })),
  }
}

function entryOf({ path, kind, tool, key, inputHash, input, data, begunAt, endedAt }: OpenedEntry): ExportedEntry {
  const times = { begunAt, ...(endedAt === undefined ? {} : { endedAt }) }
  switch (kind) {
    case 'call':
      return {
        kind,
        path,
        tool: tool ?? '',
        key: key ?? '',
        inputHash: inputHash ?? '',
        ...(input === undefined ? {} : { input: encode(input) }),
        ...(data === undefined ? {} : { result: encode(data) }),
        ...times,
      }
    case 'sleep':
      return { kind, path, until: data as number, ...times }
    case 'review':
      return { kind, path, ...(data as StoredReview), ...times }
    default:
      return { kind: 'decision', path, value: encode(data), ...times }
  }
}
