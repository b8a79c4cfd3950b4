import type { ReviewDecision } from '../tool/review.ts'

/**
 * Why a decision was refused: nothing is known of the request, somebody else was first, the call no longer waits,
 * or the decision does not fit the request, which then stays open.
 */
export type InboxErrorCode = 'unknown_request' | 'already_decided' | 'withdrawn' | 'invalid_answer'

/** Tells the person at an inbox why their decision does not count. */
export class InboxError extends Error {
  override readonly name = 'InboxError'
  readonly code: InboxErrorCode
  /** The decision that was first, where there is one. */
  readonly decision: ReviewDecision | undefined

  constructor(code: InboxErrorCode, message: string, decision?: ReviewDecision) {
    super(message)
    this.code = code
    this.decision = decision
  }
}
