import { isDeepStrictEqual } from 'node:util'
import type { Cast } from '../../review/ballot.ts'
import { castVote } from '../../review/cast-vote.ts'
import { InboxError, refusal } from '../../review/inbox-error.ts'
import type { InboxItem } from '../../review/inbox.ts'
import { type Decider, type Hearing, identified, type Identified, isJudged } from '../../tool/deciders.ts'
import { decisionOnTimeout } from '../../tool/engine/request-review.ts'
import type { JsonData } from '../../tool/journal/codec.ts'
import { lostInJson } from '../../tool/lost-in-json.ts'
import type { ReviewDecision, ReviewRequest } from '../../tool/review.ts'
import { inApproval, inEntry, inEvent } from '../journal/place.ts'
import type { StoredReview } from '../journal/read-journal.ts'
import type { RunsContext } from '../runs-context.ts'
import { itemOf } from './inbox-item.ts'
import { outcomeIssues } from './outcome-issues.ts'

export interface Deciding extends Omit<Hearing, 'identity'> {
  readonly decision: ReviewDecision
  readonly by: Decider | undefined
  /** The edition of the input that the decider has seen. */
  readonly edition?: number | undefined
}

/** Others may vote in between; not so often in a row. */
const MOST_LOOKS = 20

/**
 * Records a decision and lets its run go on, or records a vote where a request needs several. The first decision counts, and a decision or a
 * vote that counts is never lost. Throws an `InboxError` where it does not count.
 */
export async function decideApproval(context: RunsContext, id: string, deciding: Deciding): Promise<InboxItem> {
  context.reach('review.deciding')
  const { decision, by, channel, user } = deciding
  checkKept(id, decision)
  // The name in a decision of a handler may have been authenticated on its way, as by a signature.
  const heard = { channel, user, identity: decision.identity }
  const decider = isJudged(decision, id) ? undefined : await identified(by, context.reviewers, heard)
  for (let look = 0; look < MOST_LOOKS; look++) {
    const open = await openItem(context, id)
    const byTime = decisionOnTimeout(open.item.request)
    if (isLate(open) && !isJudged(decision, id) && !isDeepStrictEqual(decision, byTime)) {
      // No worker has looked at the time yet. The next look finds this decision.
      await record(context, open, { decision: byTime })
      continue
    }
    const cast = counted(context, open, { ...deciding, decider })
    if (decision.action === 'answer' && !isJudged(decision, id)) await checkOutcome(context, open.item.request, decision.value)
    if (!(await record(context, open, cast))) continue
    context.reach('review.decided')
    const { item } = open
    return 'ballot' in cast
      ? { ...item, ballot: cast.ballot }
      : { ...item, status: 'decided', decision: cast.decision, closedAt: context.store.clock.now() }
  }
  throw new InboxError('withdrawn', `Request '${id}' no longer waits for a decision: Its run is changing. Look at it again.`)
}

/** What runs is what was recorded: it must be what the decider wrote. */
function checkKept(id: string, decision: ReviewDecision): void {
  const lost = lostInJson(decision)
  if (lost === undefined) return
  throw new InboxError('invalid_answer', `Request '${id}' stays open: a decision is kept as JSON, which cannot hold ${lost}.`)
}

async function checkOutcome(context: RunsContext, request: ReviewRequest, word: unknown): Promise<void> {
  const issues = await outcomeIssues(context, request, word)
  if (issues === undefined) return
  throw new InboxError(
    'invalid_answer',
    `The result does not fit the output of '${request.tool}', and request '${request.id}' stays open: ${issues}`,
  )
}

function isLate({ item: { request, requestedAt }, readAt }: OpenItem): boolean {
  return request.timeoutMs !== undefined && readAt >= requestedAt + request.timeoutMs
}

/** A decision by the time that was set, or one that another inbox has judged, counts as it is. */
function counted(
  { reviewers }: RunsContext,
  { item, readAt: at }: OpenItem,
  { decision, decider, edition }: Pick<Deciding, 'decision' | 'edition'> & { readonly decider: Identified | undefined },
): Cast {
  return isJudged(decision, item.request.id) ? { decision } : castVote(item, { decision, decider, edition, at, reviewers })
}

interface OpenItem {
  readonly item: InboxItem
  /** By the time of the store, which is that of the run. */
  readonly readAt: number
  /** Rises with every vote. */
  readonly ballotNo: number
}

/** The request, if it can be decided; else throws an `InboxError` that says why not. */
export async function openItem({ store, values }: RunsContext, id: string): Promise<OpenItem> {
  const row = await store.findRequest(id)
  if (row === undefined) throw new InboxError('unknown_request', `No request '${id}' is known here. It may have been closed long ago.`)
  const item = itemOf(row, values)
  const refused = row.isOver && row.decision === null ? refusal({ ...item, status: 'withdrawn' }, 'Its run was cancelled.') : refusal(item)
  if (refused !== undefined) throw refused
  return { item, readAt: row.readAt, ballotNo: row.ballotNo }
}

/** False where it does not count any more. */
function record({ store, values }: RunsContext, { item, readAt, ballotNo }: OpenItem, cast: Cast): Promise<boolean> {
  const { run, request, requestedAt: at } = item
  const { id, path } = request
  if ('ballot' in cast) {
    const ballot = values.seal(cast.ballot as unknown as JsonData, inApproval(run ?? null, id, 'ballot'))
    // The ballot holds what was answered, sealed and masked by its schema.
    const { value: _answer, ...last } = cast.ballot.votes.at(-1) ?? {}
    const vote = { path, ...last }
    const event = values.seal(vote as unknown as JsonData, inEvent(run ?? '', 'review.voted'))
    return store.vote({ request: id, run: run ?? null, ballot, ballotNo, event })
  }
  const { decision } = cast
  const stored: StoredReview = { request, at, decision, decidedAt: readAt }
  return store.decide({
    request: id,
    run: run ?? null,
    path,
    decision: values.seal(decision as unknown as JsonData, inApproval(run ?? null, id, 'decision')),
    entry: values.seal(stored as unknown as JsonData, inEntry(run ?? '', path, 'data')),
    ballotNo,
  })
}
