import { allRules, asJudged, identified, isJudged, objection, objectionToTenant, recordOf, type Reviewers, ruleOf } from '../deciders.ts'
import type { ReviewDecision, ReviewRequest } from '../review.ts'

interface Admission {
  readonly reviewers: Reviewers | undefined
  /** That of the handler. */
  readonly channel: string | undefined
}

/**
 * The decision of a handler, if its decider may make it; else there is none, and nothing runs. A refusal needs no permission to be safe, and keeps its reason:
 * nothing runs either way. An inbox has judged its decisions itself, and keeps a request open whose decider is refused: a handler that
 * answers once cannot.
 */
export async function admitDecision(
  decision: ReviewDecision,
  request: ReviewRequest,
  { reviewers, channel = 'handler' }: Admission,
): Promise<ReviewDecision> {
  if (isJudged(decision, request.id)) return decision
  const rule = ruleOf(request, reviewers)
  // Its permissions are those that the program gives.
  const decider = await identified(decision.by, reviewers, { channel, identity: decision.identity })
  const known = asJudged({ ...decision, ...recordOf(decider) }, request.id)
  if (decision.action === 'reject' || decision.action === 'stop') return known
  const rules = allRules(rule)
  const refused =
    objectionToTenant(request, decider, reviewers) ??
    rules.map((each) => objection(request, { rule: each, decider, action: decision.action })).find((each) => each !== undefined)
  if (refused !== undefined) return refusedBy(request, refused)
  const count = Math.max(1, ...rules.map((each) => each.count))
  if (count > 1)
    return refusedBy(
      request,
      `It needs ${count} ${decision.action === 'answer' ? 'equal answers' : 'approvals'}, and this reviewer gives one. Ask through an inbox, such as createInbox(), which counts them.`,
    )
  return known
}

function refusedBy({ id }: ReviewRequest, reason: string): ReviewDecision {
  return asJudged({ action: 'reject', cause: 'unreachable', reason: `The decision does not count. ${reason}` }, id)
}
