import type { LimitRules } from '../../tool/ports/limit-store.ts'
import type { ProcessLimiter } from './process-limiter.ts'

/** With more limiters than this, those that a new one would replace are removed. */
const FEW = 1000

/** One limiter for each key. There may be one for each caller, so idle ones are removed. */
export class LimitersByKey<L extends ProcessLimiter> {
  readonly #make: (key: string, rules: LimitRules) => L
  readonly #limiters = new Map<string, L>()
  #most = FEW
  #latestKey: string | undefined
  #latest: L | undefined

  constructor(make: (key: string, rules: LimitRules) => L) {
    this.#make = make
  }

  of(key: string, rules: LimitRules): L {
    // One tool is called again and again.
    if (key === this.#latestKey && this.#latest !== undefined) return this.#latest
    const found = this.#found(key, rules)
    this.#latestKey = key
    this.#latest = found
    return found
  }

  #found(key: string, rules: LimitRules): L {
    let found = this.#limiters.get(key)
    if (found === undefined) {
      if (this.#limiters.size >= this.#most) this.#removeIdle()
      this.#limiters.set(key, (found = this.#make(key, rules)))
    }
    return found
  }

  get all(): ReadonlyMap<string, L> {
    return this.#limiters
  }

  #removeIdle(): void {
    this.#latest = undefined
    for (const [key, limiter] of this.#limiters) if (limiter.isIdle()) this.#limiters.delete(key)
    this.#most = Math.max(FEW, this.#limiters.size * 2)
  }
}
