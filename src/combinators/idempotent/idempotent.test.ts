import { describe, expect, test } from 'vitest'
import { byOrder, codeOf, payments } from '../../../test/fixtures/idempotent/payments.ts'
import { fakeClock } from '../../testing/fake-clock.ts'
import { fakeIds } from '../../testing/fake-ids.ts'
import { recordEvents } from '../../testing/record-events.ts'
import { compound } from '../../tool/compound.ts'
import { digest } from '../../tool/journal/hash.ts'
import type { IdempotencyStore } from '../../tool/ports/idempotency-store.ts'
import { success } from '../../tool/result/returned.ts'
import { tool } from '../../tool/tool.ts'
import { idempotent } from './idempotent.ts'
import { memoryIdempotency } from './memory-idempotency.ts'

describe('an idempotent tool', () => {
  test('runs once for a key, and gives the same answer again [G4] [I4]', async () => {
    const { pay, keys } = payments()
    const once = idempotent(pay)
    const first = await once.call({ order: 'a' }, { idempotencyKey: 'k' })
    const again = await once.call({ order: 'a' }, { idempotencyKey: 'k' })
    const other = await once.call({ order: 'a' }, { idempotencyKey: 'l' })
    expect([first.text, again.text, other.text]).toEqual(['payment 1 of 10 for a', 'payment 1 of 10 for a', 'payment 2 of 10 for a'])
    expect(keys).toHaveLength(2)
  })

  test('goes by a key that its author makes of the input, within its own name and version', async () => {
    const store = memoryIdempotency()
    const { pay, keys } = payments()
    const { pay: later, keys: laterKeys } = payments({ version: '2.0.0' })
    for (const order of ['a', 'b', 'a']) await idempotent(pay, { ...byOrder, store }).call({ order })
    await idempotent(later, { ...byOrder, store }).call({ order: 'a' })
    expect([keys.length, laterKeys.length]).toEqual([2, 1])
  })

  test('has keys of its own for each principal, unless all share them', async () => {
    const as = (id: string) => ({ principal: { id, permissions: [] } })
    for (const [share, times] of [
      [undefined, 3],
      ['everyone', 1],
    ] as const) {
      const { pay, keys } = payments()
      const once = idempotent(pay, { ...byOrder, share })
      for (const options of [as('ann'), as('bob'), {}, as('ann')]) expect((await once.call({ order: 'a' }, options)).ok).toBe(true)
      expect(keys).toHaveLength(times)
    }
    expect(() => idempotent(payments().pay, { share: 'all' as never })).toThrow(/'share' of idempotent for 'pay'/)
  })

  test('is a layer: it keeps name, version, schema, effect and permissions, and may be repeated by key', () => {
    const { pay } = payments({ version: '1.2.0', permissions: ['pay'], estimates: { latencyMs: 5 }, tags: ['t'] })
    const once = idempotent(pay)
    const { name, version, description, effect, permissions, estimates, tags, specification } = pay
    expect(once).toMatchObject({ name, version, description, effect, permissions, estimates, tags, specification, idempotent: 'keyed' })
    expect(idempotent(payments({ idempotent: true }).pay).idempotent).toBe(true)
    expect(once.plan()).toMatchObject({ kind: 'idempotent', layer: true, detail: 'once per key, for 168 h 00 m', parts: [{ tool: pay }] })
  })

  test('lets a hundred callers at once run it once, and gives all of them its answer [G4]', async () => {
    const clock = fakeClock()
    const { pay, keys } = payments({ ms: 100 })
    const once = idempotent(pay, byOrder)
    // The same ids for all of them: who holds a key does not go by these.
    const calls = Array.from({ length: 100 }, () => once.call({ order: 'a' }, { clock, ids: fakeIds() }))
    const results = await clock.until(Promise.all(calls))
    expect(new Set(results.map(({ text }) => text))).toEqual(new Set(['payment 1 of 10 for a']))
    expect(results.filter(({ issues }) => issues === undefined)).toHaveLength(1)
    expect(keys).toHaveLength(1)
  })

  test('hands the tool a key that follows from its own, whoever asks and from where [G4]', async () => {
    const { pay, keys } = payments({ idempotent: 'keyed' })
    const options = { clock: fakeClock() }
    const run = async (name: string): Promise<void> => {
      const whole = compound({
        name,
        description: 'd',
        parts: { once: idempotent(pay, { ...byOrder, store: memoryIdempotency() }) },
        run: (_input, context, { once }) => context.call(name, once, { order: 'a' }),
      })
      await whole.call('x', options)
    }
    await run('here')
    await run('there')
    expect(keys).toHaveLength(2)
    expect(keys[0]).toBe(keys[1])
  })

  test('says that an answer is a repeated one, and shows where it came from', async () => {
    const clock = fakeClock()
    const recorder = recordEvents()
    const chatty = tool({
      name: 'chatty',
      description: 'd',
      execute: () =>
        success(
          { n: 1, at: new Date(5) },
          { text: 'one', confidence: 0.5, content: [{ type: 'text', text: 'c' }], issues: [{ severity: 'warning', message: 'own' }] },
        ),
    })
    const once = idempotent(chatty)
    const first = await once.call('x', { clock, on: recorder, idempotencyKey: 'k' })
    await clock.advance(5000)
    const again = await once.call('x', { clock, on: recorder, idempotencyKey: 'k' })
    expect(again.provenance).toEqual(first.provenance)
    expect(again).toMatchObject({
      ok: true,
      value: { n: 1, at: new Date(5) },
      text: 'one',
      confidence: 0.5,
      content: [{ type: 'text', text: 'c' }],
      issues: [
        { severity: 'warning', message: 'own' },
        {
          severity: 'info',
          message: 'Repeated: the answer of the call with the same key that ended at 2023-11-14T22:13:20.000Z. Nothing was done again.',
        },
      ],
    })
    expect(recorder.summary()).toEqual([
      ...['call.started chatty', 'call.started chatty/once', 'call.finished chatty/once', 'call.finished chatty'],
      ...['call.started chatty', 'call.started chatty/repeated', 'call.finished chatty/repeated', 'call.finished chatty'],
    ])
  })

  test('refuses another input under the same key, and does not tell the key', async () => {
    const { pay, keys } = payments()
    const once = idempotent(pay, { key: () => 'secret-card-4242' })
    await once.call({ order: 'a' })
    const other = await once.call({ order: 'b' })
    expect(other).toMatchObject({
      ok: false,
      error: { code: 'idempotency_conflict', class: 'input_validation', retryable: false, outcome: 'not_started' },
    })
    expect(JSON.stringify(other)).not.toContain('4242')
    expect(keys).toHaveLength(1)
  })

  test('knows an input by what it means: defaults and the order of fields make no difference', async () => {
    const once = idempotent(payments().pay, byOrder)
    await once.call({ order: 'a' })
    expect((await once.call({ amount: 10, order: 'a' })).ok).toBe(true)
    expect(codeOf(await once.call({ order: 'a', amount: 11 }))).toBe('idempotency_conflict')
  })

  test('forgets a key after its time, counted from the answer', async () => {
    const clock = fakeClock()
    const { pay } = payments()
    const once = idempotent(pay, { ...byOrder, keepFor: '1h', store: memoryIdempotency({ clock }) })
    const texts: string[] = []
    for (const ms of [0, 3_599_999, 1]) {
      await clock.advance(ms)
      texts.push((await once.call({ order: 'a' }, { clock })).text.slice(0, 9))
    }
    expect(texts).toEqual(['payment 1', 'payment 1', 'payment 2'])
  })

  test('keeps the keys of principals without a tenant as they were, and gives each tenant keys of its own', async () => {
    const seen: string[] = []
    const kept = memoryIdempotency()
    const store: IdempotencyStore = { ...kept, claim: (key, claim) => (seen.push(key), kept.claim(key, claim)) }
    const once = idempotent(payments().pay, { ...byOrder, store })
    for (const tenant of [undefined, null, 'acme', 'other', { name: 'acme' }])
      await once.call({ order: 'a' }, { principal: { id: 'ann', permissions: [], tenant } })
    // The digest in databases of earlier versions.
    expect(seen[0]).toBe(digest('pay@0.0.0\nprincipal\n"ann"\nown\na'))
    expect(seen[1]).toBe(seen[0])
    expect(new Set(seen).size).toBe(4)
  })

  test('refuses a tenant that is no data, before anything is done', async () => {
    const { pay, keys } = payments()
    const principal = { id: 'ann', permissions: [], tenant: () => 'acme' }
    expect(await idempotent(pay, byOrder).call({ order: 'a' }, { principal })).toMatchObject({
      error: { code: 'not_serializable', outcome: 'not_started' },
    })
    expect(keys).toEqual([])
  })

  test('prefers its own store, else takes the one of the call [G4]', async () => {
    const [own, given] = [memoryIdempotency(), memoryIdempotency()]
    const { pay, keys } = payments()
    await idempotent(pay, byOrder).call({ order: 'a' }, { stores: { idempotency: given } })
    await idempotent(pay, byOrder).call({ order: 'a' }, { stores: { idempotency: given } })
    expect(keys).toHaveLength(1)
    await idempotent(pay, { ...byOrder, store: own }).call({ order: 'a' }, { stores: { idempotency: given } })
    expect(keys).toHaveLength(2)
  })

  test('does not keep the answers of what stands in for the tool in a test', async () => {
    const { pay, keys } = payments()
    const once = idempotent(pay, byOrder)
    const stood = await once.call({ order: 'a' }, { overrides: { pay: () => 'nothing' } })
    expect([stood.text, (await once.call({ order: 'a' })).text, keys.length]).toEqual(['nothing', 'payment 1 of 10 for a', 1])
  })

  test('inside itself does not wait for itself', async () => {
    const { pay, keys } = payments()
    const store = memoryIdempotency()
    const twice = idempotent(idempotent(pay, { ...byOrder, store }), { ...byOrder, store })
    expect((await twice.call({ order: 'a' }, { deadline: 1000 })).text).toBe('payment 1 of 10 for a')
    expect(keys).toHaveLength(1)
  })
})

describe('wrong arguments of idempotent', () => {
  const { pay } = payments()
  const untyped = idempotent as unknown as (...given: readonly unknown[]) => unknown

  test.each([
    ['no tool', () => untyped('pay'), 'The first argument of idempotent is not a tool'],
    ['no options', () => untyped(pay, 'key'), "The options of idempotent for 'pay' must be an object"],
    ['a key that is no function', () => untyped(pay, { key: 'order' }), "'key' of idempotent for 'pay' must be a function"],
    ['no time', () => untyped(pay, { keepFor: 0 }), "'keepFor' of idempotent for 'pay' must be more than 0"],
    ['a time that is none', () => untyped(pay, { lease: 'soon' }), "'lease' of idempotent for 'pay' must be milliseconds"],
    ['a store that is none', () => untyped(pay, { store: {} }), "'store' of idempotent for 'pay' must be a store of keys"],
  ])('%s', (_what, make, said) => {
    expect(make).toThrow(said)
  })

  test('a store of a call that is none', async () => {
    await expect(idempotent(pay).call({ order: 'a' }, { stores: { idempotency: {} as IdempotencyStore } })).rejects.toThrow(
      "The option 'stores.idempotency' of a call must be a store of keys",
    )
  })

  test.each([
    ['is empty', () => '', 'an empty one'],
    ['is no text', () => 5 as never, 'a value of type number'],
    ['is nothing', () => null as never, 'null'],
  ])('a key that %s fails the call before it is made', async (_what, key, gave) => {
    const result = await idempotent(pay, { key }).call({ order: 'a' })
    expect(result).toMatchObject({ error: { code: 'adapter_failed', outcome: 'not_started' } })
    expect(result.text).toContain(`must give a text that is not empty, and gave ${gave}.`)
  })
})
