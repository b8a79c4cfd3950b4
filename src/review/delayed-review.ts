import { type Duration, toMilliseconds } from '../tool/duration.ts'
import type { ReviewHandler } from '../tool/review.ts'
import { autoReview, type AutomaticDecision } from './auto-review.ts'
import { pause } from './pause.ts'
import { checkOptionNames, optionNames } from '../tool/option-names.ts'

/** The options of `delayedReview`. */
export interface DelayedReviewOptions {
  /** How long somebody has to cancel the call. */
  readonly after: Duration
  /** Approval by default. */
  readonly decision?: AutomaticDecision | undefined
}

const NAMES = optionNames<DelayedReviewOptions>({ after: true, decision: true })

/**
 * Decides without a person, but only after a delay in which the call can still be cancelled.
 * @example
 * const review = delayedReview({ after: '30s' })
 */
export function delayedReview(options: DelayedReviewOptions): ReviewHandler {
  checkOptionNames(options, NAMES, 'The options of delayedReview')
  const { after, decision } = options
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
