import type { JsonData } from '../../tool/journal/codec.ts'
import type { JournalEntry } from '../../tool/journal/journal.ts'
import type { ReviewDecision, ReviewRequest } from '../../tool/review.ts'
import type { EntryRow } from '../store/journal-store.ts'
import type { RunsContext } from '../runs-context.ts'
import { inEntry } from './place.ts'
import { LATE } from './run-journal.ts'
import { type Values, artifactId } from './values.ts'

/** A row as the entry that it was made of; large values come from the artifacts. */
function reviveEntry(row: EntryRow, run: string, opening: Opening): JournalEntry {
  const entry = entryOf(row, run, opening)
  return row.key === LATE ? { ...entry, late: true } : entry
}

interface Opening {
  readonly values: Values
  readonly artifacts: ReadonlyMap<string, string>
}

function entryOf(row: EntryRow, run: string, { values, artifacts }: Opening): JournalEntry {
  const { path, kind, tool, key } = row
  const inputHash = row.inputHash === null ? undefined : values.unsealWord(row.inputHash, inEntry(run, path, 'input_hash'))
  const data = row.data === null ? undefined : values.unseal(textOf(row.data, artifacts), inEntry(run, path, 'data'))
  switch (kind) {
    case 'call':
      return { kind, path, tool: tool ?? '', key: key ?? '', inputHash: inputHash ?? '', ...(data === undefined ? {} : { result: data }) }
    case 'sleep':
      return { kind, path, until: data as number }
    case 'review':
      return { kind, path, ...(data as unknown as StoredReview) }
    default:
      return { kind: 'decision', path, value: data as JsonData }
  }
}

/** What a row of kind `review` holds. */
export interface StoredReview {
  readonly request: ReviewRequest
  readonly at: number
  readonly decision?: ReviewDecision
  readonly decidedAt?: number
}

function textOf(text: string, artifacts: ReadonlyMap<string, string>): string {
  const id = artifactId(text)
  return id === undefined ? text : (artifacts.get(id) ?? text)
}

/** What a run has recorded so far, in the order in which it began. */
export async function readJournal({ store, values }: RunsContext, run: string): Promise<readonly JournalEntry[]> {
  const rows = await store.readEntries(run)
  const large = rows.flatMap(({ data }) => (data === null ? [] : (artifactId(data) ?? [])))
  const artifacts = await store.readArtifacts(run, large)
  return rows.map((row) => reviveEntry(row, run, { values, artifacts }))
}
