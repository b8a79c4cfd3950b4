import { describe, expect, test } from 'vitest'
import { byOrder, codeOf, payments, type Payments } from '../../../test/fixtures/idempotent/payments.ts'
import { fakeClock } from '../../testing/fake-clock.ts'
import { recordingReview } from '../../testing/recording-review.ts'
import { compound } from '../../tool/compound.ts'
import { isExitEarly } from '../../tool/errors/exit-early.ts'
import type { IdempotencyStore } from '../../tool/ports/idempotency-store.ts'
import { tool } from '../../tool/tool.ts'
import { gate } from '../gate/gate.ts'
import { idempotent } from './idempotent.ts'
import { memoryIdempotency } from './memory-idempotency.ts'

describe('a holder', () => {
  test('that is slow renews its claim and is not taken for dead [G4]', async () => {
    const clock = fakeClock()
    const { pay, keys } = payments({ ms: 50_000, idempotent: 'keyed' })
    const once = idempotent(pay, { ...byOrder, lease: '3s', store: memoryIdempotency({ clock }) })
    const calls = [once.call({ order: 'a' }, { clock }), once.call({ order: 'a' }, { clock })]
    const results = await clock.until(Promise.all(calls))
    expect([results.map(({ ok }) => ok), keys.length]).toEqual([[true, true], 1])
  })

  test('that is gone is taken over after its lease where repeating does no harm, and what it says later does not count [G4]', async () => {
    const clock = fakeClock()
    const store = memoryIdempotency({ clock })
    const stale: IdempotencyStore = { ...store, renew: () => Promise.reject(new Error('the network is down')) }
    const { pay, keys } = payments({ ms: 5000, idempotent: 'keyed' })
    const zombie = idempotent(pay, { ...byOrder, lease: '1s', store: stale }).call({ order: 'a' }, { clock })
    await clock.advance(999)
    const heir = idempotent(pay, { ...byOrder, lease: '1s', store }).call({ order: 'a' }, { clock })
    const [late, answer] = await clock.until(Promise.all([zombie, heir]))
    expect(keys).toHaveLength(2)
    expect(keys[0]).toBe(keys[1])
    expect(late.issues).toMatchObject([{ severity: 'warning', message: expect.stringContaining('took over the key') }])
    const later = await idempotent(pay, { ...byOrder, store }).call({ order: 'a' }, { clock })
    expect(later.provenance).toEqual(answer.provenance)
  })

  test('that is gone leaves the outcome open where repeating could do harm, and its late word still counts', async () => {
    const clock = fakeClock()
    const store = memoryIdempotency({ clock })
    const stale: IdempotencyStore = { ...store, renew: () => Promise.reject(new Error('the network is down')) }
    const { pay, keys } = payments({ ms: 5000 })
    const late = idempotent(pay, { ...byOrder, lease: '1s', store: stale }).call({ order: 'a' }, { clock })
    await clock.advance(1000)
    const once = idempotent(pay, { ...byOrder, store })
    expect(codeOf(await once.call({ order: 'a' }, { clock }))).toBe('outcome_unknown')
    await clock.until(late)
    expect((await once.call({ order: 'a' }, { clock })).text).toBe((await late).text)
    expect(keys).toHaveLength(1)
  })

  test.each([
    ['a gate', (pay: Payments['pay']) => gate(pay), {}],
    ['the tool itself', (pay: Payments['pay']) => pay, { requireApproval: true }],
  ])('that is stopped by a person before anything ran frees the key: %s', async (_who, guarded, more) => {
    const { pay, keys } = payments(more)
    const once = idempotent(guarded(pay), byOrder)
    const stopped = await once.call({ order: 'a' }, { review: recordingReview({ action: 'stop' }) }).catch((error: unknown) => error)
    expect(isExitEarly(stopped)).toBe(true)
    expect((await once.call({ order: 'a' }, { review: recordingReview() })).ok).toBe(true)
    expect(keys).toHaveLength(1)
  })

  test('that is stopped after a part took effect leaves the outcome open', async () => {
    const { pay, keys } = payments()
    const stop = tool({ name: 'ask', description: 'd', effect: 'read', execute: () => 'asked' })
    const whole = compound({
      name: 'whole',
      description: 'd',
      parts: { pay, stop: gate(stop) },
      run: async (_input, context, parts) => {
        await context.call('pay', parts.pay, { order: 'a' })
        return context.call('ask', parts.stop, 'x')
      },
    })
    const once = idempotent(whole, { key: () => 'k' })
    await expect(once.call('x', { review: recordingReview({ action: 'stop' }) })).rejects.toThrow('stopped')
    expect([codeOf(await once.call('x', { review: recordingReview() })), keys.length]).toEqual(['outcome_unknown', 1])
  })
})

describe('a store that fails', () => {
  const broken = (fails: keyof IdempotencyStore): IdempotencyStore => ({
    ...memoryIdempotency(),
    [fails]: () => Promise.reject(new Error('the database is away')),
  })

  test('before the call keeps the tool from being called', async () => {
    const { pay, keys } = payments()
    const result = await idempotent(pay, { ...byOrder, store: broken('claim') }).call({ order: 'a' })
    expect(result).toMatchObject({ error: { code: 'service_unavailable', outcome: 'not_started', retryable: true } })
    expect(result.text).toBe("Error: Tool 'pay' was not called, since the store of its keys failed: the database is away")
    expect(keys).toEqual([])
  })

  test('after the call does not take the answer away, and is told', async () => {
    const result = await idempotent(payments().pay, { ...byOrder, store: broken('settle') }).call({ order: 'a' })
    expect(result).toMatchObject({ ok: true, issues: [{ severity: 'warning', message: expect.stringContaining('could not be kept') }] })
  })

  test('to answer at all holds nobody for ever', async () => {
    const clock = fakeClock()
    const hangs = { ...memoryIdempotency(), settle: () => new Promise<boolean>(() => {}) }
    const { pay, keys } = payments()
    expect((await clock.until(idempotent(pay, { ...byOrder, store: hangs }).call({ order: 'a' }, { clock }))).ok).toBe(true)
    const silent = { ...memoryIdempotency(), claim: () => new Promise<never>(() => {}) }
    const result = await clock.until(idempotent(pay, { ...byOrder, store: silent }).call({ order: 'b' }, { clock, deadline: 50 }))
    expect([codeOf(result), keys.length]).toEqual(['deadline_exceeded', 1])
  })

  test('gives back a key that comes when the caller is gone', async () => {
    const clock = fakeClock()
    const store = memoryIdempotency({ clock })
    const slow: IdempotencyStore = {
      ...store,
      claim: (key, claim) => new Promise((resolve) => clock.timer(200, () => resolve(store.claim(key, claim)))),
    }
    const { pay, keys } = payments()
    expect((await clock.until(idempotent(pay, { ...byOrder, store: slow }).call({ order: 'a' }, { clock, deadline: 50 }))).ok).toBe(false)
    await clock.advance(200)
    expect((await idempotent(pay, { ...byOrder, store }).call({ order: 'a' }, { clock })).ok).toBe(true)
    expect(keys).toHaveLength(1)
  })
})
