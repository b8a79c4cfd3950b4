import type { ClientBase, Pool } from 'pg'
import { systemClock } from '../../tool/ports/clock.ts'
import { type ClaimedRun, type Claiming, type Claims, type FetchedJob, SUSPECT_AFTER } from '../store/run-queue.ts'
import { AS_QUEUED, allowing, CHANGED, QUEUE, QUEUE_SCHEMA, SEND_JOBS } from './queue-runs.ts'
import { PROMPT } from './time-bounds.ts'

/** The run of a job that can be taken up: the ticket is the latest, and the job is still the one that was fetched. */
const OPEN = `FROM given j
  JOIN ${QUEUE_SCHEMA}.job q ON q.name = '${QUEUE}' AND q.id = j.job AND q.retry_count = j.attempt AND q.state = 'active'
  JOIN toolwright.run r ON r.id = j.run AND r.ticket = j.ticket AND r.status ${allowing('claim')}`

/**
 * Takes runs whose rows nobody holds; those that somebody holds keep their jobs. A run that this worker cannot go on with is left to another
 * that may, as long as there is one.
 * Of the runs that may have brought workers down, a worker has one at a time, so that the guilty one is found and no other is blamed; the
 * rest is left for a while. The time of the segment begins after the record that it is taken up.
 */
const CLAIM = `
WITH given AS MATERIALIZED (
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
FROM given g LEFT JOIN claimed c ON c.job = g.job`

interface ClaimRow extends Omit<ClaimedRun, 'timeLeftMs' | 'entriesSeen' | 'clockBase'> {
  readonly time_left_ms: number | null
  readonly entries_seen: number
  readonly clock_base: number
}

interface JobRow {
  readonly job_id: string
  readonly is_locked: boolean
  readonly is_left: boolean
}

/** Takes the runs of these jobs, as far as they can be taken now. */
export async function claimRuns(
  on: Pool | ClientBase,
  { jobs, worker, takesSuspect }: Pick<Claiming, 'jobs' | 'worker' | 'takesSuspect'>,
): Promise<Claims> {
  const column = <T>(pick: (job: FetchedJob) => T): T[] => jobs.map(pick)
  const { rows } = await on.query<(ClaimRow & JobRow) | (JobRow & { readonly id: null })>({
    ...PROMPT,
    name: 'toolwright.claim',
    text: CLAIM,
    values: [
      column(({ run }) => run),
      column(({ ticket }) => ticket),
      column(({ id }) => id),
      column(({ attempt }) => attempt),
      worker,
      takesSuspect,
    ],
  })
  const tick = systemClock.tick()
  const byJob = new Map(rows.map((row) => [row.job_id, row]))
  const leavesSome = rows.some(({ is_left: isLeft }) => isLeft)
  const claims = { runs: [] as Claims['runs'][number][], locked: [] as FetchedJob[], over: [] as FetchedJob[], leavesSome }
  for (const job of jobs) {
    const row = byJob.get(job.id)
    if (row !== undefined && row.id !== null) claims.runs.push({ run: claimedRun(row, tick), job })
    else if (row?.is_locked === true) claims.locked.push(job)
    else claims.over.push(job)
  }
  return claims
}

function claimedRun(row: ClaimRow, tick: number): ClaimedRun {
  const { id, epoch, ticket, tool, version, plan, input, options, cancel, deaths } = row
  const { time_left_ms: timeLeftMs, entries_seen: entriesSeen, clock_base: clockBase } = row
  return {
    ...{ id, epoch, ticket, tool, version, plan, input, options, cancel, deaths },
    ...{ timeLeftMs, entriesSeen, clockBase: clockBase - tick },
  }
}
