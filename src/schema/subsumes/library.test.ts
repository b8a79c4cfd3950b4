import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { tool } from '../../tool/tool.ts'
import type { JsonSchema } from '../json-schema.ts'
import type { Fit } from './fit.ts'
import { subsumes } from './subsumes.ts'

type Schema = JsonSchema | boolean
type Row = readonly [what: string, producer: Schema, consumer: Schema, answer: string]

const gives = (schema: z.ZodType): JsonSchema => schema['~standard'].jsonSchema.output({ target: 'draft-2020-12' })
const takes = (schema: z.ZodType): JsonSchema => schema['~standard'].jsonSchema.input({ target: 'draft-2020-12' })

const told = (fit: Fit): string => (fit.answer === 'fits' || fit.path === '' ? fit.answer : `${fit.answer} at ${fit.path}`)

const order = z.object({
  id: z.uuid(),
  at: z.iso.datetime(),
  total: z.number().min(0),
  status: z.enum(['open', 'paid']),
  note: z.string().nullable(),
  items: z.array(z.object({ sku: z.string(), count: z.int().min(1) })),
  pay: z.discriminatedUnion('by', [
    z.object({ by: z.literal('card'), last4: z.string() }),
    z.object({ by: z.literal('wire'), iban: z.string().optional() }),
  ]),
})

const LIBRARIES: readonly Row[] = [
  ['an order and the same', gives(order), takes(order), 'fits'],
  ['an order and a part of it', gives(order), takes(order.pick({ id: true, pay: true })), 'fits'],
  ['an order and a stricter one', gives(order), takes(z.strictObject({ id: z.uuid() })), 'fits'],
  ['an order and one with more', gives(order), takes(order.extend({ customer: z.string() })), 'does not fit at customer'],
  [
    'an order and one of another number',
    gives(order),
    takes(z.object({ items: z.array(z.object({ count: z.string() })) })),
    'does not fit at items[].count',
  ],
  ['an order and fewer ways to pay', gives(order), takes(z.object({ pay: z.object({ by: z.literal('card') }) })), 'does not fit at pay.by'],
  [
    'an order and more ways to pay',
    gives(order),
    takes(z.object({ pay: z.union([order.shape.pay, z.object({ by: z.literal('cash') })]) })),
    'fits',
  ],
  ['an order and fewer states', gives(order), takes(z.object({ status: z.literal('open') })), 'does not fit at status'],
  ['an order and a note that is optional, not null', gives(order), takes(z.object({ note: z.string().optional() })), 'fits'],
  ['an order and a note that must be', gives(order), takes(z.object({ note: z.string() })), 'does not fit at note'],
  ['a text and an address', gives(z.object({ to: z.string() })), takes(z.object({ to: z.email() })), 'cannot tell at to'],
  ['an address and a text that is not empty', gives(z.email()), takes(z.string().min(1)), 'fits'],
  ['a default, which is there in the output', gives(z.object({ n: z.number().default(1) })), takes(z.object({ n: z.number() })), 'fits'],
  ['a default, which may be missing in the input', gives(z.object({})), takes(z.object({ n: z.number().default(1) })), 'fits'],
  [
    'a loose object and one more field of it',
    gives(z.looseObject({ a: z.string() })),
    takes(z.object({ a: z.string(), b: z.string().optional() })),
    'cannot tell at b',
  ],
  [
    'a record by listed names and its fields',
    gives(z.record(z.enum(['a', 'b']), z.number())),
    takes(z.object({ a: z.number(), b: z.number() })),
    'fits',
  ],
  [
    'a partial record and its fields',
    gives(z.partialRecord(z.enum(['a', 'b']), z.number())),
    takes(z.object({ a: z.number() })),
    'does not fit at a',
  ],
  [
    'fields and a record by listed names',
    gives(z.object({ a: z.number(), b: z.number() })),
    takes(z.record(z.enum(['a', 'b']), z.number())),
    'fits',
  ],
  [
    'a tuple and one with an optional end',
    gives(z.tuple([z.string(), z.number()])),
    takes(z.tuple([z.string(), z.number().optional()])),
    'fits',
  ],
  [
    'an intersection and its parts',
    gives(z.intersection(z.object({ a: z.string() }), z.object({ b: z.string() }))),
    takes(z.object({ b: z.string() })),
    'fits',
  ],
  ['never, which gives nothing, and anything', gives(z.never()), takes(order), 'fits'],
  ['unknown and something', gives(z.object({ a: z.unknown() })), takes(z.object({ a: z.string() })), 'cannot tell at a'],
]

describe.each([{ of: 'schemas of zod', rows: LIBRARIES }])('among $of', ({ rows }) => {
  test.each(rows)('%s [C5]', (_what, producer, consumer, answer) => {
    expect(told(subsumes(producer, consumer))).toBe(answer)
  })
})

test('a typed tool agrees about the order that was paid by wire [C5]', async () => {
  const consumer = z.object({ pay: z.object({ by: z.literal('card') }) })
  const it = tool({ name: 'it', description: 'd', inputSchema: consumer, execute: () => 'ok' })
  const given: unknown = { pay: { by: 'wire' } }
  expect(await it.call(given as never)).toMatchObject({ ok: false })
  expect(subsumes(gives(order), takes(consumer))).toMatchObject({ answer: 'does not fit', path: 'pay.by' })
})
