import type { CancelTimer, Clock } from '../tool/ports/clock.ts'

interface Timer {
  readonly at: number
  readonly order: number
  readonly callback: () => void
}

/** A clock that a test moves. */
export interface FakeClock extends Clock {
  /** Moves time on, firing timers in order and letting promises settle between them. */
  readonly advance: (ms: number) => Promise<void>
  /** Moves the time from timer to timer until the promise settles; throws when no timer is left. */
  readonly until: <T>(promise: Promise<T>) => Promise<T>
  /** Fires the next timer, however far off; false when there is none. */
  readonly next: () => Promise<boolean>
  /** Timers that have not fired. */
  readonly pending: () => number
}

/**
 * Time for tests: pass it as `clock` and move it with `advance`.
 * @example
 * const clock = fakeClock()
 * const result = slow.call('x', { clock, deadline: '5s' })
 * await clock.advance(5000) // the deadline has passed
 */
export function fakeClock(start = 1_700_000_000_000): FakeClock {
  let now = start
  let order = 0
  const timers = new Set<Timer>()
  const timer = (ms: number, callback: () => void): CancelTimer => {
    const entry: Timer = { at: now + Math.max(0, ms), order: order++, callback }
    timers.add(entry)
    return () => timers.delete(entry)
  }
  const nextDue = (until: number): Timer | undefined =>
    [...timers].filter(({ at }) => at <= until).toSorted((a, b) => a.at - b.at || a.order - b.order)[0]
  const fire = async (due: Timer): Promise<void> => {
    timers.delete(due)
    now = Math.max(now, due.at)
    due.callback()
    await settled()
  }
  const next = async (): Promise<boolean> => {
    await settled()
    const due = nextDue(Infinity)
    if (due === undefined) return false
    await fire(due)
    return true
  }
  return {
    next,
    until: async (promise) => {
      let done = false
      const finish = (): void => {
        done = true
      }
      promise.then(finish, finish)
      await settled()
      while (!done && (await next()));
      if (!done) throw new Error('The promise is pending, and no timer of the fake clock is left that could settle it.')
      return promise
    },
    now: () => now,
    tick: () => now,
    timer,
    soon: (callback) => callback(),
    pending: () => timers.size,
    advance: async (ms) => {
      const until = now + ms
      await settled()
      for (let due = nextDue(until); due !== undefined; due = nextDue(until)) {
        await fire(due)
      }
      now = until
    },
  }
}

/** Runs everything that is ready: promises, and callbacks at the end of the current turn. */
export function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(() => setImmediate(resolve)))
}
