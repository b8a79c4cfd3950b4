import { describe, expect, test } from 'vitest'
import { byOrder, codeOf, payments } from '../../../test/fixtures/idempotent/payments.ts'
import { fakeClock, settled } from '../../testing/fake-clock.ts'
import { recordingReview } from '../../testing/recording-review.ts'
import { ToolError } from '../../tool/errors/tool-error.ts'
import type { IdempotencyStore } from '../../tool/ports/idempotency-store.ts'
import { type Journal, memoryJournal } from '../../tool/journal/journal.ts'
import { tool } from '../../tool/tool.ts'
import { gate } from '../gate/gate.ts'
import { idempotent } from './idempotent.ts'
import { memoryIdempotency } from './memory-idempotency.ts'

describe('a caller who waits', () => {
  test('waits no longer than its own deadline, and cannot say whether it will be done', async () => {
    const clock = fakeClock()
    const { pay } = payments({ ms: 1000 })
    const once = idempotent(pay, byOrder)
    const first = once.call({ order: 'a' }, { clock })
    const waiting = once.call({ order: 'a' }, { clock, deadline: 100 })
    expect(await clock.until(waiting)).toMatchObject({ error: { code: 'deadline_exceeded', outcome: 'unknown' } })
    expect((await waiting).text).toContain('waited for another call with the same key')
    expect((await clock.until(first)).ok).toBe(true)
  })

  test('can be cancelled, and the one that runs goes on', async () => {
    const clock = fakeClock()
    const controller = new AbortController()
    const once = idempotent(payments({ ms: 1000 }).pay, byOrder)
    const first = once.call({ order: 'a' }, { clock })
    const waiting = once.call({ order: 'a' }, { clock, signal: controller.signal })
    await settled()
    controller.abort()
    expect(codeOf(await waiting)).toBe('cancelled')
    expect((await clock.until(first)).ok).toBe(true)
  })

  test('takes its turn when the one that ran says that it did nothing', async () => {
    const clock = fakeClock()
    let runs = 0
    const flaky = tool({
      name: 'flaky',
      description: 'd',
      execute: async (_input, { sleep }) => {
        await sleep(100)
        if (++runs < 3) throw new ToolError('busy', { outcome: 'failed' })
        return runs
      },
    })
    const once = idempotent(flaky, { key: () => 'k' })
    const results = await clock.until(Promise.all(Array.from({ length: 5 }, () => once.call('x', { clock }))))
    expect(results.map((result) => (result.ok ? result.value : 'failed')).toSorted()).toEqual([3, 3, 3, 'failed', 'failed'])
    expect(runs).toBe(3)
  })

  test('asks a store that cannot tell of changes again, after pauses that grow', async () => {
    const clock = fakeClock()
    const { changed: _changed, ...rest } = memoryIdempotency({ clock })
    let claims = 0
    const store: IdempotencyStore = { ...rest, claim: (key, claim) => (claims++, rest.claim(key, claim)) }
    const once = idempotent(payments({ ms: 10_000 }).pay, { ...byOrder, store })
    const results = await clock.until(Promise.all([once.call({ order: 'a' }, { clock }), once.call({ order: 'a' }, { clock })]))
    expect(results.map(({ ok }) => ok)).toEqual([true, true])
    expect(claims).toBeLessThan(15)
  })

  test('is not kept busy by a store that wakes it for nothing', async () => {
    const clock = fakeClock()
    const kept = memoryIdempotency({ clock })
    let claims = 0
    const store: IdempotencyStore = { ...kept, claim: (key, claim) => (claims++, kept.claim(key, claim)), changed: () => Promise.resolve() }
    const once = idempotent(payments({ ms: 10_000 }).pay, { ...byOrder, store })
    const results = await clock.until(Promise.all([once.call({ order: 'a' }, { clock }), once.call({ order: 'a' }, { clock })]))
    expect(results.map(({ ok }) => ok)).toEqual([true, true])
    expect(claims).toBeLessThan(60)
  })

  test('is let in like any caller: an answer is not given to who may not call the tool', async () => {
    const { pay } = payments({ permissions: ['pay'] })
    const once = idempotent(pay, byOrder)
    await once.call({ order: 'a' }, { principal: { id: 'ann', permissions: ['pay'] } })
    const forBob = await once.call({ order: 'a' }, { principal: { id: 'bob', permissions: [] } })
    expect([codeOf(forBob), forBob.text.includes('payment')]).toEqual(['permission_denied', false])
    const denied = await once.call({ order: 'a' }, { principal: { id: 'ann', permissions: ['pay'] }, policy: () => ({ deny: 'no' }) })
    expect(codeOf(denied)).toBe('policy_denied')
  })

  test('does not make a person approve what is not done again', async () => {
    const review = recordingReview()
    const once = idempotent(gate(payments().pay), byOrder)
    for (let n = 0; n < 2; n++) expect((await once.call({ order: 'a' }, { review })).ok).toBe(true)
    expect(review.requests).toHaveLength(1)
  })
})

describe('a durable run whose claim is given, and the answer lost', () => {
  const began = fakeClock().now()

  /** The first claims are given, and nobody hears of it. */
  function losing(lost: number, end: (clock: ReturnType<typeof fakeClock>) => Promise<void>) {
    const clock = fakeClock()
    const kept = memoryIdempotency({ clock })
    let claims = 0
    const store: IdempotencyStore = {
      ...kept,
      claim: async (key, claim) => {
        const claimed = await kept.claim(key, claim)
        if (++claims > lost) return claimed
        await end(clock)
        throw new Error('connection lost')
      },
    }
    const { pay, keys } = payments()
    const once = idempotent(pay, { ...byOrder, store })
    const run = (signal?: AbortSignal) =>
      once.call({ order: 'a' }, { clock, journal: { ...memoryJournal(), durable: true }, idempotencyKey: 'run', ...(signal && { signal }) })
    return { clock, once, keys, run }
  }

  test('asks again, and goes on with the key that it has [G5]', async () => {
    const { clock, once, keys, run } = losing(3, async () => {})
    expect((await clock.until(run())).ok).toBe(true)
    expect((await clock.until(once.call({ order: 'a' }, { clock }))).ok).toBe(true)
    expect([keys.length, clock.now() - began < 60_000]).toEqual([1, true])
  })

  test('fails in the end where the store stays away', async () => {
    const { clock, keys, run } = losing(Infinity, async () => {})
    expect(codeOf(await clock.until(run()))).toBe('service_unavailable')
    expect([keys, clock.now() - began < 60_000]).toEqual([[], true])
  })

  test('leaves the key to others when it is cancelled meanwhile', async () => {
    const controller = new AbortController()
    const { clock, once, keys, run } = losing(1, async () => controller.abort())
    expect(codeOf(await clock.until(run(controller.signal)))).toBe('cancelled')
    expect((await clock.until(once.call({ order: 'a' }, { clock }))).ok).toBe(true)
    expect([keys.length, clock.now() - began < 60_000]).toEqual([1, true])
  })

  test('ends all the same where the store never answers again', async () => {
    const controller = new AbortController()
    const { clock, run } = losing(Infinity, async () => {
      controller.abort()
      await new Promise(() => {})
    })
    expect(codeOf(await clock.until(run(controller.signal)))).toBe('cancelled')
    expect(clock.now() - began).toBeLessThan(60_000)
  })
})

test.each([
  ['an error of its own', new Error('connection lost')],
  ['an error of a tool', new ToolError('The database went away.', { code: 'store_unavailable', outcome: 'failed' })],
])('a claim that failed with %s fails the same way when the run is taken up, and nothing is called [G5]', async (_name, error) => {
  const clock = fakeClock()
  const kept = memoryIdempotency({ clock })
  let isAway = true
  const store: IdempotencyStore = { ...kept, claim: (key, claim) => (isAway ? Promise.reject(error) : kept.claim(key, claim)) }
  const { pay, keys } = payments()
  const once = idempotent(pay, { ...byOrder, store })
  const first = memoryJournal()
  const call = (journal: Journal) => clock.until(once.call({ order: 'a' }, { clock, journal, idempotencyKey: 'run' }))
  const failed = await call(first)
  isAway = false
  const again = await call(memoryJournal(first.entries))
  expect([failed.ok, codeOf(again), again.text, keys]).toEqual([false, codeOf(failed), failed.text, []])
})
