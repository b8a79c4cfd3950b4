import type { Reviewers } from '../tool/deciders.ts'
import type { Observer } from '../tool/event.ts'
import type { Principal } from '../tool/principal.ts'
import type { ToolResult } from '../tool/result/result.ts'
import type { ReviewDecision, ReviewHandler, ReviewRequest, ReviewWait } from '../tool/review.ts'
import { approvalOf } from './approval-of.ts'
import { type CallEnd, ParkedCall } from './parked-call.ts'

export interface RunParts {
  /** Begins the call with these options. */
  readonly begin: (options: { readonly review: ReviewHandler; readonly signal: AbortSignal; readonly on: Observer }) => Promise<ToolResult>
  /** If it is aborted already, nothing of the call runs. */
  readonly signal?: AbortSignal | undefined
  /** Decides without a person, where it can. */
  readonly decided?: ((request: ReviewRequest) => ReviewDecision | undefined) | undefined
  /** Asked once the first approval is there, and for what needs several approvals; without one, the run parks again. */
  readonly later?: ReviewHandler | undefined
  /** The call itself is approved, or needs no approval: `later` is asked from the start. */
  readonly isApproved?: boolean | undefined
}

/** A request that waits in a run for a decision. */
export interface OpenRequest {
  readonly request: ReviewRequest
  /** Who may decide, where the program says so. */
  readonly reviewers: Reviewers | undefined
  /** The decision that was prepared before the approval of the call. */
  prepared: ReviewDecision | undefined
}

/** One call of one tool that may outlive the request in which it began: at a gate it parks, and an approval continues it. */
export class ToolRun {
  readonly #call: ParkedCall
  readonly #parts: RunParts
  readonly #open = new WeakMap<ReviewRequest, OpenRequest>()
  #isApproved: boolean
  #isWithdrawn: boolean
  #hasAsked = false
  /** Every request from now on is rejected. */
  #denial: ReviewDecision | undefined

  constructor(parts: RunParts) {
    this.#parts = parts
    this.#isApproved = parts.isApproved === true
    this.#isWithdrawn = parts.signal?.aborted === true
    const isLater = (): boolean => this.#isApproved
    this.#call = new ParkedCall(({ review: park, ...options }) => {
      const review: ReviewHandler = {
        review: (request, wait) => this.#review(request, wait, park),
        get timeoutMs() {
          return isLater() ? parts.later?.timeoutMs : undefined
        },
        channel: parts.later?.channel,
      }
      return parts.begin({ ...options, review })
    }, parts)
  }

  get end(): CallEnd | undefined {
    return this.#call.end
  }

  /** It was cancelled before it had ended. */
  get isWithdrawn(): boolean {
    return this.#isWithdrawn
  }

  /** It has made a request. */
  get hasAsked(): boolean {
    return this.#hasAsked
  }

  /** Nothing moves until a person decides. */
  get isParked(): boolean {
    return this.#call.isParked
  }

  /** The requests that wait for a decision. */
  get open(): readonly OpenRequest[] {
    return this.#call.requests.flatMap((request) => this.#open.get(request) ?? [])
  }

  /** Somebody comes back for the run: it goes on with those of its permissions that they have now. */
  calledBy(principal: Principal | undefined): void {
    this.#call.calledBy(() => principal)
  }

  /** Waits until the run has ended or parked. */
  settled(): Promise<void> {
    return this.#call.settled()
  }

  /** Cancels the run when the signal is aborted; the returned function ends that. */
  follow(signal: AbortSignal | undefined): () => void {
    if (signal === undefined) return () => {}
    const abort = (): void => this.withdraw(signal.reason)
    if (signal.aborted) abort()
    else signal.addEventListener('abort', abort, { once: true })
    return () => signal.removeEventListener('abort', abort)
  }

  /** Cancels the run; its open requests are withdrawn. */
  withdraw(reason: unknown): void {
    this.#isWithdrawn ||= this.end === undefined
    this.#call.cancel(reason)
  }

  /** Approves what a person was shown, by the ids of the requests, and nothing else. */
  approve(shown: ReadonlySet<string>): void {
    for (const { request, prepared } of this.open) {
      if (!shown.has(request.id)) continue
      this.#isApproved = true
      this.#call.decide(request.id, prepared ?? approvalOf(request))
    }
  }

  /** Rejects all that is open, and all that the run asks from now on. */
  deny(reason: string | undefined): void {
    const denial: ReviewDecision = { action: 'reject', ...(reason === undefined ? {} : { reason }) }
    this.#denial = denial
    for (const { id } of this.#call.requests) this.#call.decide(id, denial)
  }

  async #review(request: ReviewRequest, wait: ReviewWait, park: ReviewHandler): Promise<ReviewDecision> {
    this.#hasAsked = true
    if (this.#denial !== undefined) return this.#denial
    const known = this.#parts.decided?.(request)
    if (known !== undefined) return known
    const { later } = this.#parts
    // A conversation gives one approval. Several are counted by an inbox, from the start.
    const needsInbox = (request.deciders?.count ?? 1) > 1 && later?.counts === true
    if (later !== undefined && (this.#isApproved || needsInbox)) return later.review(request, wait)
    this.#open.set(request, { request, reviewers: wait.reviewers, prepared: undefined })
    return park.review(request, wait)
  }
}
