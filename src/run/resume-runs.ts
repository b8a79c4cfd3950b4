import { ConfigurationError } from '../tool/errors/configuration-error.ts'
import { AS_QUEUED, queueing } from './postgres/queue-runs.ts'
import { unknownRun } from './run-errors.ts'
import type { RunsContext } from './runs-context.ts'
import type { RunStatus } from './state/run-state.ts'

/** Which blocked runs are taken up again; all of them without a word. */
export interface ResumeOptions {
  /** Those that are blocked for this reason: `plan_changed`, for one. */
  readonly code?: string | undefined
  readonly tool?: string | undefined
}

/** Every worker may try anew. */
const AS_RESUMED = `UPDATE toolwright.run SET ${AS_QUEUED}, wake_at = NULL, deaths = 0, unable = '{}'`

const RESUME = queueing(`  ${AS_RESUMED} WHERE id = $1 AND status = 'blocked'`)

const RESUME_MANY = queueing(`  ${AS_RESUMED} WHERE id IN (
    SELECT id FROM toolwright.run
    WHERE status = 'blocked' AND ended_at IS NULL AND ($1::text IS NULL OR why ->> 'code' = $1) AND ($2::text IS NULL OR tool = $2)
    ORDER BY created_at LIMIT $3 FOR UPDATE SKIP LOCKED
  )`)

const AT_A_TIME = 500

/** Takes a blocked run up again, when what blocked it is mended. */
export async function resumeRun({ store }: RunsContext, id: string): Promise<void> {
  const { rowCount } = await store.pool.query(RESUME, [id])
  if ((rowCount ?? 0) > 0) return
  const { rows } = await store.pool.query<{ status: RunStatus }>('SELECT status FROM toolwright.run WHERE id = $1', [id])
  if (rows[0] === undefined) throw unknownRun(id)
  throw new ConfigurationError('run_not_open', `The run '${id}' is ${rows[0].status}; only a blocked run is taken up again by hand.`)
}

/** Takes all such runs up again, and tells how many. One that is blocked anew meanwhile is not taken up twice. */
export async function resumeRuns({ store }: RunsContext, { code, tool }: ResumeOptions = {}): Promise<number> {
  const { rows } = await store.pool.query<{ count: number }>("SELECT count(*)::int AS count FROM toolwright.run WHERE status = 'blocked'")
  const most = rows[0]?.count ?? 0
  let resumed = 0
  while (resumed < most) {
    const { rowCount } = await store.pool.query(RESUME_MANY, [code ?? null, tool ?? null, Math.min(AT_A_TIME, most - resumed)])
    if ((rowCount ?? 0) === 0) break
    resumed += rowCount ?? 0
  }
  return resumed
}
