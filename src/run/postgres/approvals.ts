import type { Store } from '../../store/store.ts'
import { UNDO_MARK } from '../../tool/journal/undoing.ts'
import { storable, storableOrNull } from '../journal/storable.ts'
import type { ApprovalRow, ApprovalStore, FoundRequest, NewDecision, NewRequest, NewVote, RequestFilter } from '../store/approval-store.ts'
import { AS_QUEUED, allowing, CHANGED, SEND_JOBS, TELL_QUEUED } from './queue-runs.ts'
import { storedPath } from './stored-path.ts'

/** A request as its table has it. */
export interface StoredApproval {
  readonly id: string
  readonly run: string | null
  readonly request: string
  readonly status: ApprovalRow['status']
  readonly assignee: string | null
  readonly decision: string | null
  readonly ballot: string | null
  readonly ballot_no: number
  readonly requested_at: Date
  readonly expires_at: Date | null
  readonly closed_at: Date | null
}

export function approvalOf(row: StoredApproval): ApprovalRow {
  const {
    id,
    run,
    request,
    status,
    assignee,
    decision,
    ballot,
    ballot_no: ballotNo,
    requested_at: requestedAt,
    expires_at: expiresAt,
    closed_at: closedAt,
  } = row
  const times = { requestedAt: requestedAt.getTime(), expiresAt: expiresAt?.getTime() ?? null, closedAt: closedAt?.getTime() ?? null }
  return { id, run, request, status, assignee, decision, ballot, ballotNo, ...times }
}

/** What a cancelled run asked before is not decided any more: nobody would read it. A shielded call, such as one that undoes a step, may still ask. */
const IS_OVER = `r.cancel IS NOT NULL AND NOT a.is_shielded AND position('${UNDO_MARK}' IN a.path) = 0`

const READ = `
SELECT a.*, coalesce(${IS_OVER}, false) AS is_over, clock_timestamp() AS looked_at FROM toolwright.approval a LEFT JOIN toolwright.run r ON r.id = a.run WHERE a.id = $1`

/** The run's row is held first, by everybody who changes the run or its requests. What was decided is numbered before what follows from it. */
const DECIDE = `
WITH held AS MATERIALIZED (
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
  WHERE id = (SELECT id FROM held WHERE status ${allowing('wake')}) AND EXISTS (SELECT FROM decided) AND (SELECT count(*) FROM recorded) >= 0
  RETURNING ${CHANGED}
), ${TELL_QUEUED}, ${SEND_JOBS}
SELECT pg_notify('toolwright', 'decided ' || id)::text AS told FROM decided
UNION ALL SELECT pg_notify('toolwright', 'queued')::text FROM changed
UNION ALL SELECT pg_notify('toolwright', 'woken ' || id)::text FROM held WHERE status = 'running' AND EXISTS (SELECT FROM decided)`

/** Numbered as decisions are. A vote that was read before another one does not count: its number is old. */
const VOTE = `
WITH held AS MATERIALIZED (
  SELECT r.id, r.cancel FROM toolwright.run r WHERE r.id = $2 FOR UPDATE
), voted AS (
  UPDATE toolwright.approval a SET ballot = $3, ballot_no = a.ballot_no + 1
  WHERE a.id = $1 AND a.status = 'open' AND a.ballot_no = $4 AND ($2::text IS NULL OR EXISTS (SELECT FROM held r WHERE NOT (${IS_OVER})))
  RETURNING a.id
), told AS (
  INSERT INTO toolwright.event (run, type, data) SELECT h.id, 'review.voted', $5::json FROM held h WHERE EXISTS (SELECT FROM voted)
)
SELECT id FROM voted`

const LIST = `SELECT * FROM toolwright.approval WHERE status = 'open' AND ($1::text IS NULL OR run = $1) AND ($2::text IS NULL OR tool = $2)
         AND ($3::text[] IS NULL OR assignee_print = ANY ($3)) ORDER BY requested_at, id LIMIT $4`

const ASK = `WITH new AS (
         INSERT INTO toolwright.approval (id, path, tool, kind, request, expires_at)
         VALUES ($1, $2, $3, $4, $5, now() + $6::float8 * interval '1 ms') ON CONFLICT (id) DO NOTHING RETURNING id
       ) SELECT pg_notify('toolwright', 'requested ' || id) FROM new`

const WITHDRAW = `WITH gone AS (UPDATE toolwright.approval SET status = 'withdrawn', closed_at = now() WHERE id = $1 AND status = 'open' RETURNING id)
       SELECT pg_notify('toolwright', 'withdrawn ' || id) FROM gone`

/** The print finds the requests of an assignee, also where the name is sealed. */
const ASSIGN = "UPDATE toolwright.approval SET assignee = $2, assignee_print = $3 WHERE id = $1 AND status = 'open'"

export function postgresApprovals({ pool }: Store): ApprovalStore {
  return {
    decide: async ({ request, run, path, decision, entry, ballotNo }: NewDecision) => {
      const values = [request, run, decision, entry, storedPath(path).path, ballotNo]
      const { rowCount } = await pool.query({ name: 'toolwright.decide', text: DECIDE, values })
      return (rowCount ?? 0) > 0
    },
    vote: async ({ request, run, ballot, ballotNo, event }: NewVote) => {
      const { rowCount } = await pool.query({ name: 'toolwright.vote', text: VOTE, values: [request, run, ballot, ballotNo, event] })
      return rowCount !== 0
    },
    findRequest: async (id): Promise<FoundRequest | undefined> => {
      const { rows } = await pool.query<StoredApproval & { readonly is_over: boolean; readonly looked_at: Date }>(READ, [storable(id)])
      const [row] = rows
      return row === undefined ? undefined : { ...approvalOf(row), isOver: row.is_over, readAt: row.looked_at.getTime() }
    },
    listRequests: async ({ run, tool, assigneePrints, limit }: RequestFilter) => {
      const { rows } = await pool.query<StoredApproval>(LIST, [storableOrNull(run), storableOrNull(tool), assigneePrints ?? null, limit])
      return rows.map(approvalOf)
    },
    ask: async ({ id, path, tool, kind, request, timeoutMs }: NewRequest) => {
      await pool.query(ASK, [id, path, tool, kind, request, timeoutMs ?? null])
    },
    withdraw: async (id) => {
      await pool.query(WITHDRAW, [id])
    },
    assign: async (id, assignee) => {
      const { rowCount } = await pool.query(ASSIGN, [storable(id), assignee?.name ?? null, assignee?.print ?? null])
      return rowCount !== 0
    },
  }
}
