import { isStoreTrouble, toldOf } from './run-errors.ts'
import { runtimeClosed } from '../tool/errors/runtime-closed.ts'

type Work = (...given: readonly unknown[]) => unknown
type Asked = (...given: readonly unknown[]) => Promise<unknown>
type AskedOf<T> = { readonly [K in keyof T]: (...given: never[]) => Promise<unknown> }

/**
 * Whether the runs of this process are open. Their users may hold runs and inboxes for longer: once it is closed, all of those are refused with
 * `runtime_closed`, and nobody reads the words of a driver whose connections are gone.
 */
export class Openness {
  readonly #listeners = new Set<() => void>()
  readonly #underWay = new Set<Promise<unknown>>()
  #isClosed = false

  get isClosed(): boolean {
    return this.#isClosed
  }

  /** Calls back when the runs are closed, while the database still answers; the returned function ends that. */
  readonly onClose = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Refuses what comes from now on, wakes those who wait, and resolves when everything that users had asked before is answered. */
  async close(): Promise<void> {
    this.#isClosed = true
    for (const listener of [...this.#listeners]) listener()
    while (this.#underWay.size > 0) await Promise.allSettled(this.#underWay)
  }

  check(): void {
    if (this.#isClosed) throw runtimeClosed()
  }

  /** Work for a user: it is waited for before the database is closed. Where the database fails, it rejects with a coded error. */
  async answer<T>(work: () => Promise<T>): Promise<T> {
    const answered = work()
    this.#underWay.add(answered)
    try {
      return await answered
    } catch (error) {
      throw this.told(error)
    } finally {
      this.#underWay.delete(answered)
    }
  }

  /** The error for a user: what the database says is coded, and after the end it is the end. */
  readonly told = (error: unknown): unknown => (this.#isClosed && isStoreTrouble(error) ? runtimeClosed(error) : toldOf(error))

  /** The same functions. They are never refused, since a process uses them until its very end. */
  inWords<T extends object>(given: T): T {
    return Object.fromEntries(
      Object.entries(given).map(([name, member]) => [name, typeof member === 'function' ? this.#worded(member as Work) : member]),
    ) as T
  }

  #worded(work: Work): Work {
    return (...all) => {
      const outcome = work(...all)
      return outcome instanceof Promise ? outcome.catch((error: unknown) => Promise.reject(this.told(error) as Error)) : outcome
    }
  }

  /** The same functions for users, until the end. */
  guard<T extends AskedOf<T>>(given: T): T {
    return Object.fromEntries(
      Object.entries(given as unknown as Readonly<Record<string, Asked>>).map(([name, ask]) => [
        name,
        async (...all: readonly unknown[]): Promise<unknown> => {
          this.check()
          return this.answer(() => ask(...all))
        },
      ]),
    ) as unknown as T
  }
}
