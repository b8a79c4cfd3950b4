import { FairLine } from '../../policies/fair-line.ts'
import { Limiter } from '../../policies/limiter.ts'
import type { CancelTimer, Clock } from '../../tool/ports/clock.ts'
import type { LimitedCall, LimitRules, SharedLimiter, Turn } from '../../tool/ports/limit-store.ts'

interface Waiting {
  readonly call: LimitedCall
  readonly answer: (turn: Turn) => void
}

/** A limiter with its clock and its line. */
export class ProcessLimiter implements SharedLimiter {
  protected readonly limiter: Limiter
  protected readonly clock: Clock
  protected readonly line = new FairLine<Waiting>()
  #stopTimer: CancelTimer | undefined

  constructor(rules: LimitRules, clock: Clock) {
    this.limiter = new Limiter(rules)
    this.clock = clock
  }

  enter(call: LimitedCall): Turn | undefined {
    if (this.line.size > 0) return undefined
    const { needsTime } = this.limiter
    const turn = needsTime || call.leaseMs !== undefined ? undefined : this.take(call, 0)
    return turn ?? this.take(call, this.clock.tick())
  }

  wait(call: LimitedCall, since: number, answer: (turn: Turn) => void): () => void {
    const waiting: Waiting = { call, answer }
    this.line.join(call.caller, waiting, since)
    this.serve()
    return () => {
      if (this.line.leave(call.caller, waiting)) this.serve()
    }
  }

  resume(call: LimitedCall): Turn {
    return this.limiter.resume(call, this.clock.tick())
  }

  waitMs({ caller, usd }: LimitedCall): number | undefined {
    const now = this.clock.tick()
    const ms = this.limiter.startAt(usd, now, this.line.ahead(caller)) - now
    return ms > 0 || (this.limiter.hasPlace(now) && this.line.size === 0) ? ms : undefined
  }

  leave(turn: Turn, usd: number | undefined): void {
    this.limiter.end(turn, usd)
    if (this.line.size > 0) this.serve()
  }

  isIdle(): boolean {
    return this.line.size === 0 && this.limiter.isIdle(this.clock.tick())
  }

  protected take(call: LimitedCall, now: number): Turn | undefined {
    return this.limiter.take(call, now)
  }

  /** When to look again for a call that cannot begin now; undefined if an event will tell. */
  protected nextLook({ usd }: LimitedCall, now: number): number | undefined {
    // Without a place, the end of a call serves the line.
    return this.limiter.hasPlace(now) ? this.limiter.startAt(usd, now) : this.limiter.nextLeaseEnd()
  }

  /** Gives turns to those who wait, as far as the limits allow, and looks again when they allow more. */
  protected serve(): void {
    this.#stopTimer?.()
    this.#stopTimer = undefined
    const now = this.clock.tick()
    for (let next = this.line.first; next !== undefined; next = this.line.first) {
      const turn = this.take(next.call, now)
      if (turn === undefined) {
        this.#lookAgain(next.call, now)
        return
      }
      this.line.shift()
      next.answer(turn)
    }
  }

  #lookAgain(call: LimitedCall, now: number): void {
    const at = this.nextLook(call, now)
    if (at !== undefined && at < Infinity) this.#stopTimer = this.clock.timer(Math.max(0, at - now), () => this.serve())
  }
}
