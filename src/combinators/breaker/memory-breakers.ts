import type { BreakerStore } from '../../tool/ports/breaker-store.ts'
import { byClock } from '../../tool/ports/by-clock.ts'
import { ProcessBreaker } from './process-breaker.ts'

/**
 * Breakers in the memory of this process. Calls without `stores.breakers` share one such store; give another where two parts of a program
 * must not share their breakers.
 * @example
 * const breakers = memoryBreakers()
 * const result = await breaker(orders).call({ email: 'ada@example.com' }, { stores: { breakers } })
 * console.log(result.ok) // true
 */
export function memoryBreakers(): BreakerStore {
  const ofClock = byClock(() => new Map<string, ProcessBreaker>())
  return {
    breaker: (key, rules, clock) => {
      const known = ofClock(clock)
      let found = known.get(key)
      if (found === undefined) known.set(key, (found = new ProcessBreaker({ rules, clock })))
      return found
    },
  }
}
