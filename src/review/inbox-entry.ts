import type { Clock } from '../tool/clock.ts'
import type { ReviewDecision, ReviewRequest } from '../tool/review.ts'
import { InboxError } from './inbox-error.ts'
import type { InboxItem } from './inbox-interface.ts'

const DONE: Readonly<Record<ReviewDecision['action'], string>> = {
  continue: 'approved it',
  edit: 'approved it with another input',
  answer: 'answered it',
  reject: 'rejected it',
  stop: 'stopped the run',
}

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
    const { id } = this.request
    if (this.#end === undefined) return undefined
    if ('withdrawn' in this.#end)
      return new InboxError('withdrawn', `Request '${id}' no longer waits for a decision: ${this.#end.withdrawn}`)
    const { decision } = this.#end
    const reason = 'reason' in decision && decision.reason !== undefined ? ` (${decision.reason})` : ''
    return new InboxError(
      'already_decided',
      `Request '${id}' is decided already: ${decision.by ?? 'somebody'} ${DONE[decision.action]}${reason}.`,
      decision,
    )
  }

  /** What to tell somebody whose decision is of the wrong kind. */
  misfit({ action }: ReviewDecision): InboxError | undefined {
    const { id, kind } = this.request
    if (kind === 'question' && (action === 'continue' || action === 'edit'))
      return new InboxError('invalid_answer', `Request '${id}' is a question: answer it, reject it or stop the run.`)
    if (kind === 'approval' && action === 'answer')
      return new InboxError('invalid_answer', `Request '${id}' asks for an approval: approve it, edit it, reject it or stop the run.`)
    return undefined
  }

  #close(end: End): void {
    this.#end = end
    this.#closedAt = this.#clock.now()
  }
}
