import type { Performance } from 'node:perf_hooks'

let loaded: Performance | undefined

/** Loaded on first use, since every program that imports the package would wait for it. The global is looked up anew at every read; this is not. */
function performanceOfNode(): Performance {
  return (loaded ??= process.getBuiltinModule('node:perf_hooks').performance)
}

/** Stops a timer; calling it twice is harmless. */
export type CancelTimer = () => void

/** Where time comes from. A call never reads the system clock but through this. */
export interface Clock {
  /** Milliseconds since the epoch: for timestamps. */
  readonly now: () => number
  /** Milliseconds that only ever rise, from an arbitrary start: for deadlines and durations. */
  readonly tick: () => number
  /** Calls back once after `ms`. */
  readonly timer: (ms: number, callback: () => void) => CancelTimer
  /** Calls back when the current burst of work is over; a fake clock does so at once. */
  readonly soon: (callback: () => void) => void
  /** The clock of the process, if this one has the same ticks but ends with a run: for state that runs share. */
  readonly origin?: Clock | undefined
}

/** `setTimeout` fires at once for delays beyond this. */
export const LONGEST_TIMEOUT_MS = 2 ** 31 - 1

/** The clock of the machine, with its timers. Calls use it unless they are given another one. */
export const systemClock: Clock = {
  now: () => Date.now(),
  tick: () => performanceOfNode().now(),
  timer: (ms, callback) => {
    let handle: NodeJS.Timeout
    const arm = (remaining: number): void => {
      const step = Math.min(remaining, LONGEST_TIMEOUT_MS)
      handle = setTimeout(() => (remaining > step ? arm(remaining - step) : callback()), step)
    }
    arm(Math.max(0, ms))
    return () => clearTimeout(handle)
  },
  soon: (callback) => {
    setImmediate(callback)
  },
}

/** Calls back in the next turn of the event loop, on every clock: when everything that was ready has run. */
export function nextTurn(callback: () => void): void {
  setImmediate(callback)
}
