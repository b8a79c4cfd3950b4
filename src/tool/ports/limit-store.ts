import type { Clock } from './clock.ts'

/** How much of a tool may be used. Times are in milliseconds; a missing rule limits nothing. */
export interface LimitRules {
  /** So many calls at the same time. */
  readonly concurrency?: number | undefined
  /** So many calls begin within any such time. */
  readonly rate?: { readonly calls: number; readonly perMs: number } | undefined
  /** So much is spent within any such time. */
  readonly cost?: { readonly usd: number; readonly perMs: number } | undefined
}

/** A call that asks for its turn. */
export interface LimitedCall {
  /** Turns go round among callers; those without a principal are one. */
  readonly caller: string
  /** The expected cost; its end says what it was. */
  readonly usd: number
  /** The place is given up after this time even if nobody says that the call has ended; for runs that may leave the process. */
  readonly leaseMs?: number | undefined
}

/** The place of a call under way. */
export interface Turn {
  /** The expected cost, as it was counted; undefined if costs are not limited. */
  readonly spent?: { at: number; usd: number } | undefined
  /** When the place is given up; undefined if the call always says that it has ended. */
  readonly until?: number | undefined
}

/** The limiter of one tool, or of one caller of it, in this process. */
export interface SharedLimiter {
  /** The turn of a call that may begin at once; undefined if it must wait. */
  readonly enter: (call: LimitedCall) => Turn | undefined
  /**
   * Asks the other processes, after `enter` gave no turn: when it resolves, soon in any case, `enter` and `waitMs` know more. Undefined if
   * they know all.
   */
  readonly inquire?: ((call: LimitedCall) => Promise<void> | undefined) | undefined
  /** Waits in line, and calls back once. Returns a function that leaves the line. `since` keeps an earlier place among the calls of the caller. */
  readonly wait: (call: LimitedCall, since: number, answer: (turn: Turn) => void) => () => void
  /** The place of a call that began before its run left another process. It is taken whatever the limit says; rate and cost were counted then. */
  readonly resume?: ((call: LimitedCall) => Turn) | undefined
  /** How long a call would wait at least; undefined if that depends on calls that are under way. */
  readonly waitMs: (call: LimitedCall) => number | undefined
  /** A call has ended, and has cost so much; undefined if that is not known. */
  readonly leave: (turn: Turn, usd: number | undefined) => void
}

/**
 * Where limiters are kept. The same key, rules and clock give the same limiter. A store that several processes share may lend each of them a
 * part of the limit for a while, so that not every call asks the store.
 */
export interface LimitStore {
  /** Other processes share it: calls with overrides do not use it. */
  readonly isShared?: boolean | undefined
  readonly limiter: (key: string, rules: LimitRules, clock: Clock) => SharedLimiter
}
