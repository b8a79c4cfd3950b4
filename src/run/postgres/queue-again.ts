import type { Store } from '../../store/store.ts'
import type { RunStatus } from '../state/run-state.ts'
import type { PutBack, ResumeOptions, RunChanges } from '../store/run-changes.ts'
import type { Claim } from '../store/run-queue.ts'
import { AS_QUEUED, allowing, QUEUE, QUEUE_SCHEMA, queueing } from './queue-runs.ts'
import { releaseHeldBack } from './release-held-back.ts'
import { storedPath } from './stored-path.ts'
import { PROMPT } from './time-bounds.ts'

const PUT_BACK = queueing(`  UPDATE toolwright.run SET ${AS_QUEUED}, deaths = 0,
    wake_at = now() + $3::float8 * interval '1 second', unable = array_cat(unable, $4::text[])
  WHERE id = $1 AND epoch = $2 AND status ${allowing('putBack')}`)

/** A worker that puts a run back has not died of it. */
export async function putBack(store: Store, { id, epoch, tool }: Claim, { afterSeconds, unable }: PutBack = {}): Promise<boolean> {
  const values = [id, epoch, afterSeconds ?? null, unable === undefined ? [] : [unable]]
  const { rowCount } = await store.pool.query({ ...PROMPT, name: 'toolwright.put_back', text: PUT_BACK, values })
  await releaseHeldBack(store, tool)
  return (rowCount ?? 0) > 0
}

const GIVE_BACK = queueing(`  UPDATE toolwright.run SET ${AS_QUEUED}, deaths = 0, wake_at = NULL, epoch = epoch + 1
  WHERE id = ANY($1::text[]) AND worker = $2 AND status ${allowing('putBack')}`)

export async function giveBack(store: Store, runs: readonly string[], worker: string): Promise<void> {
  if (runs.length > 0) await store.pool.query({ ...PROMPT, text: GIVE_BACK, values: [runs, worker] })
}

/** Every worker may try anew. */
const AS_RESUMED = `UPDATE toolwright.run SET ${AS_QUEUED}, wake_at = NULL, deaths = 0, unable = '{}'`

const RESUME = queueing(`  ${AS_RESUMED} WHERE id = $1 AND status ${allowing('resume')}`)

const RESUME_MANY = queueing(`  ${AS_RESUMED} WHERE id IN (
    SELECT id FROM toolwright.run
    WHERE status ${allowing('resume')} AND ended_at IS NULL AND ($1::text IS NULL OR why ->> 'code' = $1) AND ($2::text IS NULL OR tool = $2)
    ORDER BY created_at LIMIT $3 FOR UPDATE SKIP LOCKED
  )`)

const AT_A_TIME = 500

export async function resumeRun(store: Store, id: string): Promise<'resumed' | RunStatus | undefined> {
  const { rowCount } = await store.pool.query(RESUME, [id])
  if ((rowCount ?? 0) > 0) return 'resumed'
  const { rows } = await store.pool.query<{ status: RunStatus }>('SELECT status FROM toolwright.run WHERE id = $1', [id])
  return rows[0]?.status
}

/** A run that is blocked anew meanwhile is not resumed twice. */
export async function resumeBlocked(store: Store, { code, tool }: ResumeOptions): Promise<number> {
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

export async function recoverRuns(store: Store, codes: readonly string[]): Promise<void> {
  const { rows } = await store.pool.query<{ id: string; ticket: number }>(FORGOTTEN, [codes])
  for (const { id, ticket } of rows) await store.pool.query(TAKE_UP_AGAIN, [id, ticket])
}

const DECISIONS = "SELECT coalesce(full_path, path) AS path, data FROM toolwright.entry WHERE run = $1 AND kind = 'decision'"

const WRITE_RETRY = `
INSERT INTO toolwright.entry (run, path, full_path, kind, data, begun_no, ended_no, begun_at, ended_at)
VALUES ($1, $2, $3, 'decision', $4, nextval('toolwright.moment'), nextval('toolwright.moment'), now(), now())`

const RETRY = queueing(`  UPDATE toolwright.run SET ${AS_QUEUED}, wake_at = NULL, result = NULL, cancel = NULL, deaths = 0 WHERE id = $1`)

export function retryCompensation(store: Store, id: string, choose: Parameters<RunChanges['retryCompensation']>[1]): Promise<boolean> {
  return store.transaction(async (client) => {
    const { rows: held } = await client.query<{ status: RunStatus }>('SELECT status FROM toolwright.run WHERE id = $1 FOR UPDATE', [id])
    const status = held[0]?.status
    if (status === undefined) return false
    const { rows } = await client.query<{ path: string; data: string }>(DECISIONS, [id])
    for (const { path: given, data } of choose(status, rows)) {
      const { path, fullPath } = storedPath(given)
      await client.query(WRITE_RETRY, [id, path, fullPath, data])
    }
    await client.query(RETRY, [id])
    return true
  })
}
