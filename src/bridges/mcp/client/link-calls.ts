import type { AsyncLocalStorage } from 'node:async_hooks'
import type { ToolContext } from '../../../tool/context.ts'
import type { Clock } from '../../../tool/ports/clock.ts'

type RequestId = string | number

/** A call under way, as far as the server may ask its caller. */
export interface AskingCall {
  readonly context: ToolContext
  questions: number
  /** The requests of the call that the server has not answered. */
  readonly unanswered: Set<RequestId>
}

/** A server that is told that a call has ended need not answer it. After so long it asks nothing about it any more. */
const LEFT_MS = 10 * 60_000
/** It is enough to know that there are some. */
const MOST_LEFT = 1000

/**
 * The calls on one connection. A call that has ended here without an answer (its deadline, a cancellation) may still be under way there, and the server
 * may still ask about it: it counts until its answer comes.
 */
export class LinkCalls {
  readonly #way: AsyncLocalStorage<AskingCall>
  readonly #clock: Clock
  readonly #open = new Set<AskingCall>()
  /** The requests that are left behind, and how long they count. */
  readonly #left = new Map<RequestId, number>()

  constructor(way: AsyncLocalStorage<AskingCall>, clock: Clock) {
    this.#way = way
    this.#clock = clock
  }

  begin(call: AskingCall): void {
    this.#open.add(call)
  }

  end(call: AskingCall): void {
    this.#open.delete(call)
    for (const id of call.unanswered) this.#left.set(id, this.#clock.tick() + LEFT_MS)
    for (const id of this.#left.keys()) {
      if (this.#left.size <= MOST_LEFT) return
      this.#left.delete(id)
    }
  }

  /** A request goes out; it belongs to the call that sends it. */
  sent(id: RequestId): void {
    this.#way.getStore()?.unanswered.add(id)
  }

  /** The server has answered a request, or it did not reach it. */
  answered(id: RequestId): void {
    this.#left.delete(id)
    for (const { unanswered } of this.#open) unanswered.delete(id)
  }

  isOpen(call: AskingCall): boolean {
    return this.#open.has(call)
  }

  /** The only call that the server can be at work on. */
  get only(): AskingCall | undefined {
    const now = this.#clock.tick()
    for (const [id, until] of this.#left) if (until <= now) this.#left.delete(id)
    const [only] = this.#open
    return this.#open.size === 1 && this.#left.size === 0 ? only : undefined
  }
}
