import type { Store } from '../../store/store.ts'
import { systemClock } from '../../tool/ports/clock.ts'
import type { NewRun, Started, TakenRun } from '../store/run-queue.ts'
import { CHANGED, NOTIFY_QUEUED, QUEUE, QUEUE_SCHEMA, SEND_JOBS, TELL_QUEUED } from './queue-runs.ts'

const START_RUN = `
WITH changed AS (
  INSERT INTO toolwright.run (id, key, tool, version, plan, input, input_hash, options, time_left_ms, wake_at, status, job)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, CASE WHEN $10::timestamptz > now() THEN $10 END, 'queued', gen_random_uuid())
  ON CONFLICT (key) DO NOTHING RETURNING ${CHANGED}
), ${TELL_QUEUED}, ${SEND_JOBS}
${NOTIFY_QUEUED}`

/**
 * The same with what a fetch of the job and a claim by it would do. The job has begun, so that the next fetch of it is another attempt. The
 * time of the segment begins after the record that the run is taken up.
 */
const START_AND_TAKE = `
WITH started AS (
  INSERT INTO toolwright.run (id, key, tool, version, plan, input, input_hash, options, time_left_ms, status, worker, epoch, deaths, job, job_attempt, started_at, clock_runs_since)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, 'running', $10, 1, 1, gen_random_uuid(), 0, now(), CASE WHEN $9::float8 IS NOT NULL THEN now() END)
  ON CONFLICT (key) DO NOTHING RETURNING id, tool, ticket, job
), told AS (
  INSERT INTO toolwright.event (run, type, data)
  SELECT s.id, 'status', e.data FROM started s,
    (VALUES (1, '{"status":"queued"}'::json), (2, json_build_object('status', 'running', 'worker', $10::text))) AS e (no, data)
  ORDER BY e.no RETURNING run
), jobs AS (
  INSERT INTO ${QUEUE_SCHEMA}.job (id, name, data, state, started_on, heartbeat_on, keep_until, retry_limit, retry_delay, expire_seconds, deletion_seconds, policy, heartbeat_seconds)
  SELECT s.job, q.name, jsonb_build_object('run', s.id, 'tool', s.tool, 'ticket', s.ticket), 'active', now(), now(), 'infinity',
    q.retry_limit, q.retry_delay, q.expire_seconds, q.deletion_seconds, q.policy, q.heartbeat_seconds
  FROM started s JOIN ${QUEUE_SCHEMA}.queue q ON q.name = '${QUEUE}'
)
SELECT job, ticket, CASE WHEN (SELECT count(*) FROM told) >= 0 THEN 1000 * extract(epoch FROM clock_timestamp())::float8 END AS clock_base FROM started`

interface TakenRow {
  readonly job: string
  readonly ticket: number
  readonly clock_base: number
}

export async function startRun(store: Store, run: NewRun, worker?: string): Promise<Started> {
  const taken = worker === undefined ? undefined : await startAndTake(store, run, worker)
  if (taken !== undefined) return { outcome: 'started', taken }
  if (worker === undefined && (await start(store, run))) return { outcome: 'started' }
  const { rows } = await store.pool.query<{ id: string; tool: string; input_hash: string }>(
    'SELECT id, tool, input_hash FROM toolwright.run WHERE key = $1',
    [run.key],
  )
  const [row] = rows
  return { outcome: 'taken', by: row === undefined ? undefined : { id: row.id, tool: row.tool, inputHash: row.input_hash } }
}

async function start({ pool }: Store, run: NewRun): Promise<boolean> {
  const { rowCount } = await pool.query({ name: 'toolwright.start', text: START_RUN, values: [...valuesOf(run), run.startAt] })
  return rowCount !== 0
}

async function startAndTake({ pool }: Store, run: NewRun, worker: string): Promise<TakenRun | undefined> {
  const values = [...valuesOf(run), worker]
  const { rows } = await pool.query<TakenRow>({ name: 'toolwright.start_and_take', text: START_AND_TAKE, values })
  const [row] = rows
  if (row === undefined) return undefined
  const { id, tool, version, plan, input, options, timeLeftMs } = run
  const { job, ticket, clock_base: clockBase } = row
  return {
    run: {
      ...{ id, epoch: 1, ticket, tool, version, plan, input, options, cancel: null, timeLeftMs, deaths: 1, entriesSeen: 0 },
      clockBase: clockBase - systemClock.tick(),
    },
    job: { id: job, run: id, tool, ticket, attempt: 0 },
  }
}

function valuesOf({ id, key, tool, version, plan, input, inputHash, options, timeLeftMs }: NewRun): readonly unknown[] {
  return [id, key, tool, version, plan, input, inputHash, options, timeLeftMs]
}
