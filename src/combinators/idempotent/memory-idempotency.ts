import { type Clock, systemClock } from '../../tool/ports/clock.ts'
import type { Claimed, IdempotencyStore, KeyClaim } from '../../tool/ports/idempotency-store.ts'
import type { JsonData } from '../../tool/journal/codec.ts'
import { checkOptionNames, optionNames } from '../../tool/option-names.ts'

interface Entry {
  readonly inputHash: string
  readonly holder: string
  readonly fence: number
  readonly keepMs: number
  /** By the ticks of the clock. */
  leaseUntil: number
  keepUntil: number
  /** Set when it is settled. */
  result?: JsonData
}

/** The options of `memoryIdempotency`. */
export interface MemoryIdempotencyOptions {
  readonly clock?: Clock | undefined
}

const NAMES = optionNames<MemoryIdempotencyOptions>({ clock: true })

/**
 * Keys of `idempotent` in the memory of this process. They are removed when their time is over, and lost with the process.
 * @example
 * const idempotency = memoryIdempotency()
 * const once = idempotent(issueRefund)
 * await once.call({ orderId: 'o1', amount: 20 }, { stores: { idempotency }, idempotencyKey: 'request-7' })
 */
export function memoryIdempotency(options: MemoryIdempotencyOptions = {}): IdempotencyStore {
  checkOptionNames(options, NAMES, 'The options of memoryIdempotency')
  const { clock = systemClock } = options
  const keys = new MemoryKeys(clock)
  return {
    claim: async (key, claim) => keys.claim(key, claim),
    renew: async (key, fence, leaseMs) => keys.renew(key, fence, leaseMs),
    settle: async (key, fence, result) => keys.settle(key, fence, result),
    changed: (key, ms, signal) => keys.changed(key, ms, signal),
  }
}

class MemoryKeys {
  readonly #clock: Clock
  readonly #entries = new Map<string, Entry>()
  readonly #waiting = new Map<string, Set<() => void>>()
  #fences = 0

  constructor(clock: Clock) {
    this.#clock = clock
  }

  claim(key: string, { inputHash, holder, leaseMs, keepMs, takesOver }: KeyClaim): Claimed {
    const now = this.#clock.tick()
    this.#forget(now)
    const entry = this.#entries.get(key)
    if (entry?.holder === holder && entry.inputHash === inputHash && !isForgotten(entry, now)) {
      entry.leaseUntil = now + leaseMs
      return { state: 'mine', fence: entry.fence }
    }
    if (entry !== undefined && !isForgotten(entry, now)) {
      if (entry.inputHash !== inputHash) return { state: 'conflict', inputHash: entry.inputHash }
      if (entry.result !== undefined) return { state: 'done', result: entry.result }
      if (entry.leaseUntil > now) return { state: 'busy', retryInMs: entry.leaseUntil - now }
      if (!takesOver) return { state: 'abandoned' }
    }
    const fence = ++this.#fences
    this.#keep(key, { inputHash, holder, fence, keepMs, leaseUntil: now + leaseMs, keepUntil: now + keepMs })
    return { state: 'mine', fence }
  }

  renew(key: string, fence: number, leaseMs: number): boolean {
    const entry = this.#held(key, fence)
    if (entry === undefined || entry.result !== undefined) return false
    const now = this.#clock.tick()
    entry.leaseUntil = now + leaseMs
    entry.keepUntil = now + entry.keepMs
    this.#keep(key, entry)
    if (leaseMs <= 0) this.#tell(key)
    return true
  }

  settle(key: string, fence: number, result: JsonData | undefined): boolean {
    const entry = this.#held(key, fence)
    if (entry === undefined) return false
    // A settled key stays settled.
    if (entry.result !== undefined) return result !== undefined
    if (result === undefined) this.#entries.delete(key)
    else {
      entry.result = result
      entry.keepUntil = this.#clock.tick() + entry.keepMs
      this.#keep(key, entry)
    }
    this.#tell(key)
    return true
  }

  changed(key: string, ms: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const waiting = this.#waiting.get(key) ?? new Set()
      this.#waiting.set(key, waiting)
      const finish = (): void => {
        stop()
        signal.removeEventListener('abort', finish)
        waiting.delete(finish)
        if (waiting.size === 0 && this.#waiting.get(key) === waiting) this.#waiting.delete(key)
        resolve()
      }
      const stop = this.#clock.timer(ms, finish)
      waiting.add(finish)
      signal.addEventListener('abort', finish)
      if (signal.aborted) finish()
    })
  }

  #held(key: string, fence: number): Entry | undefined {
    const entry = this.#entries.get(key)
    return entry?.fence === fence ? entry : undefined
  }

  /** Moves the key to the end: the oldest are removed first. */
  #keep(key: string, entry: Entry): void {
    this.#entries.delete(key)
    this.#entries.set(key, entry)
  }

  #forget(now: number): void {
    for (const [key, entry] of this.#entries) {
      if (!isForgotten(entry, now)) return
      this.#entries.delete(key)
    }
  }

  #tell(key: string): void {
    for (const finish of [...(this.#waiting.get(key) ?? [])]) finish()
  }
}

/** A key that is still held is not removed, however old it is. */
function isForgotten({ result, leaseUntil, keepUntil }: Entry, now: number): boolean {
  return keepUntil <= now && (result !== undefined || leaseUntil <= now)
}
