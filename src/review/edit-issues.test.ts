import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { tool } from '../index.ts'
import { settled } from '../testing/fake-clock.ts'
import { createInbox } from './create-inbox.ts'
import type { Inbox, InputChange } from './inbox.ts'

const order = tool({
  name: 'order',
  description: 'Orders.',
  inputSchema: z.object({
    amount: z.number().min(1),
    password: z.string().max(6),
    passcode: z.number().meta({ sensitive: true }),
    secret: z.object({ user: z.string(), key: z.string() }),
    to: z.object({ street: z.string(), city: z.string().optional() }).optional(),
    lines: z.array(z.object({ item: z.string(), count: z.number().optional() })).optional(),
    labels: z.record(z.string(), z.string()).optional(),
    pay: z.discriminatedUnion('by', [
      z.object({ by: z.literal('card'), token: z.string() }),
      z.object({ by: z.literal('bill'), days: z.number() }),
    ]),
  }),
  requireApproval: true,
  execute: (input) => input,
})

const INPUT = {
  amount: 5,
  password: 'sesame',
  passcode: 4711,
  secret: { user: 'ann', key: 'key-5678' },
  to: { street: 'Elm' },
  lines: [{ item: 'pen' }],
  pay: { by: 'card' as const, token: 'tok-1234' },
}

async function asked(inbox: Inbox): Promise<{ readonly id: string; readonly result: ReturnType<typeof order.call> }> {
  const result = order.call(INPUT, { review: inbox.handler })
  await settled()
  const [item] = await inbox.list()
  return { id: item?.request.id ?? '', result }
}

/** What the person is told; the request must stay open. */
async function refusalOf(change: InputChange): Promise<string> {
  const inbox = createInbox()
  const { id } = await asked(inbox)
  const thrown: unknown = await inbox.edit(id, change).catch((error: unknown) => error)
  expect(thrown).toMatchObject({ name: 'InboxError', code: 'invalid_answer' })
  expect((await inbox.list()).map(({ request }) => request.id)).toEqual([id])
  return (thrown as Error).message
}

async function valueAfter(change: InputChange): Promise<unknown> {
  const inbox = createInbox()
  const { id, result } = await asked(inbox)
  await inbox.edit(id, change)
  const settledResult = await result
  return settledResult.ok ? settledResult.value : settledResult.error.message
}

const cyclic: Record<string, unknown> = {}
cyclic['self'] = cyclic

describe('an edit is refused where it is made, and the request stays open,', () => {
  test.each<readonly [string, InputChange, RegExp]>([
    ['a misspelled field', { patch: { amuont: 7 } }, /stays open: there is no field 'amuont'\. Did you mean 'amount'\?$/],
    ['a misspelled field inside', { patch: { to: { stret: 'Oak' } } }, /no field 'to\.stret'\. Did you mean 'to\.street'/],
    [
      'a misspelled field of an item',
      { patch: { lines: [{ item: 'a', cuont: 2 }] } },
      /no field 'lines\.0\.cuont'\. Did you mean 'lines\.0\.count'/,
    ],
    ['a misspelled field to remove', { patch: { lables: null } }, /no field 'lables'\. Did you mean 'labels'/],
    ['a field of another option', { patch: { pay: { days: 3 } } }, /no field 'pay\.days'/],
    ['a misspelled field of a whole input', { input: { ...INPUT, amuont: 7 } }, /no field 'amuont'/],
    ['a value of the wrong type', { patch: { amount: 'seven' } }, /stays open: 'amount': must be number\.$/],
    ['a masked value made wrong', { patch: { passcode: 'abc' } }, /'passcode': must be number\.$/],
    ['a value out of range', { input: { ...INPUT, amount: 0 } }, /'amount': must be >= 1\.$/],
    ['a removed field that is needed', { patch: { amount: null } }, /'amount' is missing\.$/],
    ['a whole input that lacks a field', { input: { amount: 3 } }, /'password' is missing/],
    ['a patch that is no object', { patch: 7 }, /an object with the fields to change, such as \{"amount": \.\.\.\}, not a number\.$/],
    ['a patch that is a list', { patch: [1] }, /not a list\.$/],
    ['a function', { patch: { amount: () => 1 } }, /it is not plain data \(.*function/],
    ['a cycle', { input: cyclic }, /it is not plain data \(.*itself/],
    ['nothing', { input: undefined }, /needs the whole input as `input`, or a merge patch as `patch`\. The request stays open\.$/],
    ['both', { input: INPUT, patch: {} }, /and not both\. The request stays open\.$/],
  ])('for %s [T14]', async (_what, change, message) => {
    expect(await refusalOf(change)).toMatch(message)
  })
})

describe('an edit counts', () => {
  test.each<readonly [string, InputChange, object]>([
    ['beside secrets that are masked', { patch: { amount: 7 } }, { amount: 7, password: 'sesame', pay: INPUT.pay }],
    ['with a mask left in the whole input', { input: { ...INPUT, amount: 8, password: '••••••' } }, { amount: 8, password: 'sesame' }],
    ['with a part of what is masked as a whole', { patch: { secret: { user: 'eve' } } }, { secret: { user: 'eve', key: 'key-5678' } }],
    ['with fields that were not there and are declared', { patch: { to: { city: 'Ulm' } } }, { to: { street: 'Elm', city: 'Ulm' } }],
    ['with fields of any name where any is allowed', { patch: { labels: { anything: 'x' } } }, { labels: { anything: 'x' } }],
    ['with another option of a union', { input: { ...INPUT, pay: { by: 'bill', days: 3 } } }, { pay: { by: 'bill', days: 3 } }],
    ['with a declared field removed that was not there', { patch: { labels: null, amount: 2 } }, { amount: 2 }],
  ])('%s [T14]', async (_what, change, value) => {
    expect(await valueAfter(change)).toMatchObject(value)
  })

  test('where the schema converts what its JSON Schema does not take [T14]', async () => {
    const inbox = createInbox()
    const pay = tool({
      name: 'pay',
      description: 'Pays.',
      inputSchema: z.object({ price: z.preprocess((text) => Number.parseInt(String(text), 10), z.number()).transform((n) => `${n} EUR`) }),
      requireApproval: true,
      execute: ({ price }) => price,
    })
    const result = pay.call({ price: '5 EUR' }, { review: inbox.handler })
    await settled()
    const [item] = await inbox.list()
    await inbox.edit(item?.request.id ?? '', { patch: { price: '6 EUR' } })
    expect(await result).toMatchObject({ ok: true, value: '6 EUR' })
  })
})
