import { FINAL } from './run-status.ts'
import type { RunsContext } from './runs-context.ts'
import { releaseHeldBack } from './take-jobs.ts'
import { lockRun, queueRun } from './wake-run.ts'

/**
 * Finds runs that nothing would ever take up: a time that is long past, a job that is no more. It finds none unless somebody tampered with
 * the queue; and runs that were blocked for want of a tool that some worker has now.
 */
const FORGOTTEN = `
WITH lost AS (
  SELECT id FROM toolwright.run
  WHERE ended_at IS NULL AND NOT held_back AND (
    (status IN ('queued', 'running') AND coalesce(started_at, created_at) < now() - interval '60 seconds')
    OR (status = 'waiting' AND wake_at < now() - interval '60 seconds'))
  EXCEPT
  SELECT data ->> 'run' FROM toolwright_queue.job WHERE name = 'segment' AND state < 'completed'
), known AS (
  SELECT r.id FROM toolwright.run r
  JOIN toolwright.worker w ON r.tool = ANY(w.tools) AND w.seen_at > now() - interval '45 seconds'
  WHERE r.ended_at IS NULL AND r.status = 'blocked' AND r.why ->> 'code' = 'unknown_tool'
)
SELECT id FROM lost UNION SELECT id FROM known LIMIT 100`

export async function recoverRuns(context: RunsContext, limitedTools: readonly string[]): Promise<void> {
  const { rows } = await context.store.pool.query<{ id: string }>(FORGOTTEN)
  for (const { id } of rows)
    await context.store.transaction(async (client) => {
      const run = await lockRun(client, id)
      if (run !== undefined && !FINAL.has(run.status)) await queueRun(context, client, run)
    })
  for (const tool of limitedTools) await releaseHeldBack(context, tool, 10)
}
