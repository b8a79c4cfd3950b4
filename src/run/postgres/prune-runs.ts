import type { Store } from '../../store/store.ts'
import type { Pruning } from '../store/run-changes.ts'
import { PATIENT } from './time-bounds.ts'

const BATCH = 500

/** The row of the run is locked while its rows are deleted: a process that would take the run up again finds it whole, or not at all. */
const PRUNE = `
WITH doomed AS MATERIALIZED (
  SELECT id FROM toolwright.run
  WHERE ended_at IS NOT NULL AND status = ANY($1::text[])
    AND (ended_at < now() - $2::float8 * interval '1 ms' OR (ended_at, id) < ($3::timestamptz, $4::text))
  ORDER BY ended_at LIMIT ${BATCH} FOR UPDATE SKIP LOCKED
), entries AS (DELETE FROM toolwright.entry WHERE run IN (SELECT id FROM doomed)
), approvals AS (DELETE FROM toolwright.approval WHERE run IN (SELECT id FROM doomed)
), events AS (DELETE FROM toolwright.event WHERE run IN (SELECT id FROM doomed)
), artifacts AS (DELETE FROM toolwright.artifact WHERE run IN (SELECT id FROM doomed)
)
DELETE FROM toolwright.run WHERE id IN (SELECT id FROM doomed)`

/** The oldest of those that stay, by the order in which they ended. */
const OLDEST_KEPT = `
SELECT ended_at::text AS at, id FROM toolwright.run WHERE ended_at IS NOT NULL AND status = ANY($1::text[])
ORDER BY ended_at DESC, id DESC OFFSET $2 LIMIT 1`

/** Closed requests of calls outside runs. */
const PRUNE_REQUESTS =
  "DELETE FROM toolwright.approval WHERE run IS NULL AND status <> 'open' AND closed_at < now() - $1::float8 * interval '1 ms'"

export async function pruneRuns(store: Store, pruning: Pruning): Promise<number> {
  const { statuses, olderThanMs } = pruning
  const edge = await edgeOf(store, pruning)
  const values = [statuses, olderThanMs ?? null, edge?.at ?? null, edge?.id ?? null]
  let removed = 0
  for (;;) {
    const rowCount = await pruneBatch(store, values)
    removed += rowCount
    if (rowCount < BATCH) break
  }
  if (olderThanMs !== undefined) await store.pool.query(PRUNE_REQUESTS, [olderThanMs])
  return removed
}

/** Runs may have left any amount behind. */
function pruneBatch(store: Store, values: readonly unknown[]): Promise<number> {
  return store.transaction(async (client) => {
    await client.query('SET LOCAL statement_timeout = 0')
    const { rowCount } = await client.query({ ...PATIENT, text: PRUNE, values: [...values] })
    return rowCount ?? 0
  })
}

interface Edge {
  readonly at: string
  readonly id: string
}

/** With nothing to keep, everything lies before the edge. */
async function edgeOf(store: Store, { statuses, keep }: Pruning): Promise<Edge | undefined> {
  if (keep === undefined) return undefined
  if (keep === 0) return { at: 'infinity', id: '' }
  const { rows } = await store.pool.query<Edge>(OLDEST_KEPT, [statuses, keep - 1])
  return rows[0]
}
