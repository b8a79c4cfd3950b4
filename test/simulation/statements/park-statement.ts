import type { ApprovalRow, RunRow } from '../tables.ts'
import type { Transaction } from '../transaction.ts'
import { MAY_HOLD_BACK, mayHoldBack } from './held-back.ts'
import { SEND_JOBS, sendJob } from './queueing.ts'
import type { Parameters, Statement } from './statement.ts'
import { timeLeft } from './time-left.ts'

/** How a run is put away. */
export const parkStatement: Statement = {
  name: 'park',
  text: `WITH mine AS MATERIALIZED (
    SELECT id, cancel, clock_runs_since + time_left_ms * interval '1 ms' AS deadline
    FROM toolwright.run WHERE id = $1 AND epoch = $2 AND status = 'running' FOR UPDATE
  ), requests AS MATERIALIZED (
    SELECT id, decision, expires_at FROM toolwright.approval WHERE id = ANY($3::text[]) AND EXISTS (SELECT FROM mine) FOR SHARE
  ), news AS (
    SELECT (SELECT cancel FROM mine WHERE NOT $6::bool) AS cancel,
      (SELECT json_agg(json_build_object('id', id, 'decision', decision)) FROM requests WHERE decision IS NOT NULL) AS decided
  ), wake AS (
    SELECT least($5::timestamptz, CASE WHEN $5 IS NOT NULL AND NOT $7::bool THEN (SELECT deadline FROM mine) END, (SELECT min(expires_at) FROM requests)) AS at
  ), parked AS (
    UPDATE toolwright.run r SET status = 'waiting', worker = NULL, job = CASE WHEN w.at IS NOT NULL THEN gen_random_uuid() END, why = $4, ticket = r.ticket + 1, deaths = 0, unable = '{}',
      wake_at = CASE WHEN w.at IS NOT NULL THEN greatest(w.at, now()) END,
      time_left_ms = CASE WHEN $5 IS NULL AND r.clock_runs_since IS NOT NULL
        THEN greatest(0, r.time_left_ms - 1000 * extract(epoch FROM now() - r.clock_runs_since)) ELSE r.time_left_ms END,
      clock_runs_since = CASE WHEN $5 IS NOT NULL THEN r.clock_runs_since END
    FROM wake w, news n WHERE r.id = (SELECT id FROM mine) AND n.cancel IS NULL AND n.decided IS NULL
    RETURNING r.id, r.tool, r.ticket, r.job, r.wake_at
  ), changed AS (
    SELECT * FROM parked WHERE wake_at IS NOT NULL
  ), told AS (
    INSERT INTO toolwright.event (run, type, data) SELECT id, 'status', json_build_object('status', 'waiting', 'why', $4::json) FROM parked
  ), ${SEND_JOBS}
  SELECT EXISTS (SELECT FROM mine) AS mine, EXISTS (SELECT FROM parked) AS parked, (SELECT wake_at FROM parked) AS wake_at, n.cancel, n.decided,
    ${MAY_HOLD_BACK('(SELECT tool FROM parked)')} AS holds_back
  FROM news n`,
  locks: (given, on) => ({ mode: 'exclusive', rows: mineOf(on, given).map(({ id }) => `run ${id}`) }),
  thenLocks: (given, on) => ({
    mode: 'share',
    rows: mineOf(on, given).length === 0 ? [] : requestsOf(on, given).map(({ id }) => `approval ${id}`),
  }),
  run: park,
}

function mineOf(on: Transaction, [id, epoch]: Parameters): readonly RunRow[] {
  const run = on.get('run', id as string)
  return run?.epoch === epoch && run?.status === 'running' ? [run] : []
}

function requestsOf(on: Transaction, [, , ids]: Parameters): readonly ApprovalRow[] {
  return on.found('approval').filter(({ id }) => (ids as readonly string[]).includes(id))
}

const LOST = { mine: false, parked: false, wake_at: null, cancel: null, decided: null, holds_back: false }

function park(on: Transaction, given: Parameters): readonly object[] {
  const [, , , why, until, isCancelled, isOutOfTime] = given as [string, number, readonly string[], string, Date | null, boolean, boolean]
  const [run] = mineOf(on, given)
  if (run === undefined) return [LOST]
  const requests = requestsOf(on, given)
  const cancel = isCancelled ? null : run.cancel
  const decided = requests.flatMap(({ id, decision }) =>
    decision === null ? [] : `{"id" : ${JSON.stringify(id)}, "decision" : ${decision}}`,
  )
  const news = { cancel, decided: decided.length === 0 ? null : `[${decided.join(', ')}]` }
  if (cancel !== null || decided.length > 0) return [{ ...LOST, mine: true, ...news }]
  const wakeAt = wakeTime(on, run, { requests, until, isOutOfTime })
  const row: RunRow = {
    ...{ ...run, status: 'waiting', worker: null, job: wakeAt === null ? null : on.database.nextJob(), why, ticket: run.ticket + 1 },
    ...{ deaths: 0, unable: [], wake_at: wakeAt, time_left_ms: until === null ? timeLeft(run, on.now) : run.time_left_ms },
    clock_runs_since: until === null ? null : run.clock_runs_since,
  }
  on.put('run', run.id, row)
  on.tell(run.id, 'status', `{"status" : "waiting", "why" : ${why}}`)
  if (wakeAt !== null) sendJob(on, row)
  const wake_at = wakeAt === null ? null : new Date(wakeAt)
  return [{ mine: true, parked: true, wake_at, ...news, holds_back: mayHoldBack(on, run.tool) }]
}

interface Waiting {
  readonly requests: readonly ApprovalRow[]
  /** The end of the next sleep. */
  readonly until: Date | null
  readonly isOutOfTime: boolean
}

function wakeTime(
  on: Transaction,
  { clock_runs_since: since, time_left_ms: left }: RunRow,
  { requests, until, isOutOfTime }: Waiting,
): number | null {
  const times = requests.flatMap(({ expires_at: expires }) => expires ?? [])
  if (until !== null) times.push(until.getTime(), ...(isOutOfTime || since === null || left === null ? [] : [since + left]))
  return times.length === 0 ? null : Math.max(Math.min(...times), on.now)
}
