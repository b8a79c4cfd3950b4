import type { ReviewDecision, ReviewRequest } from '../tool/review.ts'

/** An approval is no answer, and no rejection either: nobody is quoted, and a durable question stays open. */
const UNANSWERED: ReviewDecision = {
  action: 'reject',
  cause: 'unreachable',
  reason: 'The call was approved, but the question was not answered: it needs an answer, and not an approval.',
}

/** What the approval of a call decides about one of the requests that it answers. */
export function approvalOf({ kind }: ReviewRequest): ReviewDecision {
  return kind === 'approval' ? { action: 'continue' } : UNANSWERED
}
