import assert from 'node:assert/strict'
import { jsonSchema, type StandardSchema, tool } from 'toolwright'
import * as v from 'valibot'
import { z } from 'zod'
import type { Attack } from './attack.ts'

const times = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, index) => make(index))

const of = (schema: object): StandardSchema => jsonSchema({ type: 'object', properties: { v: schema }, required: ['v'] })

const ID = '^[0-9]{8}-[0-9a-f]{4}$'

/** A usual record: about 130 characters as JSON. */
const RECORD = {
  type: 'object',
  properties: {
    id: { type: 'string', pattern: ID },
    email: { type: 'string', format: 'email', pattern: '^[^@\\s]+@[^@\\s]+\\.[a-z]+$' },
    kind: { type: 'string', enum: ['kind0', 'kind1', 'kind2'] },
    tags: { type: 'array', items: { type: 'string', maxLength: 20 }, uniqueItems: true },
    amount: { type: ['number', 'null'], minimum: 0 },
    note: { type: 'string', default: '' },
  },
  required: ['id', 'email', 'kind', 'tags'],
  additionalProperties: false,
}

/** The same with a tag. */
const tagged = (kind: string): object => ({ ...RECORD, properties: { ...RECORD.properties, kind: { const: kind } } })

const zodRecord = (kind: z.ZodType): z.ZodType =>
  z.strictObject({
    id: z.string().regex(new RegExp(ID)),
    email: z.email(),
    kind,
    tags: z.array(z.string().max(20)),
    amount: z.number().min(0).nullable(),
    note: z.string().default(''),
  })

const valibotRecord = v.strictObject({
  id: v.pipe(v.string(), v.regex(new RegExp(ID))),
  email: v.pipe(v.string(), v.email()),
  kind: v.picklist(['kind0', 'kind1', 'kind2']),
  tags: v.array(v.string()),
  amount: v.nullable(v.number()),
  note: v.optional(v.string(), ''),
})

const record = (n: number): unknown => ({
  id: `${String(n).padStart(8, '0')}-abcd`,
  email: `ada${n}@example.com`,
  kind: `kind${n % 3}`,
  tags: ['new', `t${n}`],
  amount: n,
  note: 'A short note about the order',
})

const RECORDS = times(500, record)
const SPARSE = times(500, (n) => ({ p1: 'a', p2: 'b', [`p${n % 200}`]: 'c' }))
const PROSE = 'Some words of a text, and more. '.repeat(1900)
const map = (value: (index: number) => unknown): object => Object.fromEntries(times(1000, (n) => [`my-key-${n}`, value(n)]))

/** An expression of five kinds, whose kind stands behind what it holds. */
const zodExpression: z.ZodType = z.union([
  z.discriminatedUnion('kind', times(5, (n) => z.object({ of: z.lazy(() => zodExpression), kind: z.literal(`kind${n}`) })) as never),
  z.string(),
])
const valibotExpression: v.GenericSchema = v.union([
  v.variant('kind', times(5, (n) => v.object({ of: v.lazy(() => valibotExpression), kind: v.literal(`kind${n}`) })) as never),
  v.string(),
])
const jsonExpression = (word: 'anyOf' | 'oneOf'): object => ({
  [word]: [
    ...times(5, (n) => ({
      type: 'object',
      properties: { of: { $ref: '#/properties/v' }, kind: { const: `kind${n}` } },
      required: ['of', 'kind'],
    })),
    { type: 'string' },
  ],
})
const EXPRESSION = times(60, (n) => n).reduce<unknown>((inner, n) => ({ of: inner, kind: `kind${n % 5}` }), 'x')

/** Inputs of about 64 KB that agents send, with usual schemas. */
const INPUTS: readonly (readonly [name: string, schema: StandardSchema, value: unknown])[] = [
  ['500 records', of({ type: 'array', items: RECORD }), RECORDS],
  ['500 records of 20 kinds', of({ items: { anyOf: times(20, (n) => tagged(`kind${n}`)) } }), RECORDS],
  ['500 records, one of 12 kinds each', of({ items: { oneOf: times(12, (n) => tagged(`kind${n}`)) } }), RECORDS],
  ['500 unique records', of({ type: 'array', uniqueItems: true, items: RECORD }), RECORDS],
  ['500 records by zod', z.object({ v: z.array(zodRecord(z.string())) }), RECORDS],
  ['500 records of 20 kinds by zod', z.object({ v: z.array(z.union(times(20, (n) => zodRecord(z.literal(`kind${n}`))))) }), RECORDS],
  ['500 records by valibot', v.object({ v: v.array(valibotRecord) }), RECORDS],
  [
    '500 records of 200 optional fields',
    of({ items: { properties: Object.fromEntries(times(200, (n) => [`p${n}`, { type: 'string' }])) } }),
    SPARSE,
  ],
  [
    '500 records of 200 optional fields by zod',
    z.object({ v: z.array(z.object(Object.fromEntries(times(200, (n) => [`p${n}`, z.string().optional()])))) }),
    SPARSE,
  ],
  ['any JSON of 60 KB by zod', z.object({ v: z.json() }), RECORDS],
  ['1,500 addresses by zod', z.object({ v: z.array(z.email()) }), times(1500, (n) => `ada.lovelace.${n}@mail.example.com`)],
  ['an expression 60 deep', of(jsonExpression('oneOf')), EXPRESSION],
  ['an expression 60 deep, any of five', of(jsonExpression('anyOf')), EXPRESSION],
  ['an expression 60 deep by zod', z.object({ v: zodExpression }), EXPRESSION],
  ['an expression 60 deep by valibot', v.object({ v: valibotExpression }), EXPRESSION],
  ['a text of 60 KB', of({ type: 'string', minLength: 10, maxLength: 100_000, pattern: '^\\S+(\\s+\\S+)*' }), PROSE],
  ['a text of 60 KB with a word', of({ type: 'string', pattern: '\\bmore\\b(?:\\.|\\s)+' }), PROSE],
  ['a text of 60 KB without an empty line', of({ type: 'string', pattern: '^(?!.*\\n\\n)' }), PROSE],
  ['a template of 60 KB by zod', z.object({ v: z.templateLiteral([z.string(), 'more', z.string()]) }), PROSE],
  ['base64 of 60 KB by zod', z.object({ v: z.base64() }), 'QUJD'.repeat(15_000)],
  ['a map of 1,000 keys', of({ additionalProperties: RECORD, propertyNames: { pattern: '^([a-z]+-?)+\\d+$' } }), map(record)],
  [
    'a map of 1,000 keys by patterns',
    of({ patternProperties: { '^my': { type: 'string' }, '[0-9]$': { maxLength: 60 } }, additionalProperties: false }),
    map((n) => `the value with the number ${n}`),
  ],
  ['a map of 1,000 keys by zod', z.object({ v: z.record(z.string().regex(/^[a-z][\w-]*$/), z.json()) }), map((n) => [n, { a: 'text' }])],
]

/** Inputs that were refused as too costly. */
const FELL: ReadonlySet<string> = new Set([
  '500 records of 20 kinds',
  '500 records, one of 12 kinds each',
  '500 records of 20 kinds by zod',
  'a text of 60 KB without an empty line',
  'a map of 1,000 keys',
  'an expression 60 deep',
  'an expression 60 deep, any of five',
  'an expression 60 deep by zod',
  'an expression 60 deep by valibot',
])

/** The bounds of the work must not refuse ordinary large inputs. */
export const ORDINARY_INPUTS: readonly Attack[] = INPUTS.map(([name, schema, value]) => ({
  name: `taken: ${name}`,
  before: FELL.has(name) ? 'fell' : 'held',
  attempt: async () => {
    const it = tool({ name: 'x', description: 'Takes it.', inputSchema: schema, execute: () => 'taken' })
    const { text } = await it.call({ v: value } as never)
    assert.equal(text, 'taken')
  },
}))
