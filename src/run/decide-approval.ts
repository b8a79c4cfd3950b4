import type { InboxItem } from '../review/inbox.ts'
import { InboxError, misfit, refusal } from '../review/inbox-error.ts'
import type { JsonData } from '../tool/journal/codec.ts'
import type { ReviewDecision } from '../tool/review.ts'
import { type ApprovalRow, itemOf } from './approval-row.ts'
import { AS_QUEUED, CHANGED, SEND_JOBS, TELL_QUEUED } from './queue-runs.ts'
import type { StoredReview } from './revive-entry.ts'
import type { RunsContext } from './runs-context.ts'
import { storable } from './storable.ts'
import { storedPath } from './stored-path.ts'

/**
 * Records a decision and lets its run go on, in one statement: the first decision counts, and a decision that counts is never lost.
 * Throws an `InboxError` where it does not count.
 */
export async function decideApproval(context: RunsContext, id: string, decision: ReviewDecision): Promise<InboxItem> {
  context.reach('review.deciding')
  const open = await openItem(context, id)
  const { item } = open
  const refused = misfit(item.request, decision)
  if (refused !== undefined) throw refused
  if (!(await record(context, open, decision))) {
    await openItem(context, id)
    throw new InboxError('withdrawn', `Request '${id}' no longer waits for a decision: Its run is changing. Look at it again.`)
  }
  context.reach('review.decided')
  return { ...item, status: 'decided', decision, closedAt: Date.now() }
}

/** What a cancelled run asked before is not decided any more: nobody would read it. What is being undone may still ask. */
const IS_OVER = `r.cancel IS NOT NULL AND position('/undo.' IN a.path) = 0`

const READ = `
SELECT a.*, coalesce(${IS_OVER}, false) AS is_over, clock_timestamp() AS looked_at FROM toolwright.approval a LEFT JOIN toolwright.run r ON r.id = a.run WHERE a.id = $1`

interface OpenItem {
  readonly item: InboxItem
  /** By the clock of the database, which is that of the run. */
  readonly lookedAt: number
}

/** The request, if it can be decided; else throws an `InboxError` that says why not. */
export async function openItem({ store, values }: RunsContext, id: string): Promise<OpenItem> {
  const { rows } = await store.pool.query<ApprovalRow & { readonly is_over: boolean; readonly looked_at: Date }>(READ, [storable(id)])
  const [row] = rows
  if (row === undefined) throw new InboxError('unknown_request', `No request '${id}' is known here. It may have been closed long ago.`)
  const item = itemOf(row, values)
  const refused = row.is_over && row.decision === null ? refusal({ ...item, status: 'withdrawn' }, 'Its run was cancelled.') : refusal(item)
  if (refused !== undefined) throw refused
  return { item, lookedAt: row.looked_at.getTime() }
}

/** The run's row is held first, by everybody who changes the run or its requests. What was decided is numbered before what follows from it. */
const DECIDE = `
WITH held AS MATERIALIZED (
  SELECT r.id, r.status, r.cancel FROM toolwright.run r WHERE r.id = $2 FOR UPDATE
), decided AS (
  UPDATE toolwright.approval a SET status = 'decided', decision = $3, closed_at = now()
  WHERE a.id = $1 AND a.status = 'open' AND ($2::text IS NULL OR EXISTS (SELECT FROM held r WHERE NOT (${IS_OVER})))
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
UNION ALL SELECT pg_notify('toolwright', 'woken ' || id)::text FROM held WHERE status = 'running' AND EXISTS (SELECT FROM decided)`

/** False where it does not count any more. */
async function record({ store, values }: RunsContext, { item, lookedAt }: OpenItem, decision: ReviewDecision): Promise<boolean> {
  const { run, request, requestedAt: at } = item
  const stored: StoredReview = { request, at, decision, decidedAt: lookedAt }
  const { rowCount } = await store.pool.query({
    name: 'toolwright.decide',
    text: DECIDE,
    values: [
      request.id,
      run ?? null,
      values.seal(decision as unknown as JsonData),
      values.seal(stored as unknown as JsonData),
      storedPath(request.path).path,
    ],
  })
  return (rowCount ?? 0) > 0
}
