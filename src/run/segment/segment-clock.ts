import { type CancelTimer, type Clock, systemClock } from '../../tool/clock.ts'

/**
 * The time of the database, whatever the clock of this machine says, with timers that all end together: a run that is put away leaves
 * nothing behind.
 */
export class SegmentClock implements Clock {
  readonly #base: number
  readonly #timers = new Set<CancelTimer>()
  #isStopped = false

  /** Added to a tick, the base gives the time. */
  constructor(base: number) {
    this.#base = base
  }

  readonly now = (): number => Math.round(this.#base + systemClock.tick())
  readonly tick = systemClock.tick
  readonly soon = systemClock.soon

  readonly timer = (ms: number, callback: () => void): CancelTimer => {
    if (this.#isStopped) return () => {}
    const cancel = systemClock.timer(ms, () => {
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
