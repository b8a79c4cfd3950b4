import type { Clock } from '../tool/clock.ts'
import type { ReviewDecision, ReviewRequest } from '../tool/review.ts'
import type { InboxError } from './inbox-error.ts'
import type { InboxItem } from './inbox-interface.ts'
import { misfit, refusal } from './inbox-refusal.ts'

type End = { readonly decision: ReviewDecision } | { readonly withdrawn: string }

/** One request in an inbox, from the first asking to its end. */
export class InboxEntry {
  readonly request: ReviewRequest
  /** Those who wait for the decision: more than one where a recorded run was taken up again while its request was open. */
  readonly waiting = new Set<(decision: ReviewDecision) => void>()
  assignee: string | undefined
  readonly #clock: Clock
  readonly #requestedAt: number
  #closedAt: number | undefined
  #end: End | undefined

  constructor(request: ReviewRequest, clock: Clock) {
    this.request = request
    this.#clock = clock
    this.#requestedAt = clock.now()
  }

  get item(): InboxItem {
    const decision = this.#end !== undefined && 'decision' in this.#end ? this.#end.decision : undefined
    return {
      request: this.request,
      status: this.#end === undefined ? 'open' : decision === undefined ? 'withdrawn' : 'decided',
      requestedAt: this.#requestedAt,
      ...(this.assignee === undefined ? {} : { assignee: this.assignee }),
      ...(decision === undefined ? {} : { decision }),
      ...(this.#closedAt === undefined ? {} : { closedAt: this.#closedAt }),
    }
  }

  decide(decision: ReviewDecision): void {
    this.#close({ decision })
    for (const take of this.waiting) take(decision)
    this.waiting.clear()
  }

  withdraw(reason: string): void {
    this.#close({ withdrawn: reason })
  }

  /** What to tell somebody who comes too late; undefined while it is open. */
  get refusal(): InboxError | undefined {
    return refusal(this.item, this.#end !== undefined && 'withdrawn' in this.#end ? this.#end.withdrawn : undefined)
  }

  /** What to tell somebody whose decision is of the wrong kind. */
  misfit(decision: ReviewDecision): InboxError | undefined {
    return misfit(this.request, decision)
  }

  #close(end: End): void {
    this.#end = end
    this.#closedAt = this.#clock.now()
  }
}
