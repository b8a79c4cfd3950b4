import { AS_QUEUED, QUEUE, QUEUE_SCHEMA, queueing } from './queue-runs.ts'
import type { RunsContext } from '../runs-context.ts'
import { LEFT_TO_OTHERS } from './unable-workers.ts'

/**
 * Finds runs that nothing would ever take up: a time that is long past, a job that is no more. It finds none unless somebody tampered with
 * the queue; and runs that were blocked for want of a worker that can go on with them, when one is there now that has not tried.
 */
const FORGOTTEN = `
WITH lost AS (
  SELECT id, ticket FROM toolwright.run
  WHERE ended_at IS NULL AND NOT held_back AND (
    (status IN ('queued', 'running') AND coalesce(started_at, created_at) < now() - interval '60 seconds')
    OR (status = 'waiting' AND wake_at < now() - interval '60 seconds'))
  AND (job IS NULL OR job NOT IN (SELECT id FROM ${QUEUE_SCHEMA}.job WHERE name = '${QUEUE}' AND state < 'completed'))
), known AS (
  SELECT r.id, r.ticket FROM toolwright.run r
  WHERE r.ended_at IS NULL AND r.status = 'blocked' AND r.why ->> 'code' = ANY($1::text[]) AND EXISTS (
    SELECT FROM toolwright.worker w WHERE r.tool = ANY(w.tools) AND w.seen_at > now() - interval '15 seconds' AND NOT w.id = ANY(r.unable)
  )
)
SELECT id, ticket FROM lost UNION SELECT id, ticket FROM known LIMIT 100`

const TAKE_UP_AGAIN = queueing(
  `  UPDATE toolwright.run SET ${AS_QUEUED}, wake_at = NULL WHERE id = $1 AND ticket = $2 AND ended_at IS NULL`,
)

export async function recoverRuns({ store }: RunsContext): Promise<void> {
  const { rows } = await store.pool.query<{ id: string; ticket: number }>(FORGOTTEN, [LEFT_TO_OTHERS])
  for (const { id, ticket } of rows) await store.pool.query(TAKE_UP_AGAIN, [id, ticket])
}
