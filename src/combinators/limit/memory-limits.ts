import { FairLine } from '../../policies/fair-line.ts'
import { Limiter } from '../../policies/limiter.ts'
import type { CancelTimer, Clock } from '../../tool/ports/clock.ts'
import type { LimitedCall, LimitRules, LimitStore, SharedLimiter, Turn } from '../../tool/ports/limit-store.ts'

/** With more limiters than this, those that a new one would replace are removed. */
const FEW = 1000

/**
 * Limiters in the memory of this process. Calls without `stores.limits` share one such store.
 * @example
 * const limits = memoryLimits()
 * const result = await limit(orders, { concurrency: 2 }).call({ email: 'ada@example.com' }, { stores: { limits } })
 * console.log(result.ok) // true
 */
export function memoryLimits(): LimitStore {
  const byClock = new WeakMap<Clock, LimitersOfClock>()
  // Most programs have one clock.
  let latest: LimitersOfClock | undefined
  const of = (clock: Clock): LimitersOfClock => {
    const known = byClock.get(clock) ?? new LimitersOfClock(clock)
    byClock.set(clock, known)
    return known
  }
  return {
    limiter: (key, rules, clock) => {
      if (latest?.clock !== clock) latest = of(clock)
      return latest.of(key, rules)
    },
  }
}

/** One limiter for each key. There may be one for each caller, so idle ones are removed. */
class LimitersOfClock {
  readonly clock: Clock
  readonly #limiters = new Map<string, MemoryLimiter>()
  #most = FEW

  constructor(clock: Clock) {
    this.clock = clock
  }

  of(key: string, rules: LimitRules): MemoryLimiter {
    let found = this.#limiters.get(key)
    if (found === undefined) {
      if (this.#limiters.size >= this.#most) this.#removeIdle()
      this.#limiters.set(key, (found = new MemoryLimiter(rules, this.clock)))
    }
    return found
  }

  #removeIdle(): void {
    for (const [key, limiter] of this.#limiters) if (limiter.isIdle()) this.#limiters.delete(key)
    this.#most = Math.max(FEW, this.#limiters.size * 2)
  }
}

interface Waiting {
  readonly call: LimitedCall
  readonly answer: (turn: Turn) => void
}

/** A limiter with its clock and its line. */
class MemoryLimiter implements SharedLimiter {
  readonly #limiter: Limiter
  readonly #clock: Clock
  readonly #line = new FairLine<Waiting>()
  #stopTimer: CancelTimer | undefined

  constructor(rules: LimitRules, clock: Clock) {
    this.#limiter = new Limiter(rules)
    this.#clock = clock
  }

  enter(call: LimitedCall): Turn | undefined {
    if (this.#line.size > 0) return undefined
    const { needsTime } = this.#limiter
    const turn = needsTime || call.leaseMs !== undefined ? undefined : this.#limiter.take(call, 0)
    return turn ?? this.#limiter.take(call, this.#clock.tick())
  }

  wait(call: LimitedCall, since: number, answer: (turn: Turn) => void): () => void {
    const waiting: Waiting = { call, answer }
    this.#line.join(call.caller, waiting, since)
    this.#serve()
    return () => {
      if (this.#line.leave(call.caller, waiting)) this.#serve()
    }
  }

  waitMs({ caller, usd }: LimitedCall): number | undefined {
    const now = this.#clock.tick()
    const ms = this.#limiter.startAt(usd, now, this.#line.ahead(caller)) - now
    return ms > 0 || (this.#limiter.hasPlace(now) && this.#line.size === 0) ? ms : undefined
  }

  leave(turn: Turn, usd: number | undefined): void {
    this.#limiter.end(turn, usd)
    if (this.#line.size > 0) this.#serve()
  }

  isIdle(): boolean {
    return this.#line.size === 0 && this.#limiter.isIdle(this.#clock.tick())
  }

  /** Gives turns to those who wait, as far as the limits allow, and looks again when they allow more. */
  #serve(): void {
    this.#stopTimer?.()
    this.#stopTimer = undefined
    const now = this.#clock.tick()
    for (let next = this.#line.first; next !== undefined; next = this.#line.first) {
      const turn = this.#limiter.take(next.call, now)
      if (turn === undefined) {
        this.#lookAgain(next.call, now)
        return
      }
      this.#line.shift()
      next.answer(turn)
    }
  }

  #lookAgain({ usd }: LimitedCall, now: number): void {
    // Without a place, the end of a call serves the line.
    const at = this.#limiter.hasPlace(now) ? this.#limiter.startAt(usd, now) : this.#limiter.nextLeaseEnd()
    if (at !== undefined && at < Infinity) this.#stopTimer = this.#clock.timer(Math.max(0, at - now), () => this.#serve())
  }
}
