import type { AsyncLocalStorage } from 'node:async_hooks'
import type { ToolContext } from '../../../tool/context.ts'
import type { Clock } from '../../../tool/ports/clock.ts'
import { principalKey } from '../../../tool/principal-key.ts'

type RequestId = string | number

/** The decision about a request of a server, as its form wants it. */
export interface DecidedRequest {
  /** That of the request. */
  readonly id: string
  readonly content: Readonly<Record<string, string>>
}

/** A call under way, as far as the server may ask its caller. */
export interface AskingCall {
  readonly context: ToolContext
  /** To send it twice does no harm. */
  readonly mayRepeat: boolean
  /** What a person has decided before about one request there. It is recorded, so that the call may bring it in a step of a durable run. */
  readonly decided?: DecidedRequest | undefined
  /** Whether the server has asked for that decision. */
  isBrought: boolean
  questions: number
  /** Why a question of the server was not decided here. */
  undecided: string | undefined
  /** The status of a denial that does not show that it came before the call was looked at. */
  denial: number | undefined
  /** The requests of the call that the server has not answered. */
  readonly unanswered: Set<RequestId>
}

/**
 * A server that is told that a call has ended need not answer it. After so long its questions may only reach another call of the same caller, who is
 * told which call they may be about.
 */
const LEFT_MS = 10 * 60_000
/** It is enough to know that there are some. */
const MOST_LEFT = 1000

/** A request that the server has not answered, of a call that has ended here. */
interface LeftBehind {
  readonly tool: string
  readonly until: number
  readonly caller: string | undefined
}

/**
 * The calls on one connection. A call that has ended here without an answer (its deadline, a cancellation) may still be under way there, and the server
 * may still ask about it: it counts until its answer comes. After a while it
 * counts for other callers only: nobody is asked a question that may be about the call of somebody else.
 */
export class LinkCalls {
  readonly #way: AsyncLocalStorage<AskingCall>
  readonly #clock: Clock
  readonly #open = new Set<AskingCall>()
  readonly #left = new Map<RequestId, LeftBehind>()
  /** There were more than can be remembered. */
  #isForgetful = false

  constructor(way: AsyncLocalStorage<AskingCall>, clock: Clock) {
    this.#way = way
    this.#clock = clock
  }

  begin(call: AskingCall): void {
    this.#open.add(call)
  }

  end(call: AskingCall): void {
    this.#open.delete(call)
    const left: LeftBehind = { tool: call.context.tool, until: this.#clock.tick() + LEFT_MS, caller: callerOf(call) }
    for (const id of call.unanswered) this.#left.set(id, left)
    for (const id of this.#left.keys()) {
      if (this.#left.size <= MOST_LEFT) return
      this.#left.delete(id)
      this.#isForgetful = true
    }
  }

  /** The call that is under way where this is asked. */
  get current(): AskingCall | undefined {
    return this.#way.getStore()
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

  /** The call that brings the decision about a request. The form names the request, so that no other call can be meant. */
  bringing(request: string | undefined): AskingCall | undefined {
    return request === undefined ? undefined : [...this.#open].find(({ decided }) => decided?.id === request)
  }

  isOpen(call: AskingCall): boolean {
    return this.#open.has(call)
  }

  /** The tools of calls of the same caller that may still be under way there: a question may be about one of them. */
  leftBehind(call: AskingCall): readonly string[] {
    const caller = callerOf(call)
    const tools = Array.from(this.#left.values(), (left) => (left.caller === caller ? left.tool : ''))
    return [...new Set(tools)].filter((each) => each !== '')
  }

  /** The only call that the server can be at work on. */
  get only(): AskingCall | undefined {
    const [only] = this.#open
    if (only === undefined || this.#open.size > 1 || this.#isForgetful) return undefined
    const now = this.#clock.tick()
    const caller = callerOf(only)
    for (const left of this.#left.values()) if (left.until > now || left.caller !== caller) return undefined
    return only
  }
}

function callerOf({ context }: AskingCall): string | undefined {
  return principalKey(context.principal)
}
