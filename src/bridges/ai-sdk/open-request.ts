import type { ReviewDecision, ReviewRequest } from '../../tool/review.ts'

/** A request that waits in a run for a decision. */
export class OpenRequest {
  readonly request: ReviewRequest
  /** Whether a person has been shown it: only then an approval of the call counts for it. */
  isShown = false
  /** What was decided about it ahead of the approval of the call. */
  prepared: ReviewDecision | undefined
  readonly #take: (decision: ReviewDecision) => void

  constructor(request: ReviewRequest, take: (decision: ReviewDecision) => void) {
    this.request = request
    this.#take = take
  }

  approve(): void {
    this.#take(this.prepared ?? (this.request.kind === 'approval' ? { action: 'continue' } : UNANSWERED))
  }

  reject(reason: string | undefined): void {
    this.#take({ action: 'reject', ...(reason === undefined ? {} : { reason }) })
  }
}

const UNANSWERED: ReviewDecision = { action: 'reject', reason: 'The call was approved, but the question was not answered.' }
