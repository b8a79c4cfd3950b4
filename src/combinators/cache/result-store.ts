import type { Clock } from '../../tool/ports/clock.ts'
import type { JsonData } from '../../tool/journal/codec.ts'
import type { InnerCall } from '../../tool/seam/judged-inside.ts'

interface Entry {
  readonly data: JsonData
  /** The calls inside the one that gave it. */
  readonly inside: readonly InnerCall[]
  /** The start of the call that gave it, in ticks of its clock. */
  readonly since: number
  readonly clock: Clock
}

export interface StoreLimits {
  readonly ttlMs: number
  readonly maxEntries: number
}

/** Results by key, limited in time and number; the least recently used is removed first. */
export class ResultStore {
  readonly #entries = new Map<string, Entry>()
  readonly #limits: StoreLimits

  constructor(limits: StoreLimits) {
    this.#limits = limits
  }

  /** An entry as old as the limit is too old. Ticks of another clock cannot give an entry's age. */
  find(key: string, clock: Clock): Entry | undefined {
    const entry = this.#entries.get(key)
    if (entry === undefined || entry.clock !== clock) return undefined
    this.#entries.delete(key)
    const age = clock.tick() - entry.since
    if (age < 0 || age >= this.#limits.ttlMs) return undefined
    this.#entries.set(key, entry)
    return entry
  }

  /** A slow call does not replace the result of a later one. */
  keep(key: string, entry: Entry): void {
    const present = this.#entries.get(key)
    if (present !== undefined && present.clock === entry.clock && present.since > entry.since) return
    this.#entries.delete(key)
    this.#entries.set(key, entry)
    if (this.#entries.size <= this.#limits.maxEntries) return
    for (const oldest of this.#entries.keys()) {
      this.#entries.delete(oldest)
      return
    }
  }
}
