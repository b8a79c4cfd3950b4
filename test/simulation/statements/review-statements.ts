import type { ApprovalRow } from '../tables.ts'
import type { Transaction } from '../transaction.ts'
import { AS_QUEUED, asQueued, CHANGED, SEND_JOBS, TELL_QUEUED, tellQueued } from './queueing.ts'
import type { LockRequest, Parameters, Statement } from './statement.ts'

const IS_OVER = "r.cancel IS NOT NULL AND NOT a.is_shielded AND position('/undo.' IN a.path) = 0"

/** What people are asked: requests read, assigned and decided. */
export const reviewStatements: readonly Statement[] = [
  {
    name: 'assign',
    text: "UPDATE toolwright.approval SET assignee = $2, assignee_print = $3 WHERE id = $1 AND status = 'open'",
    locks: onApproval,
    run: (on, given) => {
      const [id, assignee, assignee_print] = given as [string, string | null, string | null]
      if (on.get('approval', id)?.status !== 'open') return 0
      on.set('approval', id, { assignee, assignee_print })
      return 1
    },
  },
  {
    name: 'read open',
    text: `SELECT a.*, coalesce(${IS_OVER}, false) AS is_over, clock_timestamp() AS looked_at FROM toolwright.approval a LEFT JOIN toolwright.run r ON r.id = a.run WHERE a.id = $1`,
    run: (on, [id]) => approvalsOf(on, [id]).map((row) => ({ ...row, is_over: isOver(on, row), looked_at: new Date(on.database.time) })),
  },
  {
    name: 'decide',
    text: `WITH held AS MATERIALIZED (
      SELECT r.id, r.status, r.cancel FROM toolwright.run r WHERE r.id = $2 FOR UPDATE
    ), decided AS (
      UPDATE toolwright.approval a SET status = 'decided', decision = $3, closed_at = now()
      WHERE a.id = $1 AND a.status = 'open' AND a.ballot_no = $6 AND ($2::text IS NULL OR EXISTS (SELECT FROM held r WHERE NOT (${IS_OVER})))
      RETURNING a.id
    ), recorded AS (
      UPDATE toolwright.entry SET data = $4, ended_no = nextval('toolwright.moment'), ended_at = clock_timestamp()
      WHERE run = $2 AND path = $5 AND EXISTS (SELECT FROM decided) RETURNING run
    ), changed AS (
      UPDATE toolwright.run SET ${AS_QUEUED}, wake_at = NULL
      WHERE id = (SELECT id FROM held WHERE status = 'waiting') AND EXISTS (SELECT FROM decided) AND (SELECT count(*) FROM recorded) >= 0
      RETURNING ${CHANGED}
    ), ${TELL_QUEUED}, ${SEND_JOBS}
    SELECT pg_notify('toolwright', 'decided ' || id)::text AS told FROM decided
    UNION ALL SELECT pg_notify('toolwright', 'queued')::text FROM changed
    UNION ALL SELECT pg_notify('toolwright', 'woken ' || id)::text FROM held WHERE status = 'running' AND EXISTS (SELECT FROM decided)`,
    locks: onRun,
    thenLocks: ([id, run, , , path]) => ({ mode: 'exclusive', rows: [`approval ${String(id)}`, `entry ${String(run)}\n${String(path)}`] }),
    run: decide,
  },
  {
    name: 'vote',
    text: `WITH held AS MATERIALIZED (
      SELECT r.id, r.cancel FROM toolwright.run r WHERE r.id = $2 FOR UPDATE
    ), voted AS (
      UPDATE toolwright.approval a SET ballot = $3, ballot_no = a.ballot_no + 1
      WHERE a.id = $1 AND a.status = 'open' AND a.ballot_no = $4 AND ($2::text IS NULL OR EXISTS (SELECT FROM held r WHERE NOT (${IS_OVER})))
      RETURNING a.id
    ), told AS (
      INSERT INTO toolwright.event (run, type, data) SELECT h.id, 'review.voted', $5::json FROM held h WHERE EXISTS (SELECT FROM voted)
    )
    SELECT id FROM voted`,
    locks: onRun,
    thenLocks: onApproval,
    run: vote,
  },
  {
    name: 'read decided',
    text: "SELECT id, run, decision FROM toolwright.approval WHERE id = ANY($1::text[]) AND status = 'decided' ORDER BY closed_at",
    run: (on, [ids]) =>
      approvalsOf(on, ids)
        .filter(({ status }) => status === 'decided')
        .toSorted((one, other) => Number(one.closed_at) - Number(other.closed_at)),
  },
  { name: 'read request', text: 'SELECT * FROM toolwright.approval WHERE id = $1', run: (on, [id]) => approvalsOf(on, [id]) },
]

function onRun([, run]: Parameters, on: Transaction): LockRequest {
  return { mode: 'exclusive', rows: on.get('run', (run ?? '') as string) === undefined ? [] : [`run ${String(run)}`] }
}

function onApproval(given: Parameters): LockRequest {
  return { mode: 'exclusive', rows: [`approval ${String(given[0])}`] }
}

/** Rows as the driver gives them. */
function approvalsOf(on: Transaction, ids: unknown): readonly (Omit<ApprovalRow, 'requested_at'> & object)[] {
  return (ids as readonly string[]).flatMap((id) => {
    const row = on.get('approval', id)
    if (row === undefined) return []
    const { requested_at: requested, expires_at: expires, closed_at: closed } = row
    return [{ ...row, requested_at: new Date(requested), expires_at: dateOf(expires), closed_at: dateOf(closed) } as never]
  })
}

function dateOf(time: number | null): Date | null {
  return time === null ? null : new Date(time)
}

/** What a cancelled run asked before is not decided any more. */
function isOver(on: Transaction, { run, path, is_shielded }: Pick<ApprovalRow, 'run' | 'path' | 'is_shielded'>): boolean {
  const owner = run === null ? undefined : on.get('run', run)
  return owner !== undefined && owner.cancel !== null && !is_shielded && !path.includes('/undo.')
}

/** The request, if it can be decided with this ballot. */
function openRequest(
  on: Transaction,
  { id, run, ballotNo }: { id: string; run: string | null; ballotNo: number },
): ApprovalRow | undefined {
  const request = on.found('approval').find((each) => each.id === id)
  if (request?.status !== 'open' || request.ballot_no !== ballotNo || isOver(on, { ...request, run })) return undefined
  return run !== null && on.get('run', run) === undefined ? undefined : request
}

function vote(on: Transaction, given: Parameters): readonly object[] {
  const [id, run, ballot, ballotNo, event] = given as [string, string | null, string, number, string]
  if (openRequest(on, { id, run, ballotNo }) === undefined) return []
  on.set('approval', id, { ballot, ballot_no: ballotNo + 1 })
  if (run !== null) on.tell(run, 'review.voted', event)
  return [{ id }]
}

function decide(on: Transaction, given: Parameters): readonly object[] {
  const [id, runId, decision, data, path, ballotNo] = given as [string, string | null, string, string, string, number]
  const run = runId === null ? undefined : on.get('run', runId)
  if (openRequest(on, { id, run: runId, ballotNo }) === undefined) return []
  on.set('approval', id, { status: 'decided', decision, closed_at: on.now })
  on.notify(`decided ${id}`)
  const entry = `${runId ?? ''}\n${path}`
  if (on.get('entry', entry) !== undefined) on.set('entry', entry, { data, ended_no: on.database.nextMoment() })
  if (run?.status === 'waiting') {
    asQueued(on, run, { wake_at: null })
    tellQueued(on, run.id)
    on.notify('queued')
  } else if (run?.status === 'running') on.notify(`woken ${run.id}`)
  return run?.status === 'waiting' || run?.status === 'running' ? [{ told: '' }, { told: '' }] : [{ told: '' }]
}
