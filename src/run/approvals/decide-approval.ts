import { InboxError } from '../../review/inbox-error.ts'
import type { InboxItem } from '../../review/inbox.ts'
import { misfit, refusal } from '../../review/inbox-error.ts'
import type { JsonData } from '../../tool/journal/codec.ts'
import type { ReviewDecision } from '../../tool/review.ts'
import { inApproval, inEntry } from '../journal/place.ts'
import type { StoredReview } from '../journal/read-journal.ts'
import type { RunsContext } from '../runs-context.ts'
import { itemOf } from './inbox-item.ts'

/**
 * Records a decision and lets its run go on: the first decision counts, and a decision that counts is never lost. Throws an `InboxError` where
 * it does not count.
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
  return { ...item, status: 'decided', decision, closedAt: context.store.clock.now() }
}

interface OpenItem {
  readonly item: InboxItem
  /** By the time of the store, which is that of the run. */
  readonly readAt: number
}

/** The request, if it can be decided; else throws an `InboxError` that says why not. */
export async function openItem({ store, values }: RunsContext, id: string): Promise<OpenItem> {
  const row = await store.findRequest(id)
  if (row === undefined) throw new InboxError('unknown_request', `No request '${id}' is known here. It may have been closed long ago.`)
  const item = itemOf(row, values)
  const refused = row.isOver && row.decision === null ? refusal({ ...item, status: 'withdrawn' }, 'Its run was cancelled.') : refusal(item)
  if (refused !== undefined) throw refused
  return { item, readAt: row.readAt }
}

/** False where it does not count any more. */
function record({ store, values }: RunsContext, { item, readAt }: OpenItem, decision: ReviewDecision): Promise<boolean> {
  const { run, request, requestedAt: at } = item
  const stored: StoredReview = { request, at, decision, decidedAt: readAt }
  return store.decide({
    request: request.id,
    run: run ?? null,
    path: request.path,
    decision: values.seal(decision as unknown as JsonData, inApproval(run ?? null, request.id, 'decision')),
    entry: values.seal(stored as unknown as JsonData, inEntry(run ?? '', request.path, 'data')),
  })
}
