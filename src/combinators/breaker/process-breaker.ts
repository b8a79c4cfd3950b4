import { Breaker } from '../../policies/breaker.ts'
import type { BreakerNews, BreakerTally } from '../../tool/ports/breaker-board.ts'
import type { Admission, BreakerRules, BreakerState, CallEnd, Pass, SharedBreaker } from '../../tool/ports/breaker-store.ts'
import type { CancelTimer, Clock } from '../../tool/ports/clock.ts'

type Answer = (admission: Exclude<Admission, 'busy'>) => void

/** How a breaker reaches those of other processes. Nothing here throws, and no call waits for it but a trial. */
export interface BreakerLink {
  /** A call of this process has changed the state. `open` with 0 ms: the trial said nothing. */
  readonly changed: (state: 'open' | 'closed', ms: number) => void
  /** A call of this process has failed, and the breaker is still closed. So many calls have ended since the last one that failed. */
  readonly failed: (calls: number) => void
  /** Asks for the trial. Undefined if this process may try; else what stands against it. It resolves soon, whatever the others do. */
  readonly beginTrial: (ms: number) => Promise<Pick<BreakerNews, 'state' | 'ms'> | undefined>
}

export interface ProcessBreakerOptions {
  readonly rules: BreakerRules
  readonly clock: Clock
  /** Absent if no other process has this breaker. */
  readonly link?: BreakerLink | undefined
}

/** A breaker with its clock, and the line of calls that wait until those under way have shown how the service is. */
export class ProcessBreaker implements SharedBreaker {
  readonly #breaker: Breaker
  readonly #clock: Clock
  readonly #rules: BreakerRules
  readonly #link: BreakerLink | undefined
  readonly #line = new Set<Answer>()
  #stopTimer: CancelTimer | undefined
  /** The others are asked for the trial. */
  #isAsking = false
  /** Calls that ended here since others were told. */
  #untold = 0

  constructor({ rules, clock, link }: ProcessBreakerOptions) {
    this.#breaker = new Breaker(rules)
    this.#clock = clock
    this.#rules = rules
    this.#link = link
  }

  enter(): Pass | undefined {
    return this.#line.size > 0 ? undefined : this.#breaker.enter()
  }

  ask(): Admission {
    const now = this.#clock.tick()
    return this.#line.size > 0 || this.#needsTrial(now) ? 'busy' : this.#breaker.admit(now)
  }

  wait(answer: Answer): () => void {
    // Each waiter is a member of its own, even if two pass the same function.
    const own: Answer = (admission) => answer(admission)
    this.#line.add(own)
    if (this.#needsTrial(this.#clock.tick())) this.#askForTrial()
    this.#watch()
    return () => {
      this.#line.delete(own)
      this.#watch()
    }
  }

  report(pass: Pass, end: CallEnd, at: number): 'open' | 'closed' | undefined {
    const before = this.#breaker.phase
    const wasCounted = this.#breaker.report(pass, end, at)
    const { phase } = this.#breaker
    if (this.#link !== undefined && wasCounted) this.#tell(before, end, at)
    if (this.#line.size > 0) this.#serve()
    return phase === before || phase === 'half_open' ? undefined : phase
  }

  state(): BreakerState {
    return this.#breaker.state(this.#clock.tick())
  }

  msLeft(): number {
    return this.#breaker.msLeft(this.#clock.tick())
  }

  /** The state that other processes have led to. */
  follow({ state, ms }: Pick<BreakerNews, 'state' | 'ms'>): void {
    const now = this.#clock.tick()
    if (state === 'closed') this.#breaker.close(now)
    else this.#breaker.openUntil(now + ms, now)
    this.#untold = 0
    this.#serve()
  }

  /** Calls of other processes. */
  add({ calls, failures }: Omit<BreakerTally, 'key'>): void {
    this.#breaker.addCalls(calls, failures, this.#clock.tick())
  }

  #needsTrial(now: number): boolean {
    return this.#link !== undefined && this.#breaker.isTrialDue(now)
  }

  #askForTrial(): void {
    if (this.#isAsking || this.#link === undefined) return
    this.#isAsking = true
    void this.#link.beginTrial(this.#rules.coolDownMs).then((against) => {
      this.#isAsking = false
      if (against === undefined) this.#tryNow()
      else this.follow(against)
    })
  }

  /** The first in line is the trial, unless the state has changed meanwhile. */
  #tryNow(): void {
    const now = this.#clock.tick()
    const [first] = this.#line
    if (first === undefined) this.#link?.changed('open', 0)
    else if (this.#breaker.isTrialDue(now)) {
      this.#line.delete(first)
      first(this.#breaker.admit(now) as Exclude<Admission, 'busy'>)
    }
    this.#serve()
  }

  #tell(before: BreakerState, end: CallEnd, at: number): void {
    const { phase } = this.#breaker
    if (phase === 'open' || (before === 'half_open' && phase === 'closed')) {
      this.#untold = 0
      this.#link?.changed(phase, this.#breaker.msLeft(at))
    } else if (before === 'half_open') this.#link?.changed('open', 0)
    else if (end !== 'unheard') this.#count(end, at)
  }

  #count(end: CallEnd, at: number): void {
    this.#untold++
    if (end !== 'failed') return
    // Calls that have left the window say nothing any more.
    this.#link?.failed(Math.min(this.#untold, this.#breaker.callsWithin(at)))
    this.#untold = 0
  }

  /** Answers those who wait, in their order, as far as the breaker has an answer. */
  #serve(): void {
    for (const answer of this.#line) {
      const now = this.#clock.tick()
      if (this.#needsTrial(now)) {
        this.#askForTrial()
        break
      }
      const admission = this.#breaker.admit(now)
      if (admission === 'busy') break
      this.#line.delete(answer)
      answer(admission)
    }
    this.#watch()
  }

  /** Calls under way may never report: after a whole window they no longer count, and those who wait are served. */
  #watch(): void {
    if (this.#line.size > 0) this.#stopTimer ??= this.#clock.timer(this.#rules.windowMs, () => this.#serveAgain())
    else {
      this.#stopTimer?.()
      this.#stopTimer = undefined
    }
  }

  #serveAgain(): void {
    this.#stopTimer = undefined
    this.#serve()
  }
}
