import type { Observer } from '../../tool/event.ts'
import type { ToolResult } from '../../tool/result.ts'
import type { ReviewDecision, ReviewHandler, ReviewRequest, ReviewWait } from '../../tool/review.ts'
import { Activity } from './activity.ts'

/** The end of a run: a result, or the reason of its rejection. */
export type RunEnd = { readonly result: ToolResult } | { readonly thrown: unknown }

export interface RunParts {
  /** Begins the call with these options. */
  readonly begin: (options: { readonly review: ReviewHandler; readonly signal: AbortSignal; readonly on: Observer }) => Promise<ToolResult>
  /** Decides without a person, where it can. */
  readonly decided?: ((request: ReviewRequest) => ReviewDecision | undefined) | undefined
  /** Asked once the first approval is there; without one, the run parks again. */
  readonly later?: ReviewHandler | undefined
  /** The call itself is approved, or needs no approval: `later` is asked from the start. */
  readonly isApproved?: boolean | undefined
}

/** One call of one tool that may outlive the request in which it began: at a gate it parks, and an approval continues it. */
export class ToolRun {
  /** The requests that wait for a decision, by id. */
  readonly open = new Map<string, OpenRequest>()
  end: RunEnd | undefined
  /** Nothing moves until a person decides. */
  isParked = false
  readonly #activity = new Activity(() => this.#look())
  readonly #controller = new AbortController()
  readonly #waiting = new Set<() => void>()
  readonly #parts: RunParts
  #isApproved: boolean
  #isDenied = false
  #isLooking = false
  #denial: string | undefined

  constructor(parts: RunParts) {
    this.#parts = parts
    this.#isApproved = parts.isApproved === true
    const isLater = (): boolean => this.#isApproved
    const review: ReviewHandler = {
      review: (request, wait) => this.#review(request, wait),
      get timeoutMs() {
        return isLater() ? parts.later?.timeoutMs : undefined
      },
    }
    void parts.begin({ review, signal: this.#controller.signal, on: this.#activity }).then(
      (result) => this.#finish({ result }),
      (thrown: unknown) => this.#finish({ thrown }),
    )
  }

  /** Waits until the run has ended or parked. */
  async settled(): Promise<void> {
    if (this.end !== undefined || this.isParked) return
    await new Promise<void>((resolve) => this.#waiting.add(resolve))
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
    this.#controller.abort(reason)
  }

  /** Approves what a person was shown, and nothing else. */
  approve(): void {
    this.#isApproved = true
    this.#resume(
      [...this.open.values()].filter(({ isShown }) => isShown),
      (each) => each.approve(),
    )
  }

  /** Rejects all that is open, and all that the run asks from now on. */
  deny(reason: string | undefined): void {
    this.#isDenied = true
    this.#denial = reason
    this.#resume([...this.open.values()], (each) => each.reject(reason))
  }

  #resume(requests: readonly OpenRequest[], decide: (request: OpenRequest) => void): void {
    this.isParked = false
    for (const each of requests) {
      this.open.delete(each.request.id)
      decide(each)
    }
    this.#look()
  }

  async #review(request: ReviewRequest, wait: ReviewWait): Promise<ReviewDecision> {
    if (this.#isDenied) return { action: 'reject', ...(this.#denial === undefined ? {} : { reason: this.#denial }) }
    const known = this.#parts.decided?.(request)
    if (known !== undefined) return known
    if (this.#isApproved && this.#parts.later !== undefined) return this.#parts.later.review(request, wait)
    return this.#park(request, wait)
  }

  #park(request: ReviewRequest, { signal }: ReviewWait): Promise<ReviewDecision> {
    return new Promise((resolve, reject) => {
      const withdrawn = (): void => {
        this.open.delete(request.id)
        reject(signal.reason as Error)
      }
      signal.addEventListener('abort', withdrawn, { once: true })
      const take = (decision: ReviewDecision): void => {
        signal.removeEventListener('abort', withdrawn)
        resolve(decision)
      }
      this.open.set(request.id, new OpenRequest(request, take))
      this.#look()
    })
  }

  /** Checks for stillness after all ready callbacks have run: a decided race withdraws its losers without an event. */
  #look(): void {
    if (this.#isLooking || this.end !== undefined) return
    this.#isLooking = true
    setImmediate(() =>
      setImmediate(() => {
        this.#isLooking = false
        this.isParked = this.end === undefined && this.open.size > 0 && this.#activity.isStill
        if (this.isParked) this.#tell()
      }),
    )
  }

  #finish(end: RunEnd): void {
    this.end = end
    this.isParked = false
    this.#tell()
  }

  #tell(): void {
    for (const resolve of this.#waiting) resolve()
    this.#waiting.clear()
  }
}

/** A request that waits in a run for a decision. */
export class OpenRequest {
  readonly request: ReviewRequest
  /** Whether a person has been shown it: only then an approval of the call counts for it. */
  isShown = false
  /** The decision that was prepared before the approval of the call. */
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
