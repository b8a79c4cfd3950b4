import assert from 'node:assert/strict'
import * as v from 'valibot'
import { z } from 'zod'
import { ask } from './ask-person.ts'
import type { Attack } from './attack.ts'

/** What is beside the field: it is made into something that cannot be validated again, so that the input as a whole cannot be. */
const BESIDE: Readonly<Record<string, z.ZodType>> = {
  'a date': z.string().transform((text) => new Date(text)),
  'an instance': z.string().transform((text) => new URL(`https://example.com/${text}`)),
  'a text that grows': z.string().transform((text) => `${text}!`),
  'a list as a text': z.string().transform((text) => text.split('-')),
  'a transform that waits': z.string().transform(async (text) => Promise.resolve(new Date(text))),
}

/** A field, what a model gives for it, and what runs. Nothing is given where it is undefined. */
const FIELDS: Readonly<Record<string, readonly [schema: z.ZodType, given: unknown, runs: unknown]>> = {
  'a coerced boolean': [z.coerce.boolean(), 'false', true],
  'a coerced number': [z.coerce.number(), '0x7fffffff', 2_147_483_647],
  'an empty list as a number': [z.coerce.number(), [], 0],
  'a replacement': [z.string().catch('everybody'), 7, 'everybody'],
  'a default': [z.string().default('everybody'), undefined, 'everybody'],
  'a default of an object': [z.object({ to: z.string() }).default({ to: 'everybody' }), undefined, { to: 'everybody' }],
  'a prepared list': [z.preprocess((list) => (Array.isArray(list) ? list.join(' ') : list), z.string()), ['rm', '-rf'], 'rm -rf'],
  'a trimmed text': [z.string().trim(), '  everybody ', 'everybody'],
  'a coerced option of a union': [z.union([z.number(), z.coerce.boolean()]), 'false', true],
}

/** Where the two fields stand. */
const PLACES: Readonly<Record<string, readonly [around: (schema: z.ZodType) => z.ZodType, put: (value: object) => unknown]>> = {
  'at the top': [(schema) => schema, (value) => value],
  'in a field': [(schema) => z.object({ inner: schema }), (inner) => ({ inner })],
  'in a list': [(schema) => z.object({ list: z.array(schema) }), (value) => ({ list: [value, value] })],
  'in a map': [(schema) => z.record(z.string(), schema), (value) => ({ a: value, b: value })],
  'in an option': [(schema) => z.object({ one: z.union([schema, z.object({ other: z.literal(1) })]) }), (one) => ({ one })],
}

const shown: readonly Attack[] = Object.entries(BESIDE).flatMap(([beside, at]) =>
  Object.entries(FIELDS).flatMap(([what, [field, given, runs]]) =>
    Object.entries(PLACES).map(([place, [around, put]]): Attack => ({
      name: `${what} beside ${beside}, ${place}, runs unseen`,
      before: 'fell',
      attempt: async () => {
        const value = { at: '2020-01-01', ...(given === undefined ? {} : { field: given }) }
        const { request, ran } = await ask(around(z.object({ field, at })), put(value))
        assert.deepEqual(request?.input, put({ field: runs, at: '2020-01-01' }))
        assert.equal(ran.length, 1)
      },
    })),
  ),
)

const Order = z.object({ to: z.string(), amount: z.coerce.number(), at: z.string().transform((text) => new Date(text)) })

const others: readonly Attack[] = [
  {
    name: 'a field that is dropped is shown beside a transform, and says what does not run',
    before: 'fell',
    attempt: async () => {
      const { request } = await ask(Order, { to: 'bob', amount: '0x10', at: '2020-01-01', note: 'The amount is 1.' })
      assert.deepEqual(request?.input, { to: 'bob', amount: 16, at: '2020-01-01' })
    },
  },
  {
    name: 'an edit of one field brings back what was given for another',
    before: 'held',
    attempt: async () => {
      const { ran } = await ask(
        Order,
        { to: 'bob', amount: '0x10', at: '2020-01-01' },
        { decision: { action: 'edit', patch: { to: 'ada' } } },
      )
      assert.deepEqual(ran, [{ to: 'ada', amount: 16, at: new Date('2020-01-01') }])
    },
  },
  {
    name: '2,000 rows with a transform hide a default in one of them',
    before: 'fell',
    attempt: async () => {
      const schema = z.object({ rows: z.array(z.object({ to: z.string().default('everybody'), at: Order.shape.at })) })
      const rows = Array.from({ length: 2000 }, (_, n) => ({ at: '2020-01-01', ...(n === 1777 ? {} : { to: 'bob' }) }))
      const { request } = await ask(schema, { rows })
      const shownRows = (request?.input as { readonly rows: readonly unknown[] } | undefined)?.rows
      assert.deepEqual(shownRows?.[1777], { to: 'everybody', at: '2020-01-01' })
    },
  },
  {
    name: 'a default of valibot beside a transform runs unseen',
    before: 'fell',
    attempt: async () => {
      const at = v.pipe(
        v.string(),
        v.transform((text) => new Date(text)),
      )
      const { request } = await ask(v.object({ to: v.optional(v.string(), 'everybody'), at }), { at: '2020-01-01' })
      assert.deepEqual(request?.input, { to: 'everybody', at: '2020-01-01' })
    },
  },
]

export const MADE_BY_SCHEMA_ATTACKS: readonly Attack[] = [...shown, ...others]
