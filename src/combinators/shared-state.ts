import type { Clock } from '../tool/ports/clock.ts'

/** How combinators reach the state that processes share. */
export interface Sharing<Board> {
  /** Opens it; asked again after a failure. Undefined where this process is the only one. */
  readonly open: () => Promise<Board | undefined>
  /** Receives what an operator should know. */
  readonly warn: (message: string) => void
}

/** A process that closes leaves the others. */
export interface Leaving {
  /** Gives back all that this process keeps from the others, and asks them no more: from then on it goes on by itself. May reject. */
  readonly leave: () => Promise<void>
}

const RETRY_MS = 2000

/** A time in which the shared state cannot be reached. It is reported once. */
export class Outage {
  readonly #sharing: Pick<Sharing<never>, 'warn'>
  readonly #what: string
  #isNow = false
  #tryAfter = Number.NEGATIVE_INFINITY

  /** `what` begins the report: `Breakers`. */
  constructor(sharing: Pick<Sharing<never>, 'warn'>, what: string) {
    this.#sharing = sharing
    this.#what = what
  }

  get isNow(): boolean {
    return this.#isNow
  }

  began(error: unknown): void {
    if (this.#isNow) return
    this.#isNow = true
    const message = error instanceof Error ? error.message : String(error)
    this.#sharing.warn(
      `${this.#what} are not shared with other processes until the database answers; this process goes on by itself: ${message}`,
    )
  }

  isOver(): void {
    this.#isNow = false
  }

  /** Whether it is time to try again; if so, others need not. */
  mayTry(now: number): boolean {
    if (now < this.#tryAfter) return false
    this.#tryAfter = now + RETRY_MS
    return true
  }
}

class Late extends Error {}

/** The promise took too long. */
export function isLate(error: unknown): boolean {
  return error instanceof Late
}

/** Rejects if the promise takes longer. */
export function within<T>(clock: Clock, ms: number, promise: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = clock.timer(ms, () => reject(new Late(`The database has not answered within ${ms} ms.`)))
    promise.then(
      (value) => {
        stop()
        resolve(value)
      },
      (error: unknown) => {
        stop()
        reject(error instanceof Error ? error : new Error(String(error)))
      },
    )
  })
}
