import { type AgentTool, compound, tool } from 'toolwright'
import { z } from 'zod'
import { setTimeout as pause } from 'node:timers/promises'

export const STEPS = 50
/** Runs that are under way at the same time, where there are many: what a worker takes on by itself. */
export const AT_ONCE = 20

const place = z.object({ run: z.string(), count: z.number() })
export type Place = z.infer<typeof place>

/** What the measured steps did and when, over all runs of this process. */
export class Ledger {
  /** One effect for a key, however often it is asked for. */
  readonly effects = new Map<string, number>()
  /** Milliseconds from a step of a run to the next one. */
  readonly gaps: number[] = []
  readonly #latest = new Map<string, number>()

  put(key: string, { run, count }: Place): number {
    const now = performance.now()
    const before = this.#latest.get(run)
    if (before !== undefined) this.gaps.push(now - before)
    this.#latest.set(run, now)
    const known = this.effects.get(key)
    if (known !== undefined) return known
    this.effects.set(key, count + 1)
    return count + 1
  }

  forget(): void {
    this.effects.clear()
    this.gaps.length = 0
    this.#latest.clear()
  }
}

export interface JobOptions {
  readonly steps?: number
  /** What each step waits for, as for a service that answers; nothing by default. */
  readonly waitMs?: number
}

/** Keyed writes one after the other, each with what the one before gave. */
export function durableJob(ledger: Ledger, { steps = STEPS, waitMs = 0 }: JobOptions = {}): AgentTool<Place, number> {
  const pace = waitMs > 0 ? '_slowly' : ''
  const put = tool({
    name: `put${pace}`,
    description: 'Puts a number into a ledger, once for a key.',
    inputSchema: place,
    effect: 'write',
    idempotent: 'keyed',
    async execute(given, { idempotencyKey }) {
      if (waitMs > 0) await pause(waitMs)
      return ledger.put(idempotencyKey, given)
    },
  })
  return compound({
    name: `put_many${pace}`,
    description: 'Puts numbers into a ledger, one after the other.',
    inputSchema: place,
    parts: { put },
    async run({ run, count }, context) {
      let value = count
      for (let step = 0; step < steps; step++) {
        const result = await context.call('put', put, { run, count: value })
        if (!result.ok) return result
        value = result.value
      }
      return value
    },
  })
}
