import { checkDecision } from '../review/auto-review.ts'
import type { ReviewDecision, ReviewHandler, ReviewRequest } from '../tool/review.ts'

type Scripted = ReviewDecision | ((request: ReviewRequest) => ReviewDecision)

/** A reviewer that follows a script and records its requests. */
export interface RecordingReview extends ReviewHandler {
  readonly requests: readonly ReviewRequest[]
}

/**
 * Gives the scripted decisions in order, the last one for ever; without a script it approves.
 * @example
 * const review = recordingReview({ action: 'reject' })
 * await gate(issueRefund).call({ orderId: 'o1', amount: 900 }, { review })
 * console.log(review.requests.length) // 1
 */
export function recordingReview(...script: readonly Scripted[]): RecordingReview {
  for (const decision of script) checkDecision(decision, 'recordingReview')
  const requests: ReviewRequest[] = []
  return {
    requests,
    review: (request) => {
      const decision = script[Math.min(requests.length, script.length - 1)] ?? { action: 'continue' }
      requests.push(request)
      return typeof decision === 'function' ? decision(request) : decision
    },
  }
}
