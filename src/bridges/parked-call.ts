import type { Observer } from '../tool/event.ts'
import type { Principal } from '../tool/principal.ts'
import { followCaller } from '../tool/returning-caller.ts'
import type { ToolResult } from '../tool/result/result.ts'
import type { ReviewDecision, ReviewHandler, ReviewRequest, ReviewWait } from '../tool/review.ts'
import { Activity } from './activity.ts'

/** The end of a call: its result, or the reason of its rejection. */
export type CallEnd = { readonly result: ToolResult } | { readonly thrown: unknown }

/** The state of a parked call: it has ended, or it waits for people. */
export type Stop = { readonly result: ToolResult } | { readonly requests: readonly ReviewRequest[] }

/** The options that the call must begin with. */
export interface ParkedOptions {
  readonly review: ReviewHandler
  readonly signal: AbortSignal
  /** With this listener, the call parks when all of it waits for people; without it, at the first open request. */
  readonly on: Observer
}

interface Watch {
  /** Called when the call has ended, by a result or by a rejection. */
  readonly onOver?: (() => void) | undefined
  /** If it is aborted already, nobody wants the call any more: it begins cancelled, and nothing of it runs. */
  readonly signal?: AbortSignal | undefined
}

interface OpenRequest {
  readonly request: ReviewRequest
  readonly decide: (decision: ReviewDecision) => void
}

const NOBODY: (() => void)[] = []

/** A call that stops wherever a person is needed, and goes on when they have decided. For bridges that cannot wait inside one request. */
export class ParkedCall {
  end: CallEnd | undefined
  readonly #controller = new AbortController()
  readonly #onOver: (() => void) | undefined
  // Most calls ask nobody: they make nothing of this.
  #activity: Activity | undefined
  #open: Map<string, OpenRequest> | undefined
  #waiting: (() => void)[] = NOBODY
  #isStill = false
  #isLooking = false

  constructor(begin: (options: ParkedOptions) => Promise<ToolResult>, { onOver, signal }: Watch = {}) {
    this.#onOver = onOver
    if (signal?.aborted === true) this.#controller.abort(signal.reason)
    const review = (request: ReviewRequest, wait: ReviewWait): Promise<ReviewDecision> => this.#park(request, wait)
    const activity = (): Activity => (this.#activity ??= new Activity(() => this.#look()))
    const options: ParkedOptions = {
      review: { review },
      signal: this.#controller.signal,
      get on() {
        return activity()
      },
    }
    void begin(options).then(
      (result) => this.#finish({ result }),
      (thrown: unknown) => this.#finish({ thrown }),
    )
  }

  /** Nothing moves until a person decides. */
  get isParked(): boolean {
    return this.end === undefined && this.#isStill && this.#open !== undefined && this.#open.size > 0
  }

  /** The requests that wait for a decision. */
  get requests(): readonly ReviewRequest[] {
    return this.#open === undefined ? [] : Array.from(this.#open.values(), ({ request }) => request)
  }

  /** Somebody comes back for the call: it goes on with those of its permissions that they have now. */
  calledBy(caller: () => Principal | undefined): void {
    followCaller(this.#controller.signal, caller)
  }

  /** False where no such request is open: it was decided, withdrawn, or never made. */
  decide(id: string, decision: ReviewDecision): boolean {
    const open = this.#open?.get(id)
    if (open === undefined) return false
    this.#open?.delete(id)
    this.#isStill = false
    open.decide(decision)
    this.#look()
    return true
  }

  /** Cancels the call; its open requests are withdrawn. */
  cancel(reason?: unknown): void {
    this.#isStill = false
    this.#controller.abort(reason)
    this.#look()
  }

  /** Waits until the call has ended or parked. */
  settled(): Promise<void> {
    if (this.end !== undefined || this.isParked) return Promise.resolve()
    return new Promise((resolve) => {
      if (this.#waiting === NOBODY) this.#waiting = [resolve]
      else this.#waiting.push(resolve)
    })
  }

  /** Waits for the end or for people. Requests that are made at the same time are given together. Rejects when the call rejects. */
  async nextStop(): Promise<Stop> {
    await this.settled()
    if (this.end === undefined) return { requests: this.requests }
    if ('thrown' in this.end) throw this.end.thrown
    return this.end
  }

  #park(request: ReviewRequest, { signal }: ReviewWait): Promise<ReviewDecision> {
    return new Promise((resolve, reject) => {
      const withdraw = (): void => {
        this.#open?.delete(request.id)
        this.#look()
        reject(signal.reason as Error)
      }
      signal.addEventListener('abort', withdraw, { once: true })
      const decide = (decision: ReviewDecision): void => {
        signal.removeEventListener('abort', withdraw)
        resolve(decision)
      }
      this.#open ??= new Map()
      this.#open.set(request.id, { request, decide })
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
        this.#isStill = this.#activity?.isStill ?? true
        if (this.isParked) this.#wake()
      }),
    )
  }

  #finish(end: CallEnd): void {
    this.end = end
    this.#onOver?.()
    this.#wake()
  }

  #wake(): void {
    const waiting = this.#waiting
    this.#waiting = NOBODY
    for (const resolve of waiting) resolve()
  }
}
