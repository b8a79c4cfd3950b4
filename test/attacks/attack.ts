import { describe, expect, test } from 'vitest'

/** One attempt to break a promise. It passes if the promise holds. */
export interface Attack {
  /** What the attacker does, in a few words. */
  readonly name: string
  /** Whether the promise fell to this attack when the attack was written, or held already. */
  readonly before: 'fell' | 'held'
  /** Rejects if the promise falls. */
  readonly attempt: () => void | Promise<void>
}

/** Runs a table of attacks as tests. */
export function runAttacks(title: string, attacks: readonly Attack[]): void {
  describe.each([{ title }])('$title', () => {
    test.each(attacks)('$name', async ({ attempt }) => {
      await expect((async () => attempt())()).resolves.toBeUndefined()
    })
  })
}
