import type { ToolResult } from '../tool/result.ts'
import type { ReviewDecision, ReviewHandler, ReviewRequest, ReviewWait } from '../tool/review.ts'

/** The state of a parked call: it has ended, or it waits for people. */
export type Stop = { readonly result: ToolResult } | { readonly requests: readonly ReviewRequest[] }

/** The options that the call must begin with. */
export interface ParkedOptions {
  readonly review: ReviewHandler
  readonly signal: AbortSignal
}

interface OpenRequest {
  readonly request: ReviewRequest
  readonly decide: (decision: ReviewDecision) => void
}

/** A call that stops wherever a person is needed, and goes on when they have decided. For bridges that cannot wait inside one request. */
export class ParkedCall {
  readonly #controller = new AbortController()
  readonly #open = new Map<string, OpenRequest>()
  readonly #ended: Promise<Stop>
  #asked = Promise.withResolvers<void>()

  constructor(begin: (options: ParkedOptions) => Promise<ToolResult>) {
    const review = (request: ReviewRequest, wait: ReviewWait): Promise<ReviewDecision> => this.#park(request, wait)
    this.#ended = begin({ review: { review }, signal: this.#controller.signal }).then((result) => ({ result }))
    // `nextStop` rejects too; without a caller of it, the rejection must not be unhandled.
    this.#ended.catch(() => {})
  }

  /** Resolves when the call has ended, however it did. */
  get over(): Promise<void> {
    return this.#ended.then(
      () => {},
      () => {},
    )
  }

  get requests(): readonly ReviewRequest[] {
    return Array.from(this.#open.values(), ({ request }) => request)
  }

  /** False where no such request is open: it was decided, withdrawn, or never made. */
  decide(id: string, decision: ReviewDecision): boolean {
    const open = this.#open.get(id)
    if (open === undefined) return false
    this.#open.delete(id)
    open.decide(decision)
    return true
  }

  cancel(reason?: unknown): void {
    this.#controller.abort(reason)
  }

  /** Waits for the end or for people. Requests that are made at the same time are given together. Rejects when the call rejects. */
  async nextStop(): Promise<Stop> {
    for (;;) {
      const ended = await Promise.race([this.#ended, this.#asked.promise])
      if (ended !== undefined) return ended
      await new Promise((resolve) => setImmediate(resolve))
      if (this.#open.size > 0) return { requests: this.requests }
      this.#asked = Promise.withResolvers()
    }
  }

  #park(request: ReviewRequest, { signal }: ReviewWait): Promise<ReviewDecision> {
    return new Promise((resolve) => {
      this.#open.set(request.id, { request, decide: resolve })
      signal.addEventListener('abort', () => this.#open.delete(request.id), { once: true })
      this.#asked.resolve()
    })
  }
}
