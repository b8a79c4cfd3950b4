import type { CostChange, LimitAsk, LimitBoard, LimitGrant, LimitNews } from '../../tool/ports/limit-board.ts'
import type { CancelTimer, Clock } from '../../tool/ports/clock.ts'
import type { LimitedCall, LimitRules, Turn } from '../../tool/ports/limit-store.ts'
import { systemId } from '../../tool/ports/randomness.ts'
import { isLate, type Outage, within } from '../shared-state.ts'
import { ProcessLimiter } from './process-limiter.ts'

/** No call waits longer for an answer of the board. */
const ANSWER_MS = 500
/** A place that nobody needs is given back after this time. */
const IDLE_MS = 1000
/** How often a process without a place asks again, should the notice of a free one be lost. */
const LOOK_MS = 1000
/** After an outage the others have told the board of their calls by then. */
const RETURN_MS = 500
/** The places of a process that has died are free after this time. */
const LEASE_MS = 30_000
const BEAT_MS = 10_000
/** Of a rate, a process takes at most this part ahead, and at most so many calls. */
const AHEAD_PART = 20
const MOST_AHEAD = 50

interface BoardLimiterParts {
  readonly key: string
  readonly rules: LimitRules
  readonly clock: Clock
  readonly board: () => Promise<LimitBoard | undefined>
  readonly outage: Outage
  /** How many processes there were, as far as any limiter of this process knows. */
  readonly fleet: { processes: number }
}

/** The right to begin a call. */
interface Right {
  readonly usd: number
  readonly expiresAt: number
  /** When the cost leaves the window, by the clock of the board. */
  readonly until: number | undefined
}

/**
 * The limiter of one process, over a board that counts for all. A call begins with a right that the board has given. The limiter of the process
 * counts along: without the board it goes on with its share of the limit.
 */
export class BoardLimiter extends ProcessLimiter {
  readonly #parts: BoardLimiterParts
  readonly #holder = systemId()
  /** Only places are limited: the right of a call that has ended is there for the next one. */
  readonly #isReusable: boolean
  readonly #useMs: number
  #rights: Right[] = []
  /** When the cost of a call leaves the window; nothing for a call that began without the board. */
  readonly #counted = new WeakMap<Turn, number>()
  #inquiries: (() => void)[] = []
  #isAsking = false
  /** A place became free after the question under way: its answer may be too old. */
  #isOutdated = false
  /** The board is not asked before. */
  #askAfter = Number.NEGATIVE_INFINITY
  /** Rate or cost, and not a place, is what is missing until then. */
  #isTimed = false
  #isAlone = false
  /** It has told the board of its calls, and goes on alone until then. */
  #returnsAt: number | undefined
  /** The board is not asked: no other process can have this limit, or this process leaves the others. */
  #asksNobody = false
  /** The answer to the question under way; never rejects. */
  #asked: Promise<void> = Promise.resolve()
  /** The expected cost of a call. */
  #usd = 0
  #uncounted = 0
  #costs: CostChange[] = []
  /** The next free place is given back: another process waits that has fewer. */
  #isOwing = false
  /** The board does not know how many places this process has. */
  #isUntold = false
  #stopTidying: CancelTimer | undefined

  constructor(parts: BoardLimiterParts) {
    super(parts.rules, parts.clock)
    const { rate, cost } = parts.rules
    this.#parts = parts
    this.#isReusable = rate === undefined && cost === undefined
    this.#useMs = Math.min(
      ...[rate?.perMs, cost?.perMs].map((perMs = Infinity) => Math.min(1000, Math.max(perMs / AHEAD_PART, Math.min(perMs, 250)))),
    )
  }

  /** Undefined if the answer is known. */
  inquire(call: LimitedCall): Promise<void> | undefined {
    this.#usd = call.usd
    if (!this.#isAlone && this.#parts.outage.isNow) this.#goOnAlone()
    if (this.#isAlone || this.clock.tick() < this.#askAfter) return undefined
    return new Promise((resolve) => {
      this.#inquiries.push(resolve)
      this.#pump()
    })
  }

  override resume(call: LimitedCall): Turn {
    this.#isUntold = true
    this.#tidyLater()
    return super.resume(call)
  }

  override waitMs(call: LimitedCall): number | undefined {
    if (this.#isAlone) return super.waitMs(call)
    const ms = this.#isTimed ? this.#askAfter - this.clock.tick() : 0
    return ms > 0 ? ms : undefined
  }

  override leave(turn: Turn, usd: number | undefined): void {
    const now = this.clock.tick()
    const before = this.limiter.underWay(now)
    if (turn.spent !== undefined && usd !== undefined) this.#correct(turn, usd - turn.spent.usd)
    this.limiter.end(turn, usd)
    if (this.limiter.underWay(now) < before) this.#regain(now)
    if (this.line.size > 0) this.serve()
    this.#tidyLater()
  }

  override isIdle(): boolean {
    return super.isIdle() && this.#rights.length === 0 && this.#costs.length === 0 && !this.#isAsking && !this.#isUntold
  }

  /** Another process has no place, or has given some back. */
  hear({ what, holder, held }: LimitNews): void {
    if (holder === this.#holder) return
    if (what === 'free') return this.#askNow()
    // The answer to a question under way may bring places.
    if (!this.#isAsking && this.#places(this.clock.tick()) <= held) return
    if (this.#isReusable && this.#rights.length > 0) {
      this.#rights = []
      this.#isUntold = true
    }
    this.#isOwing = true
    if (this.#isUntold) this.#ask(0)
  }

  /** News may have been lost, and the board is there again. */
  catchUp(): void {
    if (this.#isAlone) this.#ask(0)
    else this.#askNow()
  }

  /**
   * Asks the board no more. Resolves, after the answer to the question under way, with the last word to the board; undefined if it knows all.
   * Calls under way keep their places until the lease is over.
   */
  async end(): Promise<LimitAsk | undefined> {
    this.#asksNobody = true
    this.#stopTidying?.()
    await this.#asked
    const { concurrency } = this.#parts.rules
    const isHeard = concurrency === undefined || !(this.#rights.length > 0 || this.#isUntold || this.#isAlone)
    const last = isHeard && this.#costs.length === 0 && this.#uncounted === 0 ? undefined : this.#lastAsk()
    this.#goOnAlone()
    return last
  }

  protected override take(call: LimitedCall, now: number): Turn | undefined {
    if (this.#isAlone) return this.#takeOfShare(call, now)
    this.#usd = call.usd
    const isAnyCost = this.#parts.rules.cost === undefined
    const index = this.#rights.findIndex(({ usd, expiresAt }) => expiresAt > now && (isAnyCost || usd === call.usd))
    const [right] = index === -1 ? [] : this.#rights.splice(index, 1)
    if (right === undefined) return undefined
    const turn = this.limiter.begin(call, now)
    if (right.until !== undefined) this.#counted.set(turn, right.until)
    return turn
  }

  protected override nextLook(call: LimitedCall, now: number): number | undefined {
    if (this.#isAlone) return super.nextLook(call, now)
    this.#pump()
    // The answer serves the line.
    return this.#isAsking ? undefined : Math.max(this.#askAfter, now + 1)
  }

  #takeOfShare(call: LimitedCall, now: number): Turn | undefined {
    if (!this.#asksNobody && this.#parts.outage.mayTry(this.clock.tick())) this.#ask(0)
    const turn = this.limiter.take(call, now)
    if (turn === undefined || this.#asksNobody) return turn
    this.#uncounted++
    if (call.usd > 0) this.#costs.push({ until: undefined, usd: call.usd })
    return turn
  }

  /** The estimate of a call that began without the board is never reduced: nobody knows in which window it was counted. */
  #correct(turn: Turn, usd: number): void {
    const until = this.#counted.get(turn)
    if (usd > 0 || (usd < 0 && until !== undefined)) this.#costs.push({ until, usd })
  }

  /** A place is free: for another process that waits, else for the next call. */
  #regain(now: number): void {
    if (this.#isAlone || this.#parts.rules.concurrency === undefined) return
    if (this.#isReusable && !this.#isOwing) this.#rights.push({ usd: 0, expiresAt: now + IDLE_MS, until: undefined })
    else this.#isUntold = true
    if (!this.#isTimed) this.#askAfter = now
    if (this.#isOwing) this.#ask(0)
  }

  #askNow(): void {
    this.#isOutdated = this.#isAsking
    if (!this.#isTimed) this.#askAfter = Number.NEGATIVE_INFINITY
    if (this.line.size > 0) this.serve()
  }

  #pump(): void {
    const needed = this.line.size + this.#inquiries.length
    if (needed > 0 && this.clock.tick() >= this.#askAfter) this.#ask(Math.max(needed, this.#ahead))
  }

  /** Rights for calls that nobody has asked for yet. They are lost if they are not used soon, so they are few. */
  get #ahead(): number {
    const { concurrency, rate, cost } = this.#parts.rules
    return rate === undefined || concurrency !== undefined || cost !== undefined
      ? 1
      : Math.min(MOST_AHEAD, Math.floor(rate.calls / AHEAD_PART))
  }

  #ask(wanted: number): void {
    if (this.#isAsking || this.#asksNobody) return
    this.#isAsking = true
    const { clock, board, outage } = this.#parts
    const now = clock.tick()
    this.#dropExpired(now)
    if (this.#isUntold) this.#isOwing = false
    this.#isUntold = false
    this.#isOutdated = false
    const ask = this.#askFor(wanted, this.#places(now))
    const { usd, uncounted, costs } = ask
    let isOpen = false
    const answer = board().then((opened) => {
      isOpen = true
      return opened?.take(ask)
    })
    this.#asked = within(clock, ANSWER_MS, answer).then(
      (grant) => this.#answered(grant, { usd, at: now, wanted }),
      (error: unknown) => {
        // A database that is still being opened is no outage.
        if (isOpen || !isLate(error)) outage.began(error)
        this.#uncounted += uncounted
        this.#costs.push(...costs)
        this.#goOnAlone()
      },
    )
  }

  /** The board knows costs and uncounted calls from then on. */
  #askFor(wanted: number, held: number): LimitAsk {
    const { key, rules } = this.#parts
    const { uncounted, costs } = { uncounted: this.#uncounted, costs: this.#costs }
    this.#uncounted = 0
    this.#costs = []
    const isWaiting = this.line.size + this.#inquiries.length > 0
    return {
      ...{ key, rules, holder: this.#holder, held, wanted, isWaiting, usd: this.#usd, uncounted, costs },
      ...{ useMs: this.#useMs, leaseMs: LEASE_MS },
    }
  }

  #lastAsk(): LimitAsk {
    const ask = this.#askFor(0, this.limiter.underWay(this.clock.tick()))
    return ask.held === 0 ? { ...ask, leaseMs: 0 } : ask
  }

  #answered(grant: LimitGrant | undefined, asked: Asked): void {
    this.#isAsking = false
    if (grant === undefined) {
      this.#asksNobody = true
      this.#isAlone = true
    } else this.#receive(grant, asked)
    this.#tellAll()
    if (this.#isUntold && this.#isOwing) this.#ask(0)
  }

  #receive({ granted, waitMs, processes, isWanted, until }: LimitGrant, { usd, at, wanted }: Asked): void {
    this.#parts.outage.isOver()
    this.#parts.fleet.processes = processes
    const now = this.clock.tick()
    if (this.#isAlone && !this.#isBack(now)) return
    this.#isOwing ||= isWanted
    if (wanted === 0) return
    const expiresAt = this.#isReusable ? now + IDLE_MS : at + this.#useMs
    for (let each = 0; each < granted; each++) this.#rights.push({ usd, expiresAt, until })
    this.#isTimed = granted === 0 && waitMs !== undefined
    const isAgain = granted > 0 || (this.#isOutdated && !this.#isTimed)
    this.#askAfter = isAgain ? now : now + (waitMs ?? LOOK_MS)
  }

  /** The calls of the others, begun without the board, must be counted before this process takes more than its share. */
  #isBack(now: number): boolean {
    if (this.#returnsAt === undefined) {
      this.#returnsAt = now + RETURN_MS
      this.clock.timer(RETURN_MS, () => this.#ask(0))
    }
    if (now < this.#returnsAt) return false
    this.limiter.rules = this.#parts.rules
    this.#isAlone = false
    this.#askAfter = now
    return true
  }

  #goOnAlone(): void {
    this.#isAsking = false
    this.#isAlone = true
    this.#returnsAt = undefined
    this.#isTimed = false
    this.#rights = []
    this.limiter.rules = shareOf(this.#parts.rules, this.#parts.fleet.processes)
    this.#tellAll()
  }

  #tellAll(): void {
    this.serve()
    for (const answer of this.#inquiries.splice(0)) answer()
    this.#tidyLater()
  }

  /** In use or free. */
  #places(now: number): number {
    return this.limiter.underWay(now) + this.#rights.length
  }

  #dropExpired(now: number): void {
    this.#rights = this.#rights.filter(({ expiresAt }) => expiresAt > now)
  }

  /** Places that nobody uses are given back, costs are corrected, and the places of long calls are kept. */
  #tidyLater(): void {
    if (this.#stopTidying !== undefined || this.#isAlone || this.#asksNobody) return
    const isSoon = this.#rights.length > 0 || this.#costs.length > 0 || this.#isUntold
    if (isSoon || this.#keepsPlaces) this.#stopTidying = this.clock.timer(isSoon ? IDLE_MS : BEAT_MS, () => this.#tidy(!isSoon))
  }

  get #keepsPlaces(): boolean {
    return this.#parts.rules.concurrency !== undefined && this.limiter.underWay(this.clock.tick()) > 0
  }

  #tidy(isBeat: boolean): void {
    this.#stopTidying = undefined
    const had = this.#rights.length
    this.#dropExpired(this.clock.tick())
    if (this.#rights.length < had && this.#parts.rules.concurrency !== undefined) this.#isUntold = true
    if (isBeat || this.#isUntold || this.#costs.length > 0) this.#ask(0)
    else this.#tidyLater()
  }
}

interface Asked {
  readonly usd: number
  readonly at: number
  readonly wanted: number
}

/** The part of a limit that one of so many processes may use by itself. */
function shareOf({ concurrency, rate, cost }: LimitRules, processes: number): LimitRules {
  const part = (whole: number): number => Math.max(1, Math.floor(whole / processes))
  return {
    concurrency: concurrency === undefined ? undefined : part(concurrency),
    rate: rate === undefined ? undefined : { ...rate, calls: part(rate.calls) },
    cost: cost === undefined ? undefined : { ...cost, usd: cost.usd / processes },
  }
}
