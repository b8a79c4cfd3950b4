import { Limiter } from '../../../policies/limiter.ts'
import type { LimitRules } from '../../../tool/ports/limit-store.ts'

/** More clients than this are not told apart for long: those that ask for nothing are forgotten. */
const MOST_CLIENTS = 10_000

/** A place that a request has, or the milliseconds after which to ask again. */
export type Place = { readonly leave: () => void } | { readonly afterMs: number }

/** A request that is refused because of others that are under way may come again soon. */
const SOON_MS = 1000

/** Counts the requests of each client. */
export class ClientLimits {
  readonly #rules: LimitRules
  readonly #clients = new Map<string, Limiter>()

  constructor(rules: LimitRules) {
    this.#rules = rules
  }

  /** `now` in milliseconds that never fall. */
  enter(client: string, now: number): Place {
    const limiter = this.#clients.get(client) ?? this.#meet(client, now)
    const turn = limiter.take({ usd: 0, caller: client }, now)
    if (turn === undefined) return { afterMs: limiter.hasPlace(now) ? limiter.startAt(0, now) - now : SOON_MS }
    let isHere = true
    const leave = (): void => {
      if (isHere) limiter.end(turn, undefined)
      isHere = false
    }
    return { leave }
  }

  #meet(client: string, now: number): Limiter {
    if (this.#clients.size >= MOST_CLIENTS) this.#forgetSome(now)
    const limiter = new Limiter(this.#rules)
    this.#clients.set(client, limiter)
    return limiter
  }

  #forgetSome(now: number): void {
    for (const [client, limiter] of this.#clients) if (limiter.isIdle(now)) this.#clients.delete(client)
    for (const client of this.#clients.keys()) {
      if (this.#clients.size < MOST_CLIENTS) break
      this.#clients.delete(client)
    }
  }
}
