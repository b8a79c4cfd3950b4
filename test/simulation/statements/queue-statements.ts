import type { JobRow, RunRow } from '../tables.ts'
import type { Transaction } from '../transaction.ts'
import type { LockRequest, Parameters, Statement } from './statement.ts'

/** A worker that is silent for so long loses its jobs. */
const LEASE_MS = 10_000

/** Takes the place of the fetch of pg-boss. It takes the jobs of silent workers too, whom the queue looks for only once a second. */
export const FETCH = `UPDATE toolwright_queue.job j SET state = 'active', heartbeat_on = now(), started_on = now(),
  retry_count = CASE WHEN j.started_on IS NOT NULL THEN j.retry_count + 1 ELSE j.retry_count END
WHERE id IN (
  SELECT id FROM toolwright_queue.job
  WHERE name = 'segment' AND CASE WHEN state = 'active' THEN heartbeat_on < now() - interval '10 seconds' ELSE start_after <= now() END
  ORDER BY created_on LIMIT $1 FOR UPDATE SKIP LOCKED
) RETURNING id, retry_count AS attempt, data ->> 'run' AS run, data ->> 'tool' AS tool, (data ->> 'ticket')::int AS ticket`

const HELD = `unnest($1::uuid[], $2::int[]) AS held (id, attempt)
WHERE j.name = 'segment' AND j.id = held.id AND j.retry_count = held.attempt AND j.state = 'active'`

/** Jobs: fetched, and what becomes of those that were. */
export const queueStatements: readonly Statement[] = [
  {
    name: 'fetch jobs',
    text: FETCH,
    locks: (given, on) => ({ mode: 'exclusive', rows: due(on, given).map(({ id }) => `job ${id}`) }),
    run: fetch,
  },
  {
    name: 'leave silent jobs',
    text: `UPDATE toolwright_queue.job SET state = 'retry', heartbeat_on = NULL
      WHERE name = 'segment' AND id IN (
        SELECT id FROM toolwright_queue.job
        WHERE name = 'segment' AND state = 'active' AND heartbeat_on < now() - interval '${LEASE_MS} milliseconds'
        FOR UPDATE SKIP LOCKED
      )`,
    isTimed: true,
    locks: (_given, on) => ({ mode: 'exclusive', rows: silentJobs(on).map(({ id }) => `job ${id}`), skipsLocked: true }),
    run: (on, _given, locked) => {
      const silent = silentJobs(on).filter(({ id }) => locked.includes(`job ${id}`))
      for (const { id } of silent) on.set('job', id, { state: 'retry', heartbeat: null })
      return silent.length
    },
  },
  {
    name: 'list holders',
    text: "SELECT DISTINCT worker FROM toolwright.run WHERE ended_at IS NULL AND status = 'running' AND worker IS NOT NULL",
    run: (on) => {
      const holders = on
        .all('run')
        .flatMap(({ ended_at: endedAt, status, worker }) => (endedAt === null && status === 'running' && worker !== null ? [worker] : []))
      return [...new Set(holders)].map((worker) => ({ worker }))
    },
  },
  {
    name: 'leave jobs of the gone',
    text: `UPDATE toolwright_queue.job SET state = 'retry', heartbeat_on = NULL
      WHERE name = 'segment' AND id IN (
        SELECT j.id FROM toolwright_queue.job j JOIN toolwright.run r ON r.job = j.id AND r.job_attempt = j.retry_count
        WHERE j.name = 'segment' AND j.state = 'active' AND r.ended_at IS NULL AND r.status = 'running' AND r.worker = ANY($1::text[])
        FOR UPDATE OF j, r SKIP LOCKED
      )`,
    locks: (given, on) => ({ mode: 'exclusive', rows: jobsOfGone(on, given).flatMap((found) => freeRows(on, found)) }),
    run: (on, given, locked) => {
      const left = jobsOfGone(on, given).filter(({ job, run }) => locked.includes(`job ${job.id}`) && locked.includes(`run ${run.id}`))
      for (const { job } of left) on.set('job', job.id, { state: 'retry', heartbeat: null })
      return left.length
    },
  },
  {
    name: 'touch jobs',
    text: `UPDATE toolwright_queue.job j SET heartbeat_on = now(),
      started_on = CASE WHEN j.started_on < now() - interval '1 hour' THEN now() ELSE j.started_on END
    FROM ${HELD} RETURNING j.id`,
    locks: onHeld,
    run: (on, given) =>
      heldJobs(on, given).map(({ id }) => {
        on.set('job', id, { heartbeat: on.now })
        return { id }
      }),
  },
  {
    name: 'leave jobs',
    text: `UPDATE toolwright_queue.job j SET state = 'retry', heartbeat_on = NULL FROM ${HELD}`,
    locks: onHeld,
    run: (on, given) => {
      const held = heldJobs(on, given)
      for (const { id } of held) on.set('job', id, { state: 'retry', heartbeat: null })
      return held.length
    },
  },
  {
    name: 'delete jobs',
    text: `DELETE FROM toolwright_queue.job j USING ${HELD}`,
    locks: onHeld,
    run: (on, given) => {
      const held = heldJobs(on, given)
      for (const { id } of held) on.put('job', id, null)
      return held.length
    },
  },
]

function heldJobs(on: Transaction, [ids, attempts]: Parameters): readonly JobRow[] {
  return (ids as readonly string[]).flatMap((id, index) => {
    const job = on.get('job', id)
    return job?.state === 'active' && job.attempt === (attempts as readonly number[])[index] ? [job] : []
  })
}

function onHeld(given: Parameters, on: Transaction): LockRequest {
  return { mode: 'exclusive', rows: heldJobs(on, given).map(({ id }) => `job ${id}`) }
}

interface HeldRun {
  readonly job: JobRow
  readonly run: RunRow
}

function jobsOfGone(on: Transaction, [workers]: Parameters): readonly HeldRun[] {
  return on.all('run').flatMap((run) => {
    if (run.job === null || run.ended_at !== null || run.status !== 'running' || !(workers as readonly unknown[]).includes(run.worker))
      return []
    const job = on.get('job', run.job)
    return job?.state === 'active' && job.attempt === run.job_attempt ? [{ job, run }] : []
  })
}

/** The job is locked first: it stays so where the run is not to be had. */
function freeRows(on: Transaction, { job, run }: HeldRun): readonly string[] {
  const isFree = (row: string): boolean => on.database.locks.isFree(row, on, 'exclusive')
  const rows = [`job ${job.id}`, `run ${run.id}`]
  const firstHeld = rows.findIndex((row) => !isFree(row))
  return firstHeld < 0 ? rows : rows.slice(0, firstHeld)
}

function silentJobs(on: Transaction): readonly JobRow[] {
  return on.all('job').filter(({ state, heartbeat }) => state === 'active' && heartbeat !== null && heartbeat < on.now - LEASE_MS)
}

/** Rows that others hold do not count against the limit of the statement. */
function due(on: Transaction, [most]: Parameters): readonly JobRow[] {
  const found: JobRow[] = []
  for (const job of on.all('job')) {
    if (found.length === most) break
    const isDue = job.state === 'active' ? (job.heartbeat ?? 0) < on.now - LEASE_MS : job.startAt <= on.now
    if (isDue && on.database.locks.isFree(`job ${job.id}`, on, 'exclusive')) found.push(job)
  }
  return found
}

function fetch(on: Transaction, given: Parameters): readonly object[] {
  return due(on, given).map(({ id, run, tool, ticket, isBegun, attempt: before }) => {
    const attempt = isBegun ? before + 1 : before
    on.set('job', id, { state: 'active', heartbeat: on.now, attempt, isBegun: true })
    return { id, run, tool, ticket, attempt }
  })
}
