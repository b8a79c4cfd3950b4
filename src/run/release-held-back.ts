import { PROMPT } from './prompt.ts'
import { AS_QUEUED, queueing } from './queue-runs.ts'
import type { RunsContext } from './runs-context.ts'

const RELEASE = queueing(`  UPDATE toolwright.run SET ${AS_QUEUED}, wake_at = NULL
  WHERE id = (
    SELECT id FROM toolwright.run WHERE held_back AND tool = $1 AND ended_at IS NULL ORDER BY created_at LIMIT 1 FOR UPDATE SKIP LOCKED
  )`)

/**
 * Queues a run of the tool that its limit held back, if there is one. Whoever brings a run of the tool to an end, parks it or puts it back
 * does so, whether it has a limit for the tool or not. What fails here is made good at the next beat of any worker.
 */
export async function releaseHeldBack({ store }: RunsContext, tool: string): Promise<boolean> {
  try {
    const { rowCount } = await store.pool.query({ ...PROMPT, name: 'toolwright.release', text: RELEASE, values: [tool] })
    return (rowCount ?? 0) > 0
  } catch {
    return false
  }
}

/** Tools of which runs are held back, and none is under way or queued whose end would release them. */
const STRANDED = `
SELECT DISTINCT tool FROM toolwright.run h
WHERE held_back AND NOT EXISTS (
  SELECT FROM toolwright.run o WHERE o.tool = h.tool AND o.ended_at IS NULL AND o.status IN ('running', 'queued') AND NOT o.held_back AND o.wake_at IS NULL
)`

const AT_A_TIME = 10

/** Releases what nobody else would: those who held it back may have died, or have no word with the ones that ended. */
export async function releaseStranded(context: RunsContext, tools: readonly string[] = []): Promise<void> {
  const { rows } = await context.store.pool.query<{ tool: string }>({ ...PROMPT, text: STRANDED })
  for (const tool of new Set([...rows.map((row) => row.tool), ...tools]))
    for (let released = 0; released < AT_A_TIME && (await releaseHeldBack(context, tool)); released++);
}
