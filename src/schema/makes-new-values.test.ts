import { type } from 'arktype'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { compileJsonSchema } from './compile-json-schema.ts'
import { makesNewValues } from './makes-new-values.ts'
import type { JsonSchema } from './json-schema.ts'
import type { StandardSchema } from './standard-schema.ts'

type Row = readonly [name: string, schema: StandardSchema, fits: unknown]

const Tree = z.object({
  name: z.string(),
  get children() {
    return z.array(Tree)
  },
})
const LooseTree = z.object({
  payload: z.unknown(),
  get children() {
    return z.array(LooseTree)
  },
})

const inner = (): object => ({ a: { b: [1] } })
const Inner = z.object({ a: z.object({ b: z.array(z.number()) }) })

function standard(schema: JsonSchema): StandardSchema {
  const { validate } = compileJsonSchema(schema, 'the schema')
  return { '~standard': { version: 1, vendor: 'json-schema', validate } }
}

const PRIVATE: readonly Row[] = [
  ['zod object', Inner, inner()],
  ['zod strict object', z.strictObject({ in: Inner }), { in: inner() }],
  ['zod object with a typed rest', z.object({}).catchall(Inner), { more: inner() }],
  ['zod list', z.array(Inner), [inner()]],
  ['zod tuple with rest', z.tuple([z.string()], Inner), ['x', inner()]],
  ['zod tuple', z.tuple([Inner]), [inner()]],
  ['zod record', z.record(z.string(), Inner), { x: inner() }],
  ['zod map', z.map(z.string(), Inner), new Map([['x', inner()]])],
  ['zod set', z.set(Inner), new Set([inner()])],
  ['zod union', z.union([z.string(), Inner]), inner()],
  ['zod discriminated union', z.discriminatedUnion('t', [z.object({ t: z.literal('a'), in: Inner })]), { t: 'a', in: inner() }],
  ['zod intersection', z.intersection(z.object({ x: Inner }), z.object({ x: Inner, y: Inner })), { x: inner(), y: inner() }],
  ['zod optional, nullable, default, readonly', z.object({ in: Inner.optional().nullable().default(null).readonly() }), { in: inner() }],
  ['zod recursion', Tree, { name: 'a', children: [{ name: 'b', children: [] }] }],
  ['zod lazy', z.lazy(() => Inner), inner()],
  ['zod json', z.json(), { a: [{ b: null }] }],
  ['zod preprocess', z.preprocess((value) => value, Inner), inner()],
  ['zod pipe into any', Inner.pipe(z.any()), inner()],
  ['zod refinement', Inner.refine(() => true), inner()],
  ['zod coerced date', z.object({ at: z.coerce.date() }), { at: new Date(0) }],
  [
    'zod text, number and enum',
    z.object({ s: z.email(), n: z.int(), e: z.enum(['a']), l: z.literal(1) }),
    { s: 'a@b.co', n: 1, e: 'a', l: 1 },
  ],
  ['valibot object', v.object({ a: v.object({ b: v.array(v.number()) }) }), inner()],
  ['valibot record', v.record(v.string(), v.strictObject({ n: v.number() })), { x: { n: 1 } }],
  ['valibot tuple', v.tuple([v.object({ n: v.number() })]), [{ n: 1 }]],
  ['valibot union', v.union([v.string(), v.object({ n: v.number() })]), { n: 1 }],
  [
    'valibot pipe',
    v.pipe(
      v.object({ n: v.pipe(v.number(), v.minValue(0)) }),
      v.check(() => true),
    ),
    { n: 1 },
  ],
  ['valibot intersect', v.intersect([v.object({ x: v.array(v.number()) }), v.object({ y: v.nullish(v.string()) })]), { x: [1] }],
  ['a JSON Schema', standard({ type: 'object' }), { any: inner(), at: new Date(0) }],
]

const SHARING: readonly Row[] = [
  ['zod any', z.any(), inner()],
  ['zod unknown', z.object({ a: z.unknown() }), inner()],
  ['zod loose object', z.looseObject({}), inner()],
  ['zod record of any', z.record(z.string(), z.any()), inner()],
  ['zod loose record', z.looseRecord(z.string().regex(/^x/), Inner), inner()],
  ['zod custom', z.object({ a: z.custom() }), inner()],
  ['zod instanceof', z.object({ at: z.instanceof(Date) }), { at: new Date(0) }],
  ['zod date', z.object({ at: z.date() }), { at: new Date(0) }],
  ['zod recursion with unknown', LooseTree, { payload: inner(), children: [] }],
  ['zod lazy any', z.lazy(() => z.any()), inner()],
  ['zod union with any', z.union([z.string(), z.any()]), inner()],
  ['zod transform of any', z.any().transform((value: unknown) => value), inner()],
  ['zod transform alone', z.transform((value: unknown) => value), inner()],
  ['zod preprocess of unknown', z.preprocess((value) => value, z.unknown()), inner()],
  ['zod catch that gives the input', z.object({ a: z.string().catch(({ input }) => input as string) }), inner()],
  ['valibot any', v.object({ a: v.any() }), inner()],
  ['valibot loose object', v.looseObject({}), inner()],
  ['valibot date', v.object({ at: v.date() }), { at: new Date(0) }],
  [
    'valibot pipe of unknown',
    v.pipe(
      v.unknown(),
      v.check(() => true),
    ),
    inner(),
  ],
  ['valibot custom', v.custom(() => true), inner()],
  ['arktype', type({ a: { b: 'number[]' } }) as StandardSchema, inner()],
]

function objectsIn(value: unknown, found = new Set<unknown>()): ReadonlySet<unknown> {
  if (typeof value !== 'object' || value === null || found.has(value)) return found
  found.add(value)
  const inside = value instanceof Map ? [...value].flat() : value instanceof Set ? [...value] : Object.values(value)
  for (const each of inside) objectsIn(each, found)
  return found
}

function shares(schema: StandardSchema, given: unknown): boolean {
  const result = schema['~standard'].validate(given)
  if (result instanceof Promise || result.issues !== undefined) throw new Error('The example does not fit.')
  const own = objectsIn(given)
  return [...objectsIn(result.value)].some((each) => own.has(each))
}

describe('a schema that makes new values', () => {
  test.each(PRIVATE)('is recognised, and gives on no object: %s', (_name, schema, fits) => {
    expect([makesNewValues(schema), shares(schema, fits)]).toEqual([true, false])
  })

  test.each(SHARING)('is not: %s', (_name, schema, fits) => {
    expect([makesNewValues(schema), shares(schema, fits)]).toEqual([false, true])
  })

  test('is not one of which a part does not exist yet, or of an unknown library', () => {
    const early = z.object({
      get later(): z.ZodString {
        return Later
      },
    })
    expect(makesNewValues(early)).toBe(false)
    const Later = z.string()
    expect(makesNewValues({ '~standard': { version: 1, vendor: 'other', validate: () => ({ value: 1 }) } })).toBe(false)
  })

  const shared = { n: 1 }
  test.each<[string, StandardSchema]>([
    ['zod transform', Inner.transform(() => shared)],
    ['zod default', z.object({ a: z.object({ n: z.number() }).default(shared) })],
    [
      'valibot transform',
      v.pipe(
        v.string(),
        v.transform(() => shared),
      ),
    ],
    ['valibot default', v.object({ a: v.optional(v.object({ n: v.number() }), shared) })],
  ])('is not one that may give an object of its author: %s', (_name, schema) => {
    expect(makesNewValues(schema)).toBe(false)
  })
})
