import { quote } from '../../schema/quote.ts'
import type { Clock } from '../ports/clock.ts'
import { ConfigurationError } from '../errors/configuration-error.ts'
import { type DeadlinePool, deadlinePoolOf, type Expiring, type Moment, NOT_YOUNG } from './deadline-pool.ts'

/** Why no more work may start in a scope. */
export interface Closure {
  readonly kind: 'deadline' | 'cancelled'
  readonly reason?: unknown
}

/** The reason for cutting off parts that still run at the end of their compound. */
export const ENDED: Closure = { kind: 'cancelled', reason: new DOMException('The tool around it has ended.', 'AbortError') }

/** Rejects waits that a closing scope has cut off. */
export class Cut extends Error {
  readonly closure: Closure

  constructor(closure: Closure) {
    super(closure.kind)
    this.closure = closure
  }
}

/** Safe for values that throw when read, such as a revoked proxy. */
export function isCut(thrown: unknown): thrown is Cut {
  try {
    return thrown instanceof Cut
  } catch {
    return false
  }
}

/** Is notified when the scope closes. */
export interface Guard {
  /** Its position among the guards of its scope, or `NOT_GUARDING`, or `GUARDED`. */
  place: number
  /** It runs work whose time counts, even while another part waits for a person. */
  readonly isBusy: boolean
  onClosed(closure: Closure): void
}

export const NOT_GUARDING = -1

/** The call around it guards the scope for it. */
export const GUARDED = -2

/**
 * The work that one deadline and one cancellation cover. A root call has one; a nested call shares its parent's unless it has a shorter
 * deadline or can be cancelled by itself. While it waits for a person and nothing else runs, the clock of the scope and of those around it
 * is stopped.
 */
export class Scope implements Expiring {
  declare closed: Closure | undefined
  declare place: number
  declare private readonly pool: DeadlinePool
  declare private readonly parent: Scope | undefined
  /** The first guard; most scopes have only one. Others are in the list. */
  declare private guard: Guard | undefined
  declare private readonly allowedMs: number
  /** How many guards are busy, here and in the scopes inside. */
  declare private busy: number
  declare private rare: RareScope | undefined

  /** Fields are declared above and assigned here alone, since each would be written twice otherwise. */
  constructor(clock: Clock, allowedMs: number, parent?: Scope) {
    this.closed = undefined
    this.place = NOT_YOUNG
    this.pool = deadlinePoolOf(clock)
    this.parent = parent
    this.guard = undefined
    this.allowedMs = allowedMs
    this.busy = 0
    this.rare = undefined
    if (allowedMs <= 0) this.closed = { kind: 'deadline' }
    if (parent !== undefined) this.#belongTo(parent)
  }

  #belongTo(parent: Scope): void {
    this.closed ??= parent.closed
    this.#lazily.expiresAt = Math.min(parent.expiresAt, this.#clock.tick() + this.allowedMs)
    const around = parent.#lazily
    around.children ??= new Set()
    around.children.add(this)
  }

  get #lazily(): RareScope {
    return (this.rare ??= new RareScope())
  }

  get #clock(): Clock {
    return this.pool.clock
  }

  /** The time begins with the first look at the clock: at the latest when the burst of work in which the call began is over. */
  get expiresAt(): number {
    const rare = this.#lazily
    const expiresAt = (rare.expiresAt ??= this.#clock.tick() + this.allowedMs)
    return rare.stoodStillAt === undefined ? expiresAt : expiresAt + (this.#clock.tick() - rare.stoodStillAt)
  }

  get remainingMs(): number {
    return Math.max(0, this.expiresAt - this.#clock.tick())
  }

  /** Made on first read, and aborted only when the scope closes. */
  get signal(): AbortSignal {
    const rare = this.#lazily
    if (rare.controller === undefined) {
      rare.controller = new AbortController()
      if (this.closed !== undefined) rare.controller.abort(abortReason(this.closed))
    }
    return rare.controller.signal
  }

  /** When the call ended, as exactly as a burst of work is long. */
  stamp(): Moment {
    return this.pool.stamp()
  }

  /** A tick of the clock, as exact as a burst of work is long: for counts, not for deadlines. */
  burstTick(): number {
    return this.pool.burstTick()
  }

  /** Settles as the promise does, or rejects with `Cut` when the scope closes first. Waiting for a person is no business of the clock's. */
  race<T>(promise: PromiseLike<T>, isBusy = true): Promise<T> {
    return new Promise((resolve, reject) => {
      const guard: Guard = { place: NOT_GUARDING, isBusy, onClosed: (closure) => reject(new Cut(closure)) }
      this.enter(guard)
      promise.then(
        (value) => {
          this.leave(guard)
          resolve(value)
        },
        (error: unknown) => {
          this.leave(guard)
          reject(error)
        },
      )
    })
  }

  /** If the scope is closed already, the guard is notified at once. Most scopes are of a root call without parts: for them it is short. */
  enter(guard: Guard): void {
    if (this.closed !== undefined) guard.onClosed(this.closed)
    else if (this.guard !== undefined || this.rare !== undefined || this.parent !== undefined) this.#enterAmong(guard)
    else {
      guard.place = 0
      this.guard = guard
      this.busy = guard.isBusy ? 1 : 0
      if (this.allowedMs !== Infinity) this.pool.add(this)
    }
  }

  #enterAmong(guard: Guard): void {
    if (this.guard === undefined) {
      guard.place = 0
      this.guard = guard
      this.#watch()
    } else {
      const rare = this.#lazily
      rare.others ??= []
      guard.place = rare.others.push(guard)
    }
    if (guard.isBusy) this.#countBusy(1)
    this.#reconsider()
  }

  /** False if the guard was notified already. */
  leave(guard: Guard): boolean {
    if (guard.place < 0 || this.closed !== undefined) return false
    if (this.rare !== undefined || this.parent !== undefined) this.#leaveOthers(guard)
    else {
      guard.place = NOT_GUARDING
      this.guard = undefined
      this.busy = 0
      this.pool.remove(this)
    }
    return true
  }

  /** The last of the others takes its place, so that the list does not grow. */
  #leaveOthers(guard: Guard): void {
    const { place } = guard
    guard.place = NOT_GUARDING
    if (guard.isBusy) this.#countBusy(-1)
    if (this.rare?.others === undefined) this.guard = undefined
    else this.#remove(place, guard, this.rare.others)
    if (this.guard === undefined) this.pool.remove(this)
    this.#reconsider()
  }

  #remove(place: number, guard: Guard, others: Guard[]): void {
    const last = others.pop()
    if (last === guard) return
    if (last !== undefined) last.place = place
    if (last !== undefined && place > 0) others[place - 1] = last
    else this.guard = last
  }

  /** Closes with the caller's signal; the returned function removes the listener. */
  follow(signal: AbortSignal): () => void {
    checkSignal(signal)
    const onAbort = (): void => this.close({ kind: 'cancelled', reason: signal.reason })
    if (signal.aborted) onAbort()
    else signal.addEventListener('abort', onAbort, { once: true })
    return () => signal.removeEventListener('abort', onAbort)
  }

  close(closure: Closure): void {
    if (this.closed !== undefined) return
    this.closed = closure
    this.pool.remove(this)
    const { rare } = this
    rare?.controller?.abort(abortReason(closure))
    const guards = this.guard === undefined ? [] : [this.guard, ...(rare?.others ?? [])]
    this.guard = undefined
    if (rare !== undefined) rare.others = undefined
    const busy = guards.filter(({ isBusy }) => isBusy).length
    if (busy > 0) this.#countBusy(-busy)
    for (const child of [...(rare?.children ?? [])]) child.close(closure)
    for (const guard of guards) guard.onClosed(closure)
  }

  /** Ends a nested scope whose work is done. */
  release(): void {
    this.parent?.rare?.children?.delete(this)
  }

  expire(): void {
    this.close({ kind: 'deadline' })
  }

  /** A guard of this scope has become busy (1), or is no longer (-1). */
  changeBusy(change: 1 | -1): void {
    this.#countBusy(change)
    this.#reconsider()
  }

  /** Waits for a person, until `heardPerson`. */
  awaitPerson(): void {
    this.#lazily.waiting++
    this.#tellTime()
    this.parent?.awaitPerson()
  }

  heardPerson(): void {
    this.#lazily.waiting--
    this.#tellTime()
    this.parent?.heardPerson()
  }

  #watch(): void {
    if (this.allowedMs !== Infinity && this.rare?.stoodStillAt === undefined) this.pool.add(this)
  }

  /** The work has changed, so the clock may have to stop or start, here and in every scope around. */
  #reconsider(): void {
    if (this.rare !== undefined && this.rare.waiting > 0) this.#tellTime()
    if (this.parent !== undefined) this.parent.#reconsider()
  }

  /** Stops or starts the clock as needed. */
  #tellTime(): void {
    const rare = this.#lazily
    const standsStill = rare.waiting > 0 && this.busy === 0
    if (standsStill === (rare.stoodStillAt !== undefined) || this.closed !== undefined) return
    rare.expiresAt = this.expiresAt
    rare.stoodStillAt = standsStill ? this.#clock.tick() : undefined
    if (standsStill) this.pool.remove(this)
    else if (this.guard !== undefined) this.#watch()
  }

  #countBusy(change: number): void {
    this.busy += change
    if (this.parent !== undefined) this.parent.#countBusy(change)
  }
}

/** Made on first use: most scopes have one guard, and end before the clock is read. */
class RareScope {
  others: Guard[] | undefined
  children: Set<Scope> | undefined
  controller: AbortController | undefined
  expiresAt: number | undefined
  /** The number of waits for people, here and in the scopes inside. */
  waiting = 0
  /** The tick at which the clock was stopped. */
  stoodStillAt: number | undefined
}

function abortReason(closure: Closure): unknown {
  if (closure.reason !== undefined) return closure.reason
  return closure.kind === 'deadline'
    ? new DOMException('The deadline of the call has passed.', 'TimeoutError')
    : new DOMException('The call was cancelled.', 'AbortError')
}

/** Checks the methods, because a signal may come from another realm. */
function checkSignal(signal: unknown): void {
  const { aborted, addEventListener } = (signal ?? {}) as Partial<AbortSignal>
  if (typeof aborted === 'boolean' && typeof addEventListener === 'function') return
  throw new ConfigurationError('invalid_option', `The signal of a call must be an AbortSignal, not ${quote(signal)}.`)
}
