import type { Clock } from './clock.ts'

/** One thing for each clock, made when it is first asked for. Times of different clocks cannot be compared. */
export function byClock<T>(make: (clock: Clock) => T): (clock: Clock) => T {
  const all = new WeakMap<Clock, { readonly made: T }>()
  // Most programs have one clock.
  let latest: Clock | undefined
  let ofLatest: T | undefined
  return (clock) => {
    if (clock === latest) return ofLatest as T
    const known = all.get(clock) ?? { made: make(clock) }
    all.set(clock, known)
    latest = clock
    ofLatest = known.made
    return known.made
  }
}
