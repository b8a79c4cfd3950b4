import { quote } from '../schema/quote.ts'
import { type Duration, toMilliseconds } from '../tool/duration.ts'
import { wrongOption } from '../tool/errors/wrong-option.ts'
import type { Admission, BreakerRules, BreakerState, CallEnd, Pass } from '../tool/ports/breaker-store.ts'

/** The options of `breaker`: when it opens, and for how long. */
export interface BreakerOptions {
  /** Only calls that ended within this time count; 60 s by default. */
  readonly window?: Duration | undefined
  /** With fewer calls it does not open; 10 by default. */
  readonly minCalls?: number | undefined
  /** The share of failed calls from which it opens, from 0 to 1; 0.5 by default. */
  readonly failureShare?: number | undefined
  /** How long it stays open before one call is let through as a trial; 30 s by default. */
  readonly coolDown?: Duration | undefined
}

/** Checks the options. `what` is `breaker for 'rates'`. */
export function breakerRules(options: BreakerOptions, what: string): BreakerRules {
  const { window = '60s', minCalls = 10, failureShare = 0.5, coolDown = '30s' } = options
  const rules = {
    windowMs: toMilliseconds(window, `'window' of ${what}`),
    minCalls,
    failureShare,
    coolDownMs: toMilliseconds(coolDown, `'coolDown' of ${what}`),
  }
  if (!Number.isSafeInteger(minCalls) || minCalls < 1)
    throw wrongOption('minCalls', what, `a whole number of at least 1, not ${quote(minCalls)}`)
  if (typeof failureShare !== 'number' || !(failureShare > 0 && failureShare <= 1))
    throw wrongOption('failureShare', what, `a number above 0 and at most 1, not ${quote(failureShare)}`)
  for (const [name, ms] of [['window', rules.windowMs] as const, ['coolDown', rules.coolDownMs] as const])
    if (ms === 0 || ms === Infinity) throw wrongOption(name, what, 'a time above 0')
  return rules
}

/** The window moves in steps of a tenth. */
export const BUCKETS = 10

/**
 * A circuit breaker over a sliding window, as a plain state machine: times are arguments, in milliseconds that never fall.
 *
 * Closed: calls pass. While one has failed in the window, or none has succeeded since it closed, no more calls are under way than failures
 * would open it: a service that is down gets the sample that shows it, and not all callers that come at once. Calls that say nothing for a whole
 * window no longer count as under way. Open: nothing passes until the cool-down is over. Half-open: one trial passes; its success closes the
 * breaker, its failure opens it again, and if it says nothing for a cool-down, the next call is the trial.
 */
export class Breaker {
  readonly #rules: BreakerRules
  #state: BreakerState = 'closed'
  /** Rises with each change of the state: the reports of earlier calls no longer count. */
  #generation: Pass = 1
  #underWay = 0
  /** A call has succeeded since it closed. */
  #isProven = false
  /** When the cool-down of an open breaker, or the time of its trial, is over. */
  #until = 0
  /** When a call last began or ended, as far as the breaker was told the time. */
  #changedAt = 0
  readonly #calls: number[] = Array.from({ length: BUCKETS }, () => 0)
  readonly #failures: number[] = Array.from({ length: BUCKETS }, () => 0)
  #slot = Number.NEGATIVE_INFINITY
  #bucket = 0
  /** Until then the window does not move. */
  #slotEnd = Number.NEGATIVE_INFINITY
  #callCount = 0
  #failureCount = 0

  constructor(rules: BreakerRules) {
    this.#rules = rules
  }

  /** A pass if it is closed and nothing speaks against the service; needs no time. */
  enter(): Pass | undefined {
    if (this.#state !== 'closed' || this.#failureCount > 0 || !this.#isProven) return undefined
    this.#underWay++
    return this.#generation
  }

  admit(now: number): Admission {
    if (this.#state !== 'closed') return now < this.#until ? { openForMs: this.#until - now } : this.#beginTrial(now)
    this.#moveTo(now)
    if (this.#failureCount > 0 || !this.#isProven) {
      if (now - this.#changedAt >= this.#rules.windowMs) this.#underWay = 0
      if (this.#underWay >= this.#failuresToOpen()) return 'busy'
    }
    this.#underWay++
    this.#changedAt = now
    return { pass: this.#generation }
  }

  /** False if the state has changed since the call began: then its end does not count. */
  report(pass: Pass, end: CallEnd, now: number): boolean {
    if (pass !== this.#generation) return false
    if (this.#state === 'half_open') this.#endTrial(end, now)
    else this.#count(end, now)
    return true
  }

  state(now: number): BreakerState {
    return this.#state === 'open' && now >= this.#until ? 'half_open' : this.#state
  }

  /** The state that calls have led to: an open breaker stays open until its trial begins. */
  get phase(): BreakerState {
    return this.#state
  }

  /** Whether the next call is the trial: the cool-down is over, or the time of an earlier trial. */
  isTrialDue(now: number): boolean {
    return this.#state !== 'closed' && now >= this.#until
  }

  /** How long it stays open, or its trial may take; 0 if it is closed. */
  msLeft(now: number): number {
    return this.#state === 'closed' ? 0 : Math.max(0, this.#until - now)
  }

  /** Somebody else has opened it, or tries it, until then. */
  openUntil(until: number, now: number): void {
    if (this.#state !== 'open') this.#enterState('open', now)
    this.#until = until
  }

  /** Somebody else has closed it. */
  close(now: number): void {
    if (this.#state !== 'closed') this.#enterState('closed', now)
  }

  /** Counts calls that ended elsewhere, while it is closed. Only a call of its own opens it: elsewhere, the same calls are counted too. */
  addCalls(calls: number, failures: number, now: number): void {
    if (this.#state !== 'closed') return
    this.#moveTo(now)
    const bucket = this.#bucket
    this.#calls[bucket] = (this.#calls[bucket] ?? 0) + calls
    this.#failures[bucket] = (this.#failures[bucket] ?? 0) + failures
    this.#callCount += calls
    this.#failureCount += failures
  }

  /** How many calls ended within the window. */
  callsWithin(now: number): number {
    this.#moveTo(now)
    return this.#callCount
  }

  #count(end: CallEnd, now: number): void {
    if (this.#underWay > 0) this.#underWay--
    this.#changedAt = now
    if (end === 'unheard') return
    this.#moveTo(now)
    const bucket = this.#bucket
    this.#calls[bucket] = (this.#calls[bucket] ?? 0) + 1
    this.#callCount++
    if (end === 'succeeded') {
      this.#isProven = true
      return
    }
    this.#failures[bucket] = (this.#failures[bucket] ?? 0) + 1
    this.#failureCount++
    if (this.#isEnough(this.#callCount, this.#failureCount)) this.#open(now)
  }

  #endTrial(end: CallEnd, now: number): void {
    if (end === 'failed') return this.#open(now)
    if (end === 'succeeded') return this.#enterState('closed', now)
    // Its place is free at once.
    this.#until = now
  }

  #open(now: number): void {
    this.#enterState('open', now)
    this.#until = now + this.#rules.coolDownMs
  }

  #beginTrial(now: number): Admission {
    this.#enterState('half_open', now)
    this.#until = now + this.#rules.coolDownMs
    return { pass: this.#generation }
  }

  #enterState(state: BreakerState, now: number): void {
    this.#state = state
    this.#generation++
    this.#underWay = 0
    this.#isProven = false
    this.#changedAt = now
    this.#calls.fill(0)
    this.#failures.fill(0)
    this.#callCount = 0
    this.#failureCount = 0
  }

  #isEnough(calls: number, failures: number): boolean {
    return calls >= this.#rules.minCalls && failures >= this.#rules.failureShare * calls
  }

  /** How many of the next calls would have to fail, one after the other, until it opens. */
  #failuresToOpen(): number {
    const { minCalls, failureShare } = this.#rules
    const [calls, failures] = [this.#callCount, this.#failureCount]
    if (failureShare === 1 && failures < calls) return Infinity
    const byShare = failureShare === 1 ? 1 : Math.floor((failureShare * calls - failures) / (1 - failureShare))
    let more = Math.max(1, minCalls - calls, byShare)
    while (!this.#isEnough(calls + more, failures + more)) more++
    return more
  }

  /** Forgets the calls that have left the window. */
  #moveTo(now: number): void {
    if (now < this.#slotEnd) return
    const slot = Math.floor((now * BUCKETS) / this.#rules.windowMs)
    this.#slotEnd = ((slot + 1) * this.#rules.windowMs) / BUCKETS
    const passed = Math.min(slot - this.#slot, BUCKETS)
    for (let step = 1; step <= passed; step++) {
      const bucket = bucketOf(slot - passed + step)
      this.#callCount -= this.#calls[bucket] ?? 0
      this.#failureCount -= this.#failures[bucket] ?? 0
      this.#calls[bucket] = 0
      this.#failures[bucket] = 0
    }
    if (passed <= 0) return
    this.#slot = slot
    this.#bucket = bucketOf(slot)
  }
}

function bucketOf(slot: number): number {
  return ((slot % BUCKETS) + BUCKETS) % BUCKETS
}
