import type { RunRow } from '../tables.ts'
import type { Transaction } from '../transaction.ts'
import { CHANGED, NOTIFY_QUEUED, SEND_JOBS, sendJob, TELL_QUEUED, tellQueued } from './queueing.ts'
import type { LockRequest, Parameters, Statement } from './statement.ts'

/** Runs as they are started. */
export const startStatements: readonly Statement[] = [
  {
    name: 'start',
    text: `WITH changed AS (
      INSERT INTO toolwright.run (id, key, tool, version, plan, input, input_hash, options, time_left_ms, wake_at, status, job)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, CASE WHEN $10::timestamptz > now() THEN $10 END, 'queued', gen_random_uuid())
      ON CONFLICT (key) DO NOTHING RETURNING ${CHANGED}
    ), ${TELL_QUEUED}, ${SEND_JOBS} ${NOTIFY_QUEUED}`,
    locks: onKey,
    run: start,
  },
  {
    name: 'start and take',
    text: `WITH started AS (
      INSERT INTO toolwright.run (id, key, tool, version, plan, input, input_hash, options, time_left_ms, status, worker, epoch, deaths, job, job_attempt, started_at, clock_runs_since)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, 'running', $10, 1, 1, gen_random_uuid(), 0, now(), CASE WHEN $9::float8 IS NOT NULL THEN now() END)
      ON CONFLICT (key) DO NOTHING RETURNING id, tool, ticket, job
    ), told AS (
      INSERT INTO toolwright.event (run, type, data)
      SELECT s.id, 'status', e.data FROM started s,
        (VALUES (1, '{"status":"queued"}'::json), (2, json_build_object('status', 'running', 'worker', $10::text))) AS e (no, data)
      ORDER BY e.no RETURNING run
    ), jobs AS (
      INSERT INTO toolwright_queue.job (id, name, data, state, started_on, heartbeat_on, keep_until, retry_limit, retry_delay, expire_seconds, deletion_seconds, policy, heartbeat_seconds)
      SELECT s.job, q.name, jsonb_build_object('run', s.id, 'tool', s.tool, 'ticket', s.ticket), 'active', now(), now(), 'infinity',
        q.retry_limit, q.retry_delay, q.expire_seconds, q.deletion_seconds, q.policy, q.heartbeat_seconds
      FROM started s JOIN toolwright_queue.queue q ON q.name = 'segment'
    )
    SELECT job, ticket, CASE WHEN (SELECT count(*) FROM told) >= 0 THEN 1000 * extract(epoch FROM clock_timestamp())::float8 END AS clock_base FROM started`,
    locks: onKey,
    run: startAndTake,
  },
  {
    name: 'find by key',
    text: 'SELECT id, tool, input_hash FROM toolwright.run WHERE key = $1',
    run: (on, [key]) => on.all('run').filter((run) => run.key === key),
  },
]

/** Who inserts the same key waits for whoever did so first. */
function onKey([, key]: Parameters): LockRequest {
  return { mode: 'exclusive', rows: typeof key === 'string' ? [`run key ${key}`] : [] }
}

function start(on: Transaction, given: Parameters): readonly object[] {
  const startAt = given[9]
  const wakeAt = startAt instanceof Date && startAt.getTime() > on.now ? startAt.getTime() : null
  const run = insertRun(on, given, { wake_at: wakeAt })
  if (run === undefined) return []
  tellQueued(on, run.id)
  sendJob(on, run)
  if (wakeAt === null) on.notify('queued')
  return [{ id: run.id, told: wakeAt === null ? '' : null }]
}

function startAndTake(on: Transaction, given: Parameters): readonly object[] {
  const worker = given[9] as string
  const run = insertRun(on, given, {
    ...{ status: 'running', worker, epoch: 1, deaths: 1, job_attempt: 0, started_at: on.now },
    clock_runs_since: given[8] === null ? null : on.now,
  })
  if (run?.job == null) return []
  tellQueued(on, run.id)
  on.tell(run.id, 'status', JSON.stringify({ status: 'running', worker }))
  sendJob(on, run)
  on.set('job', run.job, { state: 'active', isBegun: true, heartbeat: on.now })
  return [{ job: run.job, ticket: run.ticket, clock_base: on.database.time }]
}

/** Undefined where the key is taken. */
function insertRun(on: Transaction, given: Parameters, columns: Partial<RunRow>): RunRow | undefined {
  const [id, key, tool, version, plan, input, inputHash, options] = given as [string, string | null, ...string[]]
  if (key !== null && on.all('run').some((run) => run.key === key)) return undefined
  const run: RunRow = {
    ...{ id, key, tool: tool as string, version: version as string, plan: plan as string, input: input as string },
    ...{ input_hash: inputHash as string, options: options as string, time_left_ms: given[8] as number | null },
    ...{ job: on.database.nextJob(), job_attempt: null },
    ...{
      status: 'queued',
      why: null,
      epoch: 0,
      ticket: 0,
      worker: null,
      unable: [],
      deaths: 0,
      entries_seen: 0,
      held_back: false,
      key_claim: 0,
    },
    ...{ wake_at: null, clock_runs_since: null, cancel: null, result: null, created_at: on.now, started_at: null, ended_at: null },
    ...columns,
  }
  on.put('run', id, run)
  return run
}
