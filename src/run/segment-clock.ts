import { type CancelTimer, type Clock, systemClock } from '../tool/clock.ts'

/** The system's clock, with timers that all end together: a run that is put away leaves nothing behind. */
export class SegmentClock implements Clock {
  readonly #timers = new Set<CancelTimer>()
  #isStopped = false
  readonly now = systemClock.now
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
