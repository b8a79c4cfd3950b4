import type { CancelTimer, Clock } from '../../tool/ports/clock.ts'

/**
 * The time of the store, also where the clock of this machine is wrong, with timers that all end together: a run that is parked leaves nothing
 * behind.
 */
export class SegmentClock implements Clock {
  readonly origin: Clock
  readonly #base: number
  readonly #timers = new Set<CancelTimer>()
  #isStopped = false

  /** Added to a tick of the clock, the base gives the time. */
  constructor(clock: Clock, base: number) {
    this.origin = clock
    this.#base = base
  }

  readonly now = (): number => Math.round(this.#base + this.origin.tick())
  readonly tick = (): number => this.origin.tick()
  readonly soon = (callback: () => void): void => this.origin.soon(callback)

  readonly timer = (ms: number, callback: () => void): CancelTimer => {
    if (this.#isStopped) return () => {}
    const cancel = this.origin.timer(ms, () => {
      this.#timers.delete(stop)
      callback()
    })
    const stop = (): void => {
      this.#timers.delete(stop)
      cancel()
    }
    this.#timers.add(stop)
    return stop
  }

  stop(): void {
    this.#isStopped = true
    for (const cancel of [...this.#timers]) cancel()
  }
}
