import type { ClientBase } from 'pg'
import { InboxError } from '../review/inbox-error.ts'
import { misfit, refusal } from '../review/inbox-refusal.ts'
import type { InboxItem } from '../review/inbox-interface.ts'
import type { JsonData } from '../tool/journal/codec.ts'
import type { ReviewDecision } from '../tool/review.ts'
import { type ApprovalRow, itemOf } from './approval-row.ts'
import type { StoredReview } from './revive-entry.ts'
import type { RunsContext } from './runs-context.ts'
import { lockRun, wakeRun } from './wake-run.ts'

/**
 * Records a decision and lets its run go on, in one transaction: the first decision counts, and a decision that counts is never lost.
 * Throws an `InboxError` where it does not count.
 */
export async function decideApproval(context: RunsContext, id: string, decision: ReviewDecision): Promise<InboxItem> {
  context.reach('review.deciding')
  const item = await context.store.transaction((client) => record(context, client, { id, decision }))
  context.reach('review.decided')
  return item
}

interface Deciding {
  readonly id: string
  readonly decision: ReviewDecision
}

async function record(context: RunsContext, client: ClientBase, { id, decision }: Deciding): Promise<InboxItem> {
  const { values } = context
  const owner = await client.query<{ run: string | null }>('SELECT run FROM toolwright.approval WHERE id = $1', [id])
  const run = owner.rows[0]?.run ?? undefined
  const locked = run === undefined ? undefined : await lockRun(client, run)
  const { rows } = await client.query<ApprovalRow>('SELECT * FROM toolwright.approval WHERE id = $1 FOR UPDATE', [id])
  const [row] = rows
  if (row === undefined) throw new InboxError('unknown_request', `No request '${id}' is known here. It may have been closed long ago.`)
  const item = itemOf(row, values)
  const refused = refusal(item) ?? misfit(item.request, decision)
  if (refused !== undefined) throw refused
  await client.query("UPDATE toolwright.approval SET status = 'decided', decision = $2, closed_at = now() WHERE id = $1", [
    id,
    values.seal(decision as unknown as JsonData),
  ])
  await client.query("SELECT pg_notify('toolwright', $1)", [`decided ${id}`])
  if (locked !== undefined) {
    await writeDecision(context, client, { run: locked.id, item, decision })
    await wakeRun(context, client, locked)
  }
  return { ...item, status: 'decided', decision, closedAt: Date.now() }
}

interface Decided {
  readonly run: string
  readonly item: InboxItem
  readonly decision: ReviewDecision
}

async function writeDecision({ values }: RunsContext, client: ClientBase, { run, item, decision }: Decided): Promise<void> {
  const { request, requestedAt: at } = item
  const stored: StoredReview = { request, at, decision }
  const text = values.seal(stored as unknown as JsonData)
  await client.query(
    `UPDATE toolwright.entry SET data = $3, ended_no = nextval('toolwright.moment'), ended_at = clock_timestamp() WHERE run = $1 AND path = $2`,
    [run, request.path, text],
  )
}
