import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type IdempotencyDatabase, startIdempotencyDatabase } from '../../test/fixtures/postgres/idempotency-database.ts'
import { memoryIdempotency } from '../combinators/idempotent/memory-idempotency.ts'
import { fakeClock } from '../testing/fake-clock.ts'
import type { Claimed, IdempotencyStore } from '../tool/ports/idempotency-store.ts'
import { postgresIdempotency } from './postgres-idempotency.ts'

const HOUR = 3_600_000

/** Hours, so that the milliseconds that a database takes make no difference. */
type Action =
  | { readonly do: 'claim'; readonly holder: string; readonly inputHash: string; readonly leaseMs: number; readonly takesOver: boolean }
  | { readonly do: 'renew'; readonly by: string; readonly leaseMs: number }
  | { readonly do: 'settle'; readonly by: string; readonly result: string | undefined }
  | { readonly do: 'pass'; readonly ms: number }

const holder = fc.constantFrom('ann', 'bob', 'cid')
const hours = (...of: readonly number[]) => fc.constantFrom(...of.map((each) => each * HOUR))

const action: fc.Arbitrary<Action> = fc.oneof(
  fc.record({
    do: fc.constant('claim' as const),
    holder,
    inputHash: fc.constantFrom('h', 'h', 'h', 'other'),
    leaseMs: hours(1, 3, 50),
    takesOver: fc.boolean(),
  }),
  fc.record({ do: fc.constant('renew' as const), by: holder, leaseMs: hours(0, 2, 50) }),
  fc.record({ do: fc.constant('settle' as const), by: holder, result: fc.constantFrom('answer', undefined) }),
  fc.record({ do: fc.constant('pass' as const), ms: hours(0.5, 1, 2.5, 30) }),
)

/** Plays the actions on a store, with the fences that it gave to each holder, and tells what it said. */
async function play(
  store: IdempotencyStore,
  actions: readonly Action[],
  { key, pass }: { key: string; pass: (ms: number) => Promise<void> },
) {
  const fences = new Map<string, number>()
  const said: unknown[] = []
  for (const each of actions) {
    if (each.do === 'pass') await pass(each.ms)
    else if (each.do === 'claim') {
      const { do: _do, ...claim } = each
      const claimed = await store.claim(key, { ...claim, tool: 'pay@1.0.0', keepMs: 24 * HOUR })
      if (claimed.state === 'mine') fences.set(each.holder, claimed.fence)
      said.push(comparable(claimed, fences))
    } else {
      const fence = fences.get(each.by) ?? 0
      said.push(await (each.do === 'renew' ? store.renew(key, fence, each.leaseMs) : store.settle(key, fence, each.result)))
    }
  }
  return said
}

/** Fences differ from store to store; that the newest is the highest does not. */
function comparable(claimed: Claimed, fences: ReadonlyMap<string, number>): unknown {
  if (claimed.state === 'mine') return { state: 'mine', isHighest: Math.max(...fences.values()) === claimed.fence }
  return claimed.state === 'busy' ? { state: 'busy', hours: Math.round((2 * claimed.retryInMs) / HOUR) / 2 } : claimed
}

let database: IdempotencyDatabase

beforeAll(async () => {
  database = await startIdempotencyDatabase()
}, 60_000)

afterAll(() => database.stop())

test('keys in PostgreSQL answer as those in memory do, whatever is asked of them in whatever order [G4]', { timeout: 60_000 }, async () => {
  const store = postgresIdempotency(database.pool)
  let keys = 0
  await fc.assert(
    fc.asyncProperty(fc.array(action, { minLength: 1, maxLength: 14 }), async (actions) => {
      const clock = fakeClock(0)
      const inMemory = await play(memoryIdempotency({ clock }), actions, { key: 'k', pass: (ms) => clock.advance(ms) })
      await database.pool.query('TRUNCATE toolwright.idempotency')
      expect(await play(store, actions, { key: `k${keys++}`, pass: database.pass })).toEqual(inMemory)
    }),
    { numRuns: 300 },
  )
})
