import { quote } from '../../schema/quote.ts'
import type { Clock } from '../clock.ts'
import { ConfigurationError } from '../errors/configuration-error.ts'
import { type DeadlinePool, deadlinePoolOf, type Expiring, NOT_YOUNG } from './deadline-pool.ts'

/** Why no more work may start in a scope. */
export interface Closure {
  readonly kind: 'deadline' | 'cancelled'
  readonly reason?: unknown
}

/** Thrown to whoever waits on something that a closing scope cut off. */
export class Cut extends Error {
  readonly closure: Closure

  constructor(closure: Closure) {
    super(closure.kind)
    this.closure = closure
  }
}

/** Also for what cannot even be asked, such as a revoked proxy. */
export function isCut(thrown: unknown): thrown is Cut {
  try {
    return thrown instanceof Cut
  } catch {
    return false
  }
}

/** Told when the scope closes. */
export interface Guard {
  /** Where it stands among the guards of its scope, or `NOT_GUARDING`. */
  place: number
  /** Something runs whose time counts, even while a person is waited for elsewhere. */
  readonly isBusy: boolean
  told(closure: Closure): void
}

export const NOT_GUARDING = -1

/**
 * The stretch of work that one deadline and one cancellation cover. A root call has one; a nested call shares its parent's unless it
 * has a shorter deadline or can be cancelled by itself. While a person is waited for and nothing else runs, the clock of the scope and of
 * those around it stands still.
 */
export class Scope implements Expiring {
  readonly #clock: Clock
  readonly #pool: DeadlinePool
  readonly #parent: Scope | undefined
  /** The one guard that most scopes ever have; more stand in the list. */
  #guard: Guard | undefined
  #others: Guard[] | undefined
  #children: Set<Scope> | undefined
  #controller: AbortController | undefined
  #allowedMs: number
  #expiresAt: number | undefined
  /** How many people are being waited for, here and in the scopes inside. */
  #waiting = 0
  /** How many guards are busy, here and in the scopes inside. */
  #busy = 0
  /** Since when the clock stands still. */
  #stoodStillAt: number | undefined
  closed: Closure | undefined
  place = NOT_YOUNG

  constructor(clock: Clock, allowedMs: number, parent?: Scope) {
    this.#clock = clock
    this.#pool = deadlinePoolOf(clock)
    this.#allowedMs = allowedMs
    this.#parent = parent
    if (allowedMs <= 0) this.closed = { kind: 'deadline' }
    if (parent === undefined) return
    this.closed ??= parent.closed
    this.#expiresAt = Math.min(parent.expiresAt, clock.tick() + allowedMs)
    parent.#children ??= new Set()
    parent.#children.add(this)
  }

  /** The time begins with the first look at the clock: at the latest when the burst of work in which the call began is over. */
  get expiresAt(): number {
    const expiresAt = (this.#expiresAt ??= this.#clock.tick() + this.#allowedMs)
    return this.#stoodStillAt === undefined ? expiresAt : expiresAt + (this.#clock.tick() - this.#stoodStillAt)
  }

  get remainingMs(): number {
    return Math.max(0, this.expiresAt - this.#clock.tick())
  }

  /** Made on first read, and aborted only when the scope closes. */
  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController()
      if (this.closed !== undefined) this.#controller.abort(abortReason(this.closed))
    }
    return this.#controller.signal
  }

  /** When the call ended, as exactly as a burst of work is long. */
  stamp(): number {
    return this.#pool.stamp()
  }

  /** Settles as the promise does, or rejects with `Cut` when the scope closes first. Waiting for a person is no business of the clock's. */
  race<T>(promise: PromiseLike<T>, isBusy = true): Promise<T> {
    return new Promise((resolve, reject) => {
      const guard: Guard = { place: NOT_GUARDING, isBusy, told: (closure) => reject(new Cut(closure)) }
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

  /** The guard is told at once where the scope is closed already. */
  enter(guard: Guard): void {
    if (this.closed !== undefined) {
      guard.told(this.closed)
      return
    }
    if (this.#guard !== undefined) {
      this.#others ??= []
      guard.place = this.#others.push(guard)
    } else {
      guard.place = 0
      this.#guard = guard
      this.#watch()
    }
    if (guard.isBusy) this.#countBusy(1)
    this.#reconsider()
  }

  /** False when the guard was told already. The last of the others takes its place, so that nothing piles up. */
  leave(guard: Guard): boolean {
    const { place } = guard
    if (place === NOT_GUARDING || this.closed !== undefined) return false
    guard.place = NOT_GUARDING
    if (guard.isBusy) this.#countBusy(-1)
    this.#remove(place, guard)
    if (this.#guard === undefined) this.#pool.remove(this)
    this.#reconsider()
    return true
  }

  #remove(place: number, guard: Guard): void {
    const others = this.#others
    const last = others?.pop()
    if (last === guard) return
    if (last !== undefined) last.place = place
    if (others !== undefined && last !== undefined && place > 0) others[place - 1] = last
    else this.#guard = last
  }

  /** Closes with the caller's signal; the returned function lets go of it. */
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
    this.#pool.remove(this)
    this.#controller?.abort(abortReason(closure))
    const guards = this.#guard === undefined ? [] : [this.#guard, ...(this.#others ?? [])]
    this.#guard = undefined
    this.#others = undefined
    const busy = guards.filter(({ isBusy }) => isBusy).length
    if (busy > 0) this.#countBusy(-busy)
    for (const child of [...(this.#children ?? [])]) child.close(closure)
    for (const guard of guards) guard.told(closure)
  }

  /** Ends a nested scope whose work is done. */
  release(): void {
    if (this.#parent !== undefined) this.#parent.#children?.delete(this)
  }

  expire(): void {
    this.close({ kind: 'deadline' })
  }

  /** A guard of this scope has become busy (1), or is no longer (-1). */
  changeBusy(change: 1 | -1): void {
    this.#countBusy(change)
    this.#reconsider()
  }

  /** A person is being waited for, until `heardPerson`. */
  awaitPerson(): void {
    this.#waiting++
    this.#tellTime()
    this.#parent?.awaitPerson()
  }

  heardPerson(): void {
    this.#waiting--
    this.#tellTime()
    this.#parent?.heardPerson()
  }

  #watch(): void {
    if (this.#allowedMs !== Infinity && this.#stoodStillAt === undefined) this.#pool.add(this)
  }

  /** What runs here has changed, and with it perhaps the clock, here and in every scope around. */
  #reconsider(): void {
    if (this.#waiting > 0) this.#tellTime()
    for (let scope = this.#parent; scope !== undefined; scope = scope.#parent) if (scope.#waiting > 0) scope.#tellTime()
  }

  /** Lets the clock stand still or go, as it must now. */
  #tellTime(): void {
    const standsStill = this.#waiting > 0 && this.#busy === 0
    if (standsStill === (this.#stoodStillAt !== undefined) || this.closed !== undefined) return
    this.#expiresAt = this.expiresAt
    this.#stoodStillAt = standsStill ? this.#clock.tick() : undefined
    if (standsStill) this.#pool.remove(this)
    else if (this.#guard !== undefined) this.#watch()
  }

  #countBusy(change: number): void {
    this.#busy += change
    if (this.#parent !== undefined) this.#parent.#countBusy(change)
  }
}

function abortReason(closure: Closure): unknown {
  if (closure.reason !== undefined) return closure.reason
  return closure.kind === 'deadline'
    ? new DOMException('The deadline of the call has passed.', 'TimeoutError')
    : new DOMException('The call was cancelled.', 'AbortError')
}

/** By what it can do: a signal may come from elsewhere. */
function checkSignal(signal: unknown): void {
  const { aborted, addEventListener } = (signal ?? {}) as Partial<AbortSignal>
  if (typeof aborted === 'boolean' && typeof addEventListener === 'function') return
  throw new ConfigurationError('invalid_option', `The signal of a call must be an AbortSignal, not ${quote(signal)}.`)
}
