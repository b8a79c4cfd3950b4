import { hiddenField } from '../hidden-field.ts'
import { type CancelTimer, type Clock, systemClock } from '../ports/clock.ts'

/** Something that ends at a moment, given as a tick of the clock. */
export interface Expiring {
  /** Its position among the young, or `NOT_YOUNG`. */
  place: number
  readonly expiresAt: number
  expire(): void
}

export const NOT_YOUNG = -1

/** A time in milliseconds since the epoch, shared by all that ended in the same burst of work. */
export interface Moment {
  readonly at: number
}

/**
 * All deadlines on one clock share one timer. An entry counts only when it outlives the burst of work that it began in: a call that ends
 * within it touches no timer, reads no clock and leaves nothing behind.
 */
export class DeadlinePool {
  readonly clock: Clock
  readonly #old = new Set<Expiring>()
  #young: Expiring[] = []
  #cancel: CancelTimer | undefined
  #armedFor = Infinity
  #scheduled = false
  #stamp: Moment | undefined
  #tick: number | undefined

  constructor(clock: Clock) {
    this.clock = clock
  }

  add(entry: Expiring): void {
    entry.place = this.#young.push(entry) - 1
    if (!this.#scheduled) this.#schedule()
  }

  /** Removes an entry whose work is done or whose clock is stopped. Most often it is the one that was added last. */
  remove(entry: Expiring): void {
    const { place } = entry
    if (place === NOT_YOUNG || place !== this.#young.length - 1) return this.#removeEarlier(entry, place)
    entry.place = NOT_YOUNG
    this.#young.pop()
  }

  /** The last of the young takes its place, so that the list does not grow. */
  #removeEarlier(entry: Expiring, place: number): void {
    if (place === NOT_YOUNG) {
      if (this.#old.delete(entry) && this.#old.size === 0) this.#disarm()
      return
    }
    entry.place = NOT_YOUNG
    const last = this.#young.pop() as Expiring
    last.place = place
    this.#young[place] = last
  }

  /** The time of the current burst of work, read once: exact enough for a timestamp. */
  stamp(): Moment {
    return this.#stamp ?? this.#newStamp()
  }

  /** The same as a tick of the clock. */
  burstTick(): number {
    return this.#tick ?? this.#newTick()
  }

  #newTick(): number {
    const tick = (this.#tick = this.clock.tick())
    this.#schedule()
    return tick
  }

  #newStamp(): Moment {
    const stamp = (this.#stamp = { at: this.clock.now() })
    // Afterwards: a clock whose bursts are over at once forgets it at once.
    this.#schedule()
    return stamp
  }

  #schedule(): void {
    if (this.#scheduled) return
    this.#scheduled = true
    this.clock.soon(this.#afterBurst)
  }

  readonly #afterBurst = (): void => {
    this.#scheduled = false
    this.#stamp = undefined
    this.#tick = undefined
    let earliest = Infinity
    for (const entry of this.#young) {
      entry.place = NOT_YOUNG
      this.#old.add(entry)
      earliest = Math.min(earliest, entry.expiresAt)
    }
    // A new list is young too: to put a young entry into an old one takes longer.
    this.#young = []
    if (earliest < this.#armedFor) this.#arm(earliest)
  }

  readonly #fire = (): void => {
    this.#disarm()
    const now = this.clock.tick()
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
    this.#cancel = this.clock.timer(Math.max(0, at - this.clock.tick()), this.#fire)
  }

  #disarm(): void {
    this.#armedFor = Infinity
    this.#cancel?.()
    this.#cancel = undefined
  }
}

const systemPool = new DeadlinePool(systemClock)
const pools = hiddenField<Clock, DeadlinePool>()

export function deadlinePoolOf(clock: Clock): DeadlinePool {
  return clock === systemClock ? systemPool : poolOf(clock)
}

function poolOf(clock: Clock): DeadlinePool {
  let pool = pools.get(clock)
  if (pool === undefined) {
    pool = new DeadlinePool(clock)
    pools.set(clock, pool)
  }
  return pool
}
