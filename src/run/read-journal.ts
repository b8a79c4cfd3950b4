import type { JournalEntry } from '../tool/journal/journal.ts'
import { readArtifacts, readEntries } from './claimed-run.ts'
import { reviveEntry } from './revive-entry.ts'
import type { RunsContext } from './runs-context.ts'
import { artifactId } from './values.ts'

/** What a run has recorded so far, in the order in which it began. */
export async function readJournal({ store, values }: RunsContext, run: string): Promise<readonly JournalEntry[]> {
  const rows = await readEntries(store.pool, run)
  const large = rows.flatMap(({ data }) => (data === null ? [] : (artifactId(data) ?? [])))
  const artifacts = await readArtifacts(store, run, large)
  return rows.map((row) => reviveEntry(row, values, artifacts))
}
