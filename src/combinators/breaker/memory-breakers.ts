import { Breaker } from '../../policies/breaker.ts'
import type { Admission, BreakerRules, BreakerState, BreakerStore, CallEnd, Pass, SharedBreaker } from '../../tool/ports/breaker-store.ts'
import type { CancelTimer, Clock } from '../../tool/ports/clock.ts'

/**
 * Breakers in the memory of this process. Calls without `stores.breakers` share one such store; give another where two parts of a program
 * must not share their breakers.
 * @example
 * const breakers = memoryBreakers()
 * const result = await breaker(orders).call({ email: 'ada@example.com' }, { stores: { breakers } })
 * console.log(result.ok) // true
 */
export function memoryBreakers(): BreakerStore {
  const byClock = new WeakMap<Clock, Map<string, SharedBreaker>>()
  // Most programs have one clock.
  let latest: Clock | undefined
  let ofLatest = new Map<string, SharedBreaker>()
  const use = (clock: Clock): void => {
    latest = clock
    ofLatest = byClock.get(clock) ?? new Map()
    byClock.set(clock, ofLatest)
  }
  return {
    breaker: (key, rules, clock) => {
      if (clock !== latest) use(clock)
      let found = ofLatest.get(key)
      if (found === undefined) ofLatest.set(key, (found = new MemoryBreaker(rules, clock)))
      return found
    },
  }
}

type Answer = (admission: Exclude<Admission, 'busy'>) => void

/** A breaker with its clock, and the line of calls that wait until those under way have shown how the service is. */
class MemoryBreaker implements SharedBreaker {
  readonly #breaker: Breaker
  readonly #clock: Clock
  readonly #rules: BreakerRules
  readonly #line = new Set<Answer>()
  #stopTimer: CancelTimer | undefined

  constructor(rules: BreakerRules, clock: Clock) {
    this.#breaker = new Breaker(rules)
    this.#clock = clock
    this.#rules = rules
  }

  enter(): Pass | undefined {
    return this.#line.size > 0 ? undefined : this.#breaker.enter()
  }

  ask(): Admission {
    return this.#line.size > 0 ? 'busy' : this.#breaker.admit(this.#clock.tick())
  }

  wait(answer: Answer): () => void {
    // Each waiter is a member of its own, even if two pass the same function.
    const own: Answer = (admission) => answer(admission)
    this.#line.add(own)
    this.#watch()
    return () => {
      this.#line.delete(own)
      this.#watch()
    }
  }

  report(pass: Pass, end: CallEnd, at: number): void {
    this.#breaker.report(pass, end, at)
    if (this.#line.size > 0) this.#serve()
  }

  state(): BreakerState {
    return this.#breaker.state(this.#clock.tick())
  }

  /** Answers those who wait, in their order, as far as the breaker has an answer. */
  #serve(): void {
    for (const answer of this.#line) {
      const admission = this.#breaker.admit(this.#clock.tick())
      if (admission === 'busy') break
      this.#line.delete(answer)
      answer(admission)
    }
    this.#watch()
  }

  /** Calls under way may never report: after a whole window they no longer count, and those who wait are served. */
  #watch(): void {
    if (this.#line.size > 0) this.#stopTimer ??= this.#clock.timer(this.#rules.windowMs, () => this.#serveAgain())
    else {
      this.#stopTimer?.()
      this.#stopTimer = undefined
    }
  }

  #serveAgain(): void {
    this.#stopTimer = undefined
    this.#serve()
  }
}
