import { byClock } from '../../tool/ports/by-clock.ts'
import type { LimitStore } from '../../tool/ports/limit-store.ts'
import { LimitersByKey } from './limiters-by-key.ts'
import { ProcessLimiter } from './process-limiter.ts'

/**
 * Limiters in the memory of this process. Calls without `stores.limits` share one such store.
 * @example
 * const limits = memoryLimits()
 * const result = await limit(orders, { concurrency: 2 }).call({ email: 'ada@example.com' }, { stores: { limits } })
 * console.log(result.ok) // true
 */
export function memoryLimits(): LimitStore {
  const ofClock = byClock((clock) => new LimitersByKey((_key, rules) => new ProcessLimiter(rules, clock)))
  return { limiter: (key, rules, clock) => ofClock(clock).of(key, rules) }
}
