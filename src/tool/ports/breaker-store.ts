import type { Clock } from './clock.ts'

/** When a breaker opens, and for how long. Times are in milliseconds. */
export interface BreakerRules {
  /** Only calls that ended within this time count. */
  readonly windowMs: number
  /** With fewer calls it does not open. */
  readonly minCalls: number
  /** The share of failed calls from which it opens, from 0 to 1. */
  readonly failureShare: number
  /** How long it stays open before one call is let through as a trial. */
  readonly coolDownMs: number
}

/** The right to make one call; it is given back with the report of its end. */
export type Pass = number

/**
 * What a breaker says to a caller: a pass; the time after which to ask again, because it is open; or that calls under way must be waited
 * for, because their failures alone would open it.
 */
export type Admission = { readonly pass: Pass } | { readonly openForMs: number } | 'busy'

/** How a call ended for a breaker. `unheard`: it says nothing about the service, such as a call that was cancelled. */
export type CallEnd = 'succeeded' | 'failed' | 'unheard'

/** Whether a breaker lets calls pass: all of them, none, or a few trials. */
export type BreakerState = 'closed' | 'open' | 'half_open'

/** The breaker of one tool in this process. It answers at once, whatever stands behind it. */
export interface SharedBreaker {
  /** The short question: a pass if nothing has failed, else undefined, and `ask` says more. It allocates nothing. */
  readonly enter: () => Pass | undefined
  readonly ask: () => Admission
  /** Waits in line, and calls back once with an answer other than busy. Returns a function that leaves the line. */
  readonly wait: (answer: (admission: Exclude<Admission, 'busy'>) => void) => () => void
  /** `at` is a tick of the clock, as exact as a burst of work is long. Gives the state that the report has led to, if that is another one. */
  readonly report: (pass: Pass, end: CallEnd, at: number) => 'open' | 'closed' | undefined
  readonly state: () => BreakerState
}

/**
 * Where breakers are kept. The same key, rules and clock give the same breaker. A store that several processes share counts in each of them,
 * and tells the others only when a breaker opens or closes: a closed breaker costs no message, and a lost store stops no call.
 */
export interface BreakerStore {
  /** Other processes share it: calls with overrides do not use it. */
  readonly isShared?: boolean | undefined
  readonly breaker: (key: string, rules: BreakerRules, clock: Clock) => SharedBreaker
}
