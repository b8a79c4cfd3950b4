import type { Store } from '../../store/store.ts'
import type { ToolLimit } from '../worker/tool-limit.ts'
import { AS_QUEUED, queueing } from './queue-runs.ts'
import { PROMPT } from './time-bounds.ts'

const RELEASE = queueing(`  UPDATE toolwright.run SET ${AS_QUEUED}, wake_at = NULL
  WHERE id = (
    SELECT id FROM toolwright.run WHERE held_back AND tool = $1 AND ended_at IS NULL ORDER BY created_at LIMIT 1 FOR UPDATE SKIP LOCKED
  )`)

/**
 * Whether runs of a tool may be held back: some are, or some worker has a limit for it and may be about to. It is looked for together with
 * the end of a run; the release comes after that end has been committed. So either the release finds what is held back, or those who hold
 * back, and look again after that, find the end.
 */
export function mayHoldBack(tool: string): string {
  return `(EXISTS (SELECT FROM toolwright.run h WHERE h.held_back AND h.tool = ${tool})
    OR EXISTS (SELECT FROM toolwright.worker w WHERE ${tool} = ANY(w.limited)))`
}

/**
 * Queues a run of the tool that its limit held back, if there is one. Every end, park and return of a run of the
 * tool does so, also by a worker that has no limit for it. The next beat of any worker does it again where it fails here.
 */
export async function releaseHeldBack(store: Store, tool: string): Promise<boolean> {
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

/** Releases what nobody else would: those who held it back may have died. */
export async function releaseStranded(store: Store): Promise<void> {
  const { rows } = await store.pool.query<{ tool: string }>({ ...PROMPT, text: STRANDED })
  for (const { tool } of rows) await releaseHeldBack(store, tool)
}

const GOING = `
SELECT count(*)::int AS count FROM toolwright.run
WHERE tool = $1 AND ended_at IS NULL AND NOT held_back AND (status = 'running' OR (status = 'queued' AND wake_at IS NULL))`

/**
 * Releases as many as a limit has room for.
 */
export async function releaseWithin(store: Store, tool: string, { concurrency }: ToolLimit): Promise<void> {
  if (concurrency === undefined) return
  const { rows } = await store.pool.query<{ count: number }>({ ...PROMPT, text: GOING, values: [tool] })
  for (let room = concurrency - (rows[0]?.count ?? 0); room > 0 && (await releaseHeldBack(store, tool)); room--);
}
