import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { check } from '../../plan/check.ts'
import { explain } from '../../plan/explain.ts'
import { comparable } from '../../testing/replay-from-every-prefix.ts'
import { memoryJournal } from '../../tool/journal/journal.ts'
import { from } from '../../tool/given/reference.ts'
import { pick } from '../../tool/given/pick.ts'
import { resolve } from '../../tool/resolve/resolve.ts'
import { failure } from '../../tool/result/returned.ts'
import { tool } from '../../tool/tool.ts'
import { gate } from '../gate/gate.ts'
import { fill } from './fill.ts'
import { into } from './into.ts'
import { pipe } from './pipe.ts'
import { ToolPipeline } from './tool-pipeline.ts'

const Order = z.object({ id: z.string(), total: z.number(), customerId: z.string(), note: z.string().optional() })
const findOrder = tool({
  name: 'find_order',
  description: 'Finds an order.',
  inputSchema: z.object({ number: z.string(), reason: z.enum(['late', 'lost']) }),
  outputSchema: Order,
  effect: 'read',
  execute: ({ number }) => ({ id: `o-${number}`, total: 40, customerId: 'c-1' }),
})
const findCustomer = tool({
  name: 'find_customer',
  description: 'Finds a customer.',
  inputSchema: z.object({ id: z.string() }),
  outputSchema: z.object({ email: z.string(), tags: z.array(z.string()) }),
  effect: 'read',
  execute: ({ id }) => ({ email: `${id}@shop.example`, tags: ['new'] }),
})
const Refund = z.object({
  orderId: z.string(),
  amount: z.number(),
  email: z.string(),
  reason: z.enum(['late', 'lost']),
  note: z.string().optional(),
})
const refund = tool({
  name: 'refund',
  description: 'Pays an order back.',
  inputSchema: Refund,
  outputSchema: Refund,
  effect: 'write',
  idempotent: true,
  execute: (given) => given,
})

const FIELDS = {
  orderId: from('find_order', 'id'),
  amount: from('find_order', 'total'),
  email: from('find_customer', 'email'),
  reason: from.input('reason'),
  note: from('find_order', 'note'),
} as const

const flow = pipe.named({ name: 'refund_order', description: 'Refunds an order.' })(
  findOrder,
  fill({ id: from.value('customerId') }, findCustomer),
  fill(FIELDS, refund),
)

const REFUNDED = { orderId: 'o-7', amount: 40, email: 'c-1@shop.example', reason: 'late' }

/** Without estimates, which these tools do not have. */
const found = (whole: Parameters<typeof check>[0]) =>
  check(whole)
    .filter(({ code }) => code.startsWith('edge'))
    .map(({ severity, code, path, field, message }) => ({ severity, code, path, field, message }))

describe('a pipeline whose fields come from the steps before', () => {
  test('fills them from results, the input and constants [P2]', async () => {
    expect(flow.name).toBe('refund_order')
    expect(flow.description).toBe('Refunds an order.')
    expect(await flow.call({ number: '7', reason: 'late' })).toMatchObject({ ok: true, value: REFUNDED })
    const constant = pipe(findOrder, fill({ ...FIELDS, email: 'a@b.c', reason: 'lost' }, refund))
    expect(await constant.call({ number: '7', reason: 'late' })).toMatchObject({ value: { email: 'a@b.c', reason: 'lost' } })
  })

  test('leaves a field out that is not there', async () => {
    const result = await flow.call({ number: '7', reason: 'late' })
    expect(result.ok && Object.keys(result.value)).not.toContain('note')
  })

  test('knows the input of a model too, which comes as text', async () => {
    const result = await (await resolve([flow])).call('refund_order', '{"number":"7","reason":"late"}')
    expect(result).toMatchObject({ ok: true, value: REFUNDED })
  })

  test('is the same with the builder, and with an adapter that gets the same by name', async () => {
    const built = ToolPipeline.builder()
      .step(findOrder)
      .mapping({ id: from('find_order', 'customerId') })
      .step(gate(findCustomer, { approval: false }))
      .adapter(({ value, text, input, results }) => {
        expect(JSON.parse(text)).toEqual(value)
        expect(Object.keys(results)).toEqual(['find_order', 'find_customer'])
        return { orderId: results.find_order.value.id, amount: 40, email: results.find_customer.value.email, reason: input.reason }
      })
      .step(refund)
      .build()
    expect(await built.call({ number: '7', reason: 'late' })).toMatchObject({ ok: true, value: REFUNDED })
  })

  test('picks fields of the value before, takes whole values, texts, positions and nested fields', async () => {
    const keep = tool({ name: 'keep', description: 'd', inputSchema: z.looseObject({}), effect: 'read', execute: (given) => given })
    const kept = pipe(
      findOrder,
      fill({ id: from.value('customerId') }, findCustomer),
      fill(
        {
          ...pick('email'),
          order: from('find_order'),
          first: from('find_customer', 'tags', 0),
          second: from('find_customer', 'tags', 1),
          deep: { list: [from.input('number'), 1] },
        },
        keep,
      ),
    )
    expect(await kept.call({ number: '7', reason: 'late' })).toMatchObject({
      value: { email: 'c-1@shop.example', order: { id: 'o-7' }, first: 'new', deep: { list: ['7', 1] } },
    })
    const echo = tool({ name: 'echo', description: 'd', effect: 'read', execute: (text) => text })
    const told = pipe(
      findOrder,
      fill(from.value('id'), echo),
      fill(from.text('find_order'), tool({ name: 'say', description: 'd', execute: (text) => text })),
    )
    expect(await told.call({ number: '7', reason: 'late' })).toMatchObject({ value: '{"id":"o-7","total":40,"customerId":"c-1"}' })
  })

  test('keeps the input that it was called with, whatever a step or the caller does to it', async () => {
    const spoil = tool({
      name: 'spoil',
      description: 'd',
      inputSchema: z.looseObject({ number: z.string() }),
      effect: 'read',
      execute: async (given) => {
        given.number = 'spoiled'
        await Promise.resolve()
        return { ok: true }
      },
    })
    const say = tool({ name: 'say', description: 'd', effect: 'read', execute: (text) => text })
    const given = { number: '7' }
    const mapped = pipe(spoil, fill(from.input('number'), say)).call(given)
    const adapted = pipe(
      spoil,
      into(({ input }) => input.number, say),
    ).call(given)
    given.number = 'changed'
    expect([await mapped, await adapted]).toMatchObject([{ value: '7' }, { value: '7' }])
  })

  test('cannot change the results for the adapters after it', async () => {
    const say = tool({ name: 'say', description: 'd', effect: 'read', execute: (text) => text })
    const whole = pipe(
      findOrder,
      into(({ results }) => {
        delete (results as { find_order?: unknown }).find_order
        return 'x'
      }, say),
      into(({ results }) => results.find_order.value.id, say),
    )
    expect(await whole.call({ number: '7', reason: 'late' })).toMatchObject({ value: 'o-7' })
  })

  test('after a pause has the same results from the journal, and records nothing of its own [P6]', async () => {
    const journal = memoryJournal()
    const live = await flow.call({ number: '7', reason: 'late' }, { journal })
    const paths = journal.entries.map(({ path }) => path)
    expect(new Set(paths)).toEqual(new Set(['refund_order/find_order', 'refund_order/find_customer', 'refund_order/refund']))
    for (let count = 0; count <= journal.entries.length; count++) {
      const again = await flow.call({ number: '7', reason: 'late' }, { journal: memoryJournal(journal.entries.slice(0, count)) })
      expect(comparable(again)).toEqual(comparable(live))
    }
  })

  test('says which step failed, if a field comes from it', async () => {
    const broken = tool({ name: 'broken', description: 'd', effect: 'read', execute: (): { id: string } => failure('no') as never })
    const say = tool({ name: 'say', description: 'd', effect: 'read', execute: (text) => text })
    const whole = ToolPipeline.builder()
      .step(broken)
      .step(say)
      .mapping(from('broken', 'id'))
      .step(tool({ name: 'last', description: 'd', effect: 'read', execute: (text) => text }))
      .errorStrategy('CONTINUE_ON_FAILURE')
      .build()
    expect(await whole.call('x')).toMatchObject({
      ok: false,
      error: {
        code: 'adapter_failed',
        message: "The adapter broken.id failed: it takes broken.id, but step 'broken' has no result, because it failed.",
      },
    })
  })
})

describe('a mapping that is wrong', () => {
  const untyped = fill as unknown as (mapping: unknown, step: unknown) => never

  test('is refused when the pipeline is made', () => {
    expect(() => pipe(findOrder, untyped({ id: from('find_ordr', 'id') }, findCustomer))).toThrow(
      "The mapping before 'find_customer' in 'find_order_then_find_customer' takes find_ordr.id, but no step before it is called \"find_ordr\". There is: find_order.",
    )
    expect(() => pipe(findOrder, untyped({ id: from('find_customer', 'email') }, findCustomer))).toThrow(
      'no step before it is called "find_customer"',
    )
    expect(() => pipe(findOrder, untyped({ id: from('find_order', 'idd') }, findCustomer))).toThrow(
      "takes find_order.idd, but the output schema of 'find_order' has no such field.",
    )
    expect(() => untyped(undefined, findCustomer)).toThrow("The mapping before 'find_customer' must be a record of fields")
    expect(() => untyped({ id: () => 'x' }, findCustomer)).toThrow(
      "The mapping before 'find_customer', 'id', has a value that is neither data nor made by from(...)",
    )
    expect(() => untyped({ id: 'x' }, {})).toThrow('The second argument of fill')
  })

  test('is found by check, field by field [C2]', () => {
    expect(found(flow)).toEqual([])
    const wrong = pipe(findOrder, untyped({ id: from('find_order', 'total') }, findCustomer))
    expect(found(wrong)).toMatchObject([{ severity: 'error', code: 'edge_does_not_fit', path: `${wrong.name}/find_customer`, field: 'id' }])
    const absent = pipe(findOrder, untyped({ id: from('find_order', 'note') }, findCustomer))
    expect(found(absent)).toMatchObject([{ severity: 'error', code: 'edge_does_not_fit', field: 'id' }])
    const { email: _email, ...less } = FIELDS
    const lacking = pipe(findOrder, untyped({ ...less, reason: 'late' }, refund))
    expect(found(lacking)).toMatchObject([{ severity: 'error', code: 'edge_does_not_fit', message: expect.stringContaining("'email'") }])
    const nowhere = pipe(gate(findOrder), untyped({ id: from.value('idd') }, findCustomer))
    expect(found(nowhere)).toMatchObject([
      {
        severity: 'error',
        code: 'edge_does_not_fit',
        field: 'id',
        message: "Nothing can fill 'id' of 'find_customer': 'find_order' has no field 'idd'.",
      },
    ])
    const open = tool({ name: 'open', description: 'd', effect: 'read', execute: () => ({ id: 'x' }) })
    expect(found(pipe(open, fill({ id: from('open', 'id') }, findCustomer)))).toMatchObject([
      { severity: 'note', code: 'edge_unknown', field: 'id', message: expect.stringContaining("'open' has no output schema") },
    ])
  })

  test('is shown by explain', () => {
    const text = explain(flow).text
    expect(text).toContain('adapter { id: value.customerId }')
    expect(text).toContain(
      'adapter { orderId: find_order.id, amount: find_order.total, email: find_customer.email, reason: input.reason, note: find_order.note }',
    )
  })
})
