import { expect, test } from 'vitest'
import type { Claimed } from '../../tool/ports/idempotency-store.ts'
import { Values } from '../journal/values.ts'
import type { RunsContext } from '../runs-context.ts'
import type { RunKeys } from '../store/run-keys.ts'
import { keysOfRun } from './keys-of-run.ts'

const run = { id: 'run', epoch: 3, tool: 'pay' }
const wanted = { tool: 'pay@1.0.0', inputHash: 'h', holder: 'a step', leaseMs: 1, keepMs: 1, takesOver: true }
const mine: Claimed = { state: 'mine', fence: 7 }

class Away extends Error {}

/** The keys of a run in a store that gives these answers, one after the other. */
function keys(answers: readonly (() => Promise<Claimed | undefined>)[]): { asked: number; lost: number; claim: () => Promise<Claimed> } {
  const seen = { asked: 0, lost: 0 }
  const idempotency = { claimIn: () => (answers[seen.asked++] ?? (() => Promise.reject(new Error('asked too often'))))() }
  const patiently: RunsContext['patiently'] = async (work) => {
    for (;;) {
      try {
        return await work()
      } catch (error) {
        if (!(error instanceof Away)) throw error
      }
    }
  }
  const context = { store: { idempotency: idempotency as Partial<RunKeys> }, values: new Values(), patiently } as unknown as RunsContext
  const { claim } = keysOfRun(context, run, () => seen.lost++)
  return Object.assign(seen, { claim: () => claim('key', wanted) })
}

const away = (): Promise<never> => Promise.reject(new Away())

test('a claim is not given up while the database is away: it may have been granted', async () => {
  const store = keys([away, away, async () => mine])
  expect(await store.claim()).toEqual(mine)
  expect(store.asked).toBe(3)
})

test('who asks again while a claim is under way waits for the same answer, and asks anew when it has come', async () => {
  const { promise, resolve } = Promise.withResolvers<Claimed>()
  const store = keys([() => promise, async () => ({ state: 'abandoned' })])
  const both = [store.claim(), store.claim()]
  resolve(mine)
  expect(await Promise.all(both)).toEqual([mine, mine])
  expect(store.asked).toBe(1)
  expect(await store.claim()).toEqual({ state: 'abandoned' })
})

test('a claim for a run that is lost is not answered', async () => {
  const store = keys([async () => undefined])
  const first = await Promise.race([store.claim(), new Promise((resolve) => setImmediate(resolve, 'no answer'))])
  expect([first, store.lost]).toEqual(['no answer', 1])
})

test('what the store refuses is passed on', async () => {
  const store = keys([() => Promise.reject(new Error('wrong'))])
  await expect(store.claim()).rejects.toThrow('wrong')
})
