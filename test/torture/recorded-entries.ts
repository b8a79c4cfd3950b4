import type { Store } from '../../src/store/store.ts'
import type { RecordedEntry } from './run-end.ts'

/** What runs have recorded, by their ids; of all runs where none are named. */
export async function recordedEntries({ pool }: Store, ids?: readonly string[]): Promise<ReadonlyMap<string, readonly RecordedEntry[]>> {
  const { rows } = await pool.query<RecordedEntry & { readonly run: string }>(
    `SELECT run, path, kind, key, CASE kind WHEN 'decision' THEN data END AS data,
       kind = 'call' AND coalesce(data::text LIKE '%"outcome":"unknown"%', false) AS "isUnknown"
     FROM toolwright.entry
     WHERE $1::text[] IS NULL OR run = ANY($1) ORDER BY begun_no`,
    [ids ?? null],
  )
  return Map.groupBy(rows, ({ run }) => run)
}
