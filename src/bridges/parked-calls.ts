import type { CancelTimer, Clock } from '../tool/ports/clock.ts'
import { unreferencedTimer } from './unreferenced-timer.ts'

/** Why a call is dropped: nobody asked for it in time, or too many calls wait. */
export type DropCause = 'expired' | 'too many'

export interface ParkedCallsOptions<Call> {
  /** How long a call waits for the peer; without it, for as long as there is room. */
  readonly expiryMs: number | undefined
  /** How many calls may wait; one more, and the oldest is dropped, of the owner with the most where owners are known. */
  readonly maxCalls: number
  /** How many of one owner may wait; one more, and the oldest of the same owner is dropped. */
  readonly maxPerOwner?: number | undefined
  /** Without one, the system's; a program may then end while a call waits. */
  readonly clock: Clock | undefined
  /** Cancels a call that is dropped. */
  readonly onDrop: (call: Call, cause: DropCause) => void
}

const NO_TIMER: CancelTimer = () => {}

/**
 * Keeps the calls that wait for a person between two requests of a peer, by the keys with which the peer asks for them. Every bridge keeps
 * its calls here, so that all have the same rules of expiry and of number.
 */
export class ParkedCalls<Call extends object> {
  readonly #options: ParkedCallsOptions<Call>
  readonly #byKey = new Map<string, Call>()
  /** In the order in which they were kept. */
  readonly #timers = new Map<Call, CancelTimer>()
  readonly #owners = new Map<Call, string>()
  #isClosed = false

  constructor(options: ParkedCallsOptions<Call>) {
    this.#options = options
  }

  /** The oldest first. */
  get all(): readonly Call[] {
    return [...this.#timers.keys()]
  }

  get(key: string): Call | undefined {
    return this.#byKey.get(key)
  }

  /** Keeps a call under these keys, and under those it has already; its time begins anew. Returns when it expires, in milliseconds since the epoch. */
  keep(call: Call, keys: readonly string[], owner?: string): number {
    const { expiryMs, maxCalls, maxPerOwner = maxCalls, clock } = this.#options
    const expiresAt = expiryMs === undefined ? Infinity : (clock?.now() ?? Date.now()) + expiryMs
    if (this.#isClosed) return expiresAt
    this.#stopTimer(call)
    const expire = (): void => this.#drop(call, 'expired')
    const timer = (ms: number): CancelTimer => (clock === undefined ? unreferencedTimer(ms, expire) : clock.timer(ms, expire))
    this.#timers.set(call, expiryMs === undefined ? NO_TIMER : timer(expiryMs))
    for (const key of keys) this.#byKey.set(key, call)
    if (owner !== undefined) this.#owners.set(call, owner)
    if (owner !== undefined && this.#countOf(owner) > maxPerOwner) this.#dropOldest(owner)
    if (this.#timers.size > maxCalls) this.#dropOldest(this.#greediest())
    return expiresAt
  }

  /** Gives the call of a key to the caller alone: it is no longer kept, and does not expire. */
  take(key: string): Call | undefined {
    const call = this.#byKey.get(key)
    if (call !== undefined) this.forget(call)
    return call
  }

  /** Removes a call without cancelling it. */
  forget(call: Call): void {
    this.#stopTimer(call)
    for (const [key, each] of this.#byKey) if (each === call) this.#byKey.delete(key)
  }

  /** Removes all calls; none is kept from now on, and no timer is left. */
  close(): void {
    this.#isClosed = true
    for (const call of this.all) this.forget(call)
  }

  #stopTimer(call: Call): void {
    this.#timers.get(call)?.()
    this.#timers.delete(call)
    this.#owners.delete(call)
  }

  #countOf(owner: string): number {
    let count = 0
    for (const each of this.#owners.values()) if (each === owner) count++
    return count
  }

  /** The owner with the most calls; undefined where the most are nobody's, so that the oldest of those goes. */
  #greediest(): string | undefined {
    const counts = new Map<string | undefined, number>([[undefined, this.#timers.size - this.#owners.size]])
    for (const owner of this.#owners.values()) counts.set(owner, (counts.get(owner) ?? 0) + 1)
    return [...counts].reduce((most, each) => (each[1] > most[1] ? each : most))[0]
  }

  #dropOldest(owner: string | undefined): void {
    for (const call of this.#timers.keys())
      if (this.#owners.get(call) === owner) {
        this.#drop(call, 'too many')
        return
      }
  }

  #drop(call: Call, cause: DropCause): void {
    this.forget(call)
    this.#options.onDrop(call, cause)
  }
}
