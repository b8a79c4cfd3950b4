import type { RunRow } from '../tables.ts'
import type { Transaction } from '../transaction.ts'
import { AS_QUEUED, asQueued, CHANGED, SEND_JOBS } from './queueing.ts'
import { livingWorkers } from './living-workers.ts'
import type { Parameters, Statement } from './statement.ts'
import { timeLeft } from './time-left.ts'

const OPEN_STATUSES = new Set(['queued', 'running', 'waiting'])
const SUSPECT_AFTER = 3
const LEFT_FOR_MS = 1000

const OPEN = `FROM given j
  JOIN toolwright_queue.job q ON q.name = 'segment' AND q.id = j.job AND q.retry_count = j.attempt AND q.state = 'active'
  JOIN toolwright.run r ON r.id = j.run AND r.ticket = j.ticket AND r.status IN ('queued', 'running', 'waiting')`

/** Runs as workers take them. */
export const claimStatements: readonly Statement[] = [
  {
    name: 'claim',
    text: `WITH given AS MATERIALIZED (
      SELECT * FROM unnest($1::text[], $2::int[], $3::uuid[], $4::int[]) AS j (run, ticket, job, attempt)
    ), open AS MATERIALIZED (
      SELECT r.id, j.job, j.attempt, r.deaths >= ${SUSPECT_AFTER} AS suspect, $5 = ANY(r.unable) AND EXISTS (
        SELECT FROM toolwright.worker w WHERE r.tool = ANY(w.tools) AND NOT w.id = ANY(r.unable) AND w.seen_at > now() - interval '15 seconds'
      ) AS unable ${OPEN}
      FOR UPDATE OF r SKIP LOCKED
    ), judged AS (
      SELECT id, job, attempt, unable, NOT unable AND (NOT suspect OR ($6::bool AND row_number() OVER (PARTITION BY suspect, unable ORDER BY id) = 1)) AS taken FROM open
    ), claimed AS (
      UPDATE toolwright.run r SET
        epoch = r.epoch + 1, worker = $5, job = o.job, job_attempt = o.attempt, status = 'running', why = NULL, wake_at = NULL, held_back = false,
        started_at = coalesce(r.started_at, now()), deaths = r.deaths + 1,
        time_left_ms = CASE WHEN r.clock_runs_since IS NULL THEN r.time_left_ms
          ELSE greatest(0, r.time_left_ms - 1000 * extract(epoch FROM now() - r.clock_runs_since)) END,
        clock_runs_since = CASE WHEN r.time_left_ms IS NOT NULL THEN now() END
      FROM judged o WHERE r.id = o.id AND o.taken
      RETURNING r.id, r.epoch, r.ticket, r.tool, r.version, r.plan, r.input, r.options, r.cancel, r.time_left_ms, r.deaths, r.entries_seen, r.job
    ), told AS (
      INSERT INTO toolwright.event (run, type, data) SELECT id, 'status', json_build_object('status', 'running', 'worker', $5::text) FROM claimed RETURNING run
    ), changed AS (
      UPDATE toolwright.run r SET ${AS_QUEUED}, wake_at = CASE WHEN NOT o.unable THEN now() + interval '1 second' END
      FROM judged o WHERE r.id = o.id AND NOT o.taken RETURNING r.${CHANGED.replaceAll(', ', ', r.')}
    ), ${SEND_JOBS}
    SELECT g.job AS job_id, c.*, CASE WHEN (SELECT count(*) FROM told) >= 0 THEN 1000 * extract(epoch FROM clock_timestamp())::float8 END AS clock_base,
      (SELECT pg_notify('toolwright', 'queued')::text FROM judged o WHERE o.job = g.job AND o.unable) IS NOT NULL AS is_left,
      EXISTS (SELECT ${OPEN} WHERE j.job = g.job AND NOT EXISTS (SELECT FROM open o WHERE o.job = g.job)) AS is_locked
    FROM given g LEFT JOIN claimed c ON c.job = g.job`,
    locks: (given, on) => ({ mode: 'exclusive', rows: [...openRuns(on, given).values()].map(({ id }) => `run ${id}`), skipsLocked: true }),
    run: claim,
  },
]

/** By job, the run that can be taken up by it. */
function openRuns(on: Transaction, [ids, tickets, jobs, attempts]: Parameters): ReadonlyMap<string, RunRow> {
  const found = new Map<string, RunRow>()
  for (const [index, id] of (ids as readonly string[]).entries()) {
    const run = on.get('run', id)
    const job = on.get('job', (jobs as readonly string[])[index] as string)
    if (job?.state !== 'active' || job.attempt !== (attempts as readonly number[])[index]) continue
    if (run !== undefined && run.ticket === (tickets as readonly number[])[index] && OPEN_STATUSES.has(run.status)) found.set(job.id, run)
  }
  return found
}

function claim(on: Transaction, given: Parameters, locked: readonly string[]): readonly object[] {
  const [, , jobs, , worker, takesSuspect] = given as [unknown, unknown, readonly string[], unknown, string, boolean]
  const open = openRuns(on, given)
  const mine = [...open].filter(([, { id }]) => locked.includes(`run ${id}`)).toSorted(([, one], [, other]) => (one.id < other.id ? -1 : 1))
  const claimed = new Map<string, object>()
  const left = new Set<string>()
  let mayTakeSuspect = takesSuspect
  for (const [job, run] of mine) {
    const isUnable = run.unable.includes(worker) && livingWorkers(on, run.tool).some(({ id }) => !run.unable.includes(id))
    const isSuspect = run.deaths >= SUSPECT_AFTER
    if (!isUnable && (!isSuspect || mayTakeSuspect)) {
      if (isSuspect) mayTakeSuspect = false
      claimed.set(job, take(on, run, { job, worker }))
      continue
    }
    asQueued(on, run, { wake_at: isUnable ? null : on.now + LEFT_FOR_MS })
    if (!isUnable) continue
    left.add(job)
    on.notify('queued')
  }
  return jobs.map((job) => {
    const isLocked = open.has(job) && !mine.some(([own]) => own === job)
    const row = claimed.get(job) ?? NOTHING
    return { job_id: job, ...row, clock_base: on.database.time, is_left: left.has(job), is_locked: isLocked }
  })
}

const NOTHING = { id: null, epoch: null, ticket: null, tool: null, version: null, plan: null, input: null, options: null, cancel: null }

function take(on: Transaction, run: RunRow, { job, worker }: { readonly job: string; readonly worker: string }): object {
  on.set('run', run.id, {
    ...{
      epoch: run.epoch + 1,
      worker,
      job,
      job_attempt: on.get('job', job)?.attempt ?? null,
      status: 'running',
      why: null,
      wake_at: null,
      held_back: false,
    },
    ...{ started_at: run.started_at ?? on.now, deaths: run.deaths + 1, time_left_ms: timeLeft(run, on.now) },
    clock_runs_since: run.time_left_ms === null ? null : on.now,
  })
  on.tell(run.id, 'status', JSON.stringify({ status: 'running', worker }))
  return on.get('run', run.id) ?? run
}
