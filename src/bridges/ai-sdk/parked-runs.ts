import type { ModelMessage } from 'ai'
import type { Clock } from '../../tool/clock.ts'
import { denialsIn, isAbout } from './approval-responses.ts'
import type { ParkedRun } from './parked-run.ts'

export interface ParkedRunsOptions {
  readonly expiryMs: number
  readonly most: number
  readonly clock: Clock | undefined
}

/** The runs that wait for people, and those that an approval has brought to an end, for a while. */
export class ParkedRuns {
  readonly #byKey = new Map<string, ParkedRun>()
  /** In the order in which they parked; with what stops their timers. */
  readonly #runs = new Map<ParkedRun, () => void>()
  readonly #options: ParkedRunsOptions

  constructor(options: ParkedRunsOptions) {
    this.#options = options
  }

  get(key: string): ParkedRun | undefined {
    return this.#byKey.get(key)
  }

  /** The runs that wait for a decision, the oldest first. */
  get waiting(): readonly ParkedRun[] {
    return [...this.#runs.keys()].filter(({ run }) => run.isParked)
  }

  /** Keeps a run under its key, and for the next call of the same tool with the same input; its time begins anew. */
  keep(parked: ParkedRun): void {
    const { expiryMs, clock, most } = this.#options
    this.#runs.get(parked)?.()
    this.#runs.delete(parked)
    const expire = (): void => this.#drop(parked, 'Nobody decided about the call in time.')
    this.#runs.set(parked, clock === undefined ? unreferenced(expiryMs, expire) : clock.timer(expiryMs, expire))
    parked.expiresAt = (clock?.now() ?? Date.now()) + expiryMs
    this.#byKey.set(parked.identity.key, parked)
    this.#byKey.set(parked.identity.binding, parked)
    for (const oldest of this.#runs.keys()) {
      if (this.#runs.size <= most) break
      this.#drop(oldest, 'Too many calls wait for a decision.')
    }
  }

  /** Forgets a run that has ended. */
  forget(parked: ParkedRun): void {
    this.#runs.get(parked)?.()
    this.#runs.delete(parked)
    for (const [key, each] of this.#byKey) if (each === parked) this.#byKey.delete(key)
  }

  /** Rejects the runs whose calls are denied in a conversation. */
  hear(messages: readonly ModelMessage[], owner?: string): void {
    const waiting = this.waiting.filter(({ identity }) => owner === undefined || identity.owner === owner)
    if (waiting.length === 0) return
    for (const { at, call, reason } of denialsIn(messages)) {
      for (const parked of waiting) {
        if (at < parked.from || !isAbout(call, parked.identity)) continue
        parked.run.deny(reason)
        this.forget(parked)
      }
    }
  }

  #drop(parked: ParkedRun, why: string): void {
    this.forget(parked)
    parked.run.withdraw(new DOMException(why, 'TimeoutError'))
  }
}

/** A program must be able to end while a call waits for a person. */
function unreferenced(ms: number, callback: () => void): () => void {
  const timer = setTimeout(callback, Math.min(ms, 2 ** 31 - 1)).unref()
  return () => clearTimeout(timer)
}
