import { quote } from '../schema/quote.ts'
import { isRecord } from '../schema/json-schema.ts'
import { type Duration, toMilliseconds } from '../tool/duration.ts'
import { ConfigurationError } from '../tool/errors/configuration-error.ts'
import { wrongOption } from '../tool/errors/wrong-option.ts'
import { checkOptionNames, optionNames } from '../tool/option-names.ts'
import type { LimitedCall, LimitRules, Turn } from '../tool/ports/limit-store.ts'

/** How many calls may begin within a time. */
export interface RateLimit {
  readonly calls: number
  readonly per: Duration
}

/** How many dollars may be spent within a time. */
export interface CostLimit {
  readonly usd: number
  readonly per: Duration
}

/** What a limit counts: calls at the same time, calls within a time, money within a time. */
export interface LimiterOptions {
  /** So many calls at the same time. */
  readonly concurrency?: number | undefined
  /** So many calls begin within any such time: `{ calls: 10, per: '1m' }`. */
  readonly rate?: RateLimit | undefined
  /** So much is spent within any such time: `{ usd: 5, per: '1h' }`. A call counts with its estimate until it reports its usage. */
  readonly cost?: CostLimit | undefined
}

const RATE_NAMES = optionNames<RateLimit>({ calls: true, per: true })
const COST_NAMES = optionNames<CostLimit>({ usd: true, per: true })

/** Checks the options. `what` is `limit for 'rates'`. */
export function limitRules({ concurrency, rate, cost }: LimiterOptions, what: string): LimitRules {
  if (concurrency === undefined && rate === undefined && cost === undefined)
    throw new ConfigurationError('invalid_option', `${capital(what)} limits nothing. Set concurrency, rate or cost.`)
  if (concurrency !== undefined && !isCount(concurrency))
    throw wrongOption('concurrency', what, `a whole number of at least 1, not ${quote(concurrency)}`)
  if (rate !== undefined && !(isRecord(rate) && isCount(rate.calls)))
    throw wrongOption('rate', what, `such as { calls: 10, per: '1m' }, with a whole number of calls, not ${quote(rate)}`)
  if (cost !== undefined && !(isRecord(cost) && typeof cost.usd === 'number' && cost.usd > 0 && cost.usd < Infinity))
    throw wrongOption('cost', what, `such as { usd: 5, per: '1h' }, not ${quote(cost)}`)
  if (rate !== undefined) checkOptionNames(rate, RATE_NAMES, `The options of 'rate' of ${what}`)
  if (cost !== undefined) checkOptionNames(cost, COST_NAMES, `The options of 'cost' of ${what}`)
  return {
    concurrency,
    rate: rate === undefined ? undefined : { calls: rate.calls, perMs: timeOf(rate.per, `'rate.per' of ${what}`) },
    cost: cost === undefined ? undefined : { usd: cost.usd, perMs: timeOf(cost.per, `'cost.per' of ${what}`) },
  }
}

function timeOf(per: Duration, what: string): number {
  const ms = toMilliseconds(per, what)
  if (ms === 0 || ms === Infinity) throw new ConfigurationError('invalid_option', `${what} must be a time above 0.`)
  return ms
}

function isCount(given: unknown): given is number {
  return Number.isSafeInteger(given) && (given as number) >= 1
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** For calls that need no place of their own. */
const PLAIN_TURN: Turn = {}

/** Limits concurrency, rate and cost, as a plain state machine: times are arguments, in milliseconds that never fall. It knows no line. */
export class Limiter {
  /** False if only places are limited: then a turn without a lease may be taken at any time, also 0. */
  readonly needsTime: boolean
  #rules: LimitRules
  #underWay = 0
  /** The turns that end by themselves, the earliest first. */
  readonly #leases = new Set<Turn>()
  /** When calls began, within the time of the rate; those before `#firstStart` are over. */
  #starts: number[] = []
  #firstStart = 0
  readonly #spent = new Set<{ at: number; usd: number }>()
  #spentUsd = 0

  constructor(rules: LimitRules) {
    this.#rules = rules
    this.needsTime = rules.rate !== undefined || rules.cost !== undefined
  }

  /** From now on these numbers hold. The same kinds of limits with the same times. */
  set rules(rules: LimitRules) {
    this.#rules = rules
  }

  /** How many calls are under way. */
  underWay(now: number): number {
    this.#giveUpLeases(now)
    return this.#underWay
  }

  /** The turn of a call that may begin now; undefined if a limit is reached. */
  take(call: LimitedCall, now: number): Turn | undefined {
    if (!this.hasPlace(now)) return undefined
    // Most limits are of places alone, and their calls leave nothing behind.
    if (!this.needsTime && call.leaseMs === undefined) {
      this.#underWay++
      return PLAIN_TURN
    }
    return this.startAt(call.usd, now) <= now ? this.begin(call, now) : undefined
  }

  /** The turn of a call that begins now, whatever the limits are. */
  begin({ usd, leaseMs }: LimitedCall, now: number): Turn {
    const { rate, cost } = this.#rules
    this.#underWay++
    if (rate !== undefined) {
      this.#forgetStarts(now)
      this.#starts.push(now)
    }
    if (cost === undefined && leaseMs === undefined) return PLAIN_TURN
    const spent = cost === undefined ? undefined : { at: now, usd }
    if (spent !== undefined) this.#spend(spent, now)
    const turn: Turn = { spent, until: leaseMs === undefined ? undefined : now + leaseMs }
    if (leaseMs !== undefined) this.#leases.add(turn)
    return turn
  }

  /** The place of a call that was counted before. */
  resume({ leaseMs }: LimitedCall, now: number): Turn {
    this.#underWay++
    if (leaseMs === undefined) return PLAIN_TURN
    const turn: Turn = { until: now + leaseMs }
    this.#leases.add(turn)
    return turn
  }

  /** A call has ended. A turn that was given up before is not ended twice. */
  end(turn: Turn, usd: number | undefined): void {
    if (turn === PLAIN_TURN) {
      this.#underWay = Math.max(0, this.#underWay - 1)
      return
    }
    const { spent, until } = turn
    if (spent !== undefined && usd !== undefined && this.#spent.has(spent)) {
      this.#spentUsd += usd - spent.usd
      spent.usd = usd
    }
    if (until !== undefined && !this.#leases.delete(turn)) return
    this.#underWay = Math.max(0, this.#underWay - 1)
  }

  /** When rate and cost allow the call that begins after so many others, at the earliest. */
  startAt(usd: number, now: number, ahead = 0): number {
    return Math.max(now, this.#rateAllowsAt(ahead, now), this.#costAllowsAt(usd, now))
  }

  /** When a turn that is not ended is given up next; undefined if there is none. */
  nextLeaseEnd(): number | undefined {
    let earliest: number | undefined
    for (const { until = Infinity } of this.#leases) if (earliest === undefined || until < earliest) earliest = until
    return earliest
  }

  /** A new limiter would be the same. */
  isIdle(now: number): boolean {
    this.#forgetStarts(now)
    this.#forgetSpent(now)
    return this.#underWay === 0 && this.#starts.length === this.#firstStart && this.#spent.size === 0
  }

  /** Whether another call may be under way. */
  hasPlace(now: number): boolean {
    const { concurrency = Infinity } = this.#rules
    if (this.#underWay < concurrency) return true
    this.#giveUpLeases(now)
    return this.#underWay < concurrency
  }

  #giveUpLeases(now: number): void {
    for (const turn of this.#leases) {
      if ((turn.until ?? Infinity) > now) continue
      this.#leases.delete(turn)
      this.#underWay--
    }
  }

  #rateAllowsAt(ahead: number, now: number): number {
    const { rate } = this.#rules
    if (rate === undefined) return now
    this.#forgetStarts(now)
    const { calls, perMs } = rate
    const known = this.#starts.length - this.#firstStart
    // The call after `ahead` others begins when the one that is `calls` before it is over. Those of later rounds are not known yet.
    const before = known + ahead - calls
    if (before < 0) return now
    const rounds = Math.max(0, Math.ceil((before - known + 1) / calls))
    const index = before - rounds * calls
    return (index < 0 ? now - perMs : (this.#starts[this.#firstStart + index] as number)) + (rounds + 1) * perMs
  }

  #costAllowsAt(usd: number, now: number): number {
    const { cost } = this.#rules
    if (cost === undefined) return now
    this.#forgetSpent(now)
    let left = this.#spentUsd
    if (fits(left, usd, cost.usd)) return now
    for (const { at, usd: before } of this.#spent) {
      left -= before
      if (fits(left, usd, cost.usd)) return at + cost.perMs
    }
    return now + cost.perMs
  }

  #spend(spent: { at: number; usd: number }, now: number): void {
    this.#forgetSpent(now)
    this.#spent.add(spent)
    this.#spentUsd += spent.usd
  }

  #forgetStarts(now: number): void {
    const { perMs } = this.#rules.rate ?? { perMs: 0 }
    const starts = this.#starts
    while (this.#firstStart < starts.length && (starts[this.#firstStart] as number) <= now - perMs) this.#firstStart++
    if (this.#firstStart < 64 || this.#firstStart * 2 < starts.length) return
    this.#starts = starts.slice(this.#firstStart)
    this.#firstStart = 0
  }

  #forgetSpent(now: number): void {
    const { perMs } = this.#rules.cost ?? { perMs: 0 }
    for (const spent of this.#spent) {
      if (spent.at > now - perMs) break
      this.#spent.delete(spent)
      this.#spentUsd -= spent.usd
    }
    // Sums of fractions drift; of nothing, the sum is known.
    if (this.#spent.size === 0) this.#spentUsd = 0
  }
}

/** A call whose cost is not known begins as long as something is left. */
function fits(spent: number, usd: number, most: number): boolean {
  return spent < most && spent + usd <= most + most * 1e-9
}
