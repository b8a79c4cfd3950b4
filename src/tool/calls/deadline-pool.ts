import { type CancelTimer, type Clock, systemClock } from '../clock.ts'

/** Something that ends at a moment, given as a tick of the clock. */
export interface Expiring {
  /** Somebody would be cut off. */
  readonly pending: boolean
  /** Already among the young. */
  queued: boolean
  readonly expiresAt: number
  expire(): void
}

const MOST_YOUNG = 1024

/**
 * All deadlines on one clock share one timer. An entry counts only when it outlives the burst of work that it began in: a call that ends
 * within it touches no timer, reads no clock and leaves nothing behind.
 */
export class DeadlinePool {
  readonly #clock: Clock
  readonly #old = new Set<Expiring>()
  #young: Expiring[] = []
  #mostYoung = MOST_YOUNG
  #cancel: CancelTimer | undefined
  #armedFor = Infinity
  #scheduled = false
  #stamp = 0

  constructor(clock: Clock) {
    this.#clock = clock
  }

  add(entry: Expiring): void {
    if (entry.queued) return
    entry.queued = true
    if (this.#young.push(entry) > this.#mostYoung) this.#forgetEnded()
    this.#schedule()
  }

  /** In a long burst of short calls the young are looked through now and then, so that they do not pile up. */
  #forgetEnded(): void {
    const young: Expiring[] = []
    for (const entry of this.#young) {
      if (entry.pending) young.push(entry)
      else entry.queued = false
    }
    this.#young = young
    this.#mostYoung = Math.max(MOST_YOUNG, young.length * 2)
  }

  /** An entry whose work is done or whose clock stands still. */
  remove(entry: Expiring): void {
    if (this.#old.delete(entry) && this.#old.size === 0) this.#disarm()
  }

  /** The time of the current burst of work, read once: exact enough for a timestamp. */
  stamp(): number {
    if (this.#stamp !== 0) return this.#stamp
    const now = this.#clock.now()
    this.#stamp = now
    this.#schedule()
    return now
  }

  #schedule(): void {
    if (this.#scheduled) return
    this.#scheduled = true
    this.#clock.soon(this.#afterBurst)
  }

  readonly #afterBurst = (): void => {
    this.#scheduled = false
    this.#stamp = 0
    let earliest = Infinity
    for (const entry of this.#young) {
      entry.queued = false
      if (!entry.pending) continue
      this.#old.add(entry)
      earliest = Math.min(earliest, entry.expiresAt)
    }
    this.#young = []
    if (earliest < this.#armedFor) this.#arm(earliest)
  }

  readonly #fire = (): void => {
    this.#disarm()
    const now = this.#clock.tick()
    const due: Expiring[] = []
    let earliest = Infinity
    for (const entry of this.#old) {
      if (entry.expiresAt <= now) due.push(entry)
      else earliest = Math.min(earliest, entry.expiresAt)
    }
    for (const entry of due) this.#old.delete(entry)
    if (earliest !== Infinity) this.#arm(earliest)
    for (const entry of due) entry.expire()
  }

  #arm(at: number): void {
    this.#disarm()
    this.#armedFor = at
    this.#cancel = this.#clock.timer(Math.max(0, at - this.#clock.tick()), this.#fire)
  }

  #disarm(): void {
    this.#armedFor = Infinity
    this.#cancel?.()
    this.#cancel = undefined
  }
}

const systemPool = new DeadlinePool(systemClock)
const pools = new WeakMap<Clock, DeadlinePool>()

export function deadlinePoolOf(clock: Clock): DeadlinePool {
  if (clock === systemClock) return systemPool
  let pool = pools.get(clock)
  if (pool === undefined) {
    pool = new DeadlinePool(clock)
    pools.set(clock, pool)
  }
  return pool
}
