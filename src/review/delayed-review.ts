import { type Duration, toMilliseconds } from '../tool/duration.ts'
import type { ReviewHandler } from '../tool/review.ts'
import { autoReview, type AutomaticDecision } from './auto-review.ts'
import { pause } from './pause.ts'

export interface DelayedReviewOptions {
  /** How long somebody has to cancel the call. */
  readonly after: Duration
  /** Approval by default. */
  readonly decision?: AutomaticDecision | undefined
}

/**
 * Decides without a person, but only after a delay in which the call can still be cancelled.
 * @example
 * const review = delayedReview({ after: '30s' })
 */
export function delayedReview({ after, decision }: DelayedReviewOptions): ReviewHandler {
  const ms = toMilliseconds(after, 'The delay of a review')
  const auto = autoReview(decision)
  return {
    ...auto,
    review: async (request, wait) => {
      await pause(ms, wait)
      return auto.review(request, wait)
    },
  }
}
