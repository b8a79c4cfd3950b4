import { type } from 'arktype'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { AnySchema } from '../../schema/schema-types.ts'
import { resolve } from '../resolve/resolve.ts'
import { tool } from '../tool.ts'

interface Library {
  readonly library: string
  /** Refuses undeclared fields by itself, at every level. */
  readonly strict: AnySchema
  readonly plain: AnySchema
}

const rawSchema = (additionalProperties: false | undefined) => {
  const closed = additionalProperties === undefined ? {} : { additionalProperties }
  return {
    type: 'object',
    properties: {
      email: { type: 'string' },
      limit: { type: 'integer', default: 10 },
      note: { type: ['string', 'null'] },
      tag: { type: 'string' },
      items: { type: 'array', items: { type: 'object', properties: { sku: { type: 'string' } }, required: ['sku'], ...closed } },
      to: {
        anyOf: [
          {
            type: 'object',
            properties: { kind: { const: 'mail' }, address: { type: 'string' } },
            required: ['kind', 'address'],
            ...closed,
          },
          {
            type: 'object',
            properties: { kind: { const: 'chat' }, channel: { type: 'string' } },
            required: ['kind', 'channel'],
            ...closed,
          },
        ],
      },
    },
    required: ['email', 'items', 'to', 'note'],
    ...closed,
  }
}

const zodSchema = (object: typeof z.object | typeof z.strictObject) =>
  object({
    email: z.string(),
    limit: z.int().default(10),
    note: z.string().nullable(),
    tag: z.string().optional(),
    items: z.array(object({ sku: z.string() })),
    to: z.union([object({ kind: z.literal('mail'), address: z.string() }), object({ kind: z.literal('chat'), channel: z.string() })]),
  })

const LIBRARIES: readonly Library[] = [
  { library: 'zod', plain: zodSchema(z.object), strict: zodSchema(z.strictObject) },
  {
    library: 'valibot',
    plain: v.object({
      email: v.string(),
      limit: v.optional(v.pipe(v.number(), v.integer()), 10),
      note: v.nullable(v.string()),
      tag: v.optional(v.string()),
      items: v.array(v.object({ sku: v.string() })),
      to: v.variant('kind', [
        v.object({ kind: v.literal('mail'), address: v.string() }),
        v.object({ kind: v.literal('chat'), channel: v.string() }),
      ]),
    }),
    strict: v.strictObject({
      email: v.string(),
      limit: v.optional(v.pipe(v.number(), v.integer()), 10),
      note: v.nullable(v.string()),
      tag: v.optional(v.string()),
      items: v.array(v.strictObject({ sku: v.string() })),
      to: v.variant('kind', [
        v.strictObject({ kind: v.literal('mail'), address: v.string() }),
        v.strictObject({ kind: v.literal('chat'), channel: v.string() }),
      ]),
    }),
  },
  {
    library: 'arktype',
    plain: type({
      email: 'string',
      limit: 'number.integer = 10',
      note: 'string | null',
      'tag?': 'string',
      items: type({ sku: 'string' }).array(),
      to: type({ kind: "'mail'", address: 'string' }).or({ kind: "'chat'", channel: 'string' }),
    }),
    strict: type({
      '+': 'reject',
      email: 'string',
      limit: 'number.integer = 10',
      note: 'string | null',
      'tag?': 'string',
      items: type({ '+': 'reject', sku: 'string' }).array(),
      to: type({ '+': 'reject', kind: "'mail'", address: 'string' }).or({ '+': 'reject', kind: "'chat'", channel: 'string' }),
    }),
  },
  { library: 'JSON Schema', plain: rawSchema(undefined), strict: rawSchema(false) },
]

const GOOD = { email: 'a@b.c', note: null, items: [{ sku: 's' }], to: { kind: 'mail', address: 'x' } }
const PARSED = { ...GOOD, limit: 10 }

async function called(inputSchema: AnySchema, argumentsText: string) {
  const tools = await resolve([tool({ name: 'order', description: 'd', inputSchema, execute: (input: unknown) => ({ input }) })])
  return tools.call('order', argumentsText)
}

const KINDS = LIBRARIES.flatMap(({ library, plain, strict }) => [
  { title: `plain ${library}`, schema: plain },
  { title: `strict ${library}`, schema: strict },
])

describe.each(KINDS)('a tool with a $title schema', ({ schema }) => {
  const send = (input: unknown) => called(schema, JSON.stringify(input))

  test('gets its input with the defaults filled in [T4]', async () => {
    await expect(send(GOOD)).resolves.toMatchObject({ ok: true, value: { input: PARSED } })
  })

  test.each([
    ['at the root', { ...GOOD, more: 1, constructor: 2 }],
    ['inside a list', { ...GOOD, items: [{ sku: 's', more: 1 }] }],
    ['inside a union', { ...GOOD, to: { kind: 'mail', address: 'x', channel: 'y' } }],
  ])('does not see undeclared fields %s [T4]', async (_where, input) => {
    const result = await send(input)
    expect(result).toMatchObject({ ok: true })
    expect(result.ok && result.value).toEqual({ input: PARSED })
  })

  test('takes null for a missing field, unless null is allowed [T4]', async () => {
    const result = await send({ ...GOOD, limit: null, tag: null })
    expect(result.ok && result.value).toEqual({ input: PARSED })
  })

  test('lists every missing and every bad field in one message [T4]', async () => {
    const result = await send({ email: null, limit: 'many', items: [{ sku: 1 }, {}], to: { kind: 'chat' } })
    expect(result).toMatchObject({ ok: false, error: { code: 'invalid_input', class: 'input_validation', outcome: 'not_started' } })
    expect(result.text).toMatch(/^Error: Invalid input for tool 'order': /)
    for (const missing of ['email', 'note', 'items.1.sku', 'to.channel']) expect(result.text).toContain(`'${missing}' is missing`)
    for (const bad of ['limit', 'items.0.sku']) expect(result.text).toContain(`'${bad}': `)
  })

  test('answers broken JSON with a message of its own [T4]', async () => {
    const result = await called(schema, '{"email": "a@b.c",')
    expect(result.text).toMatch(/^Error: The arguments of tool 'order' are not valid JSON: .+, at character 19 of 18\.$/)
    expect(result).toMatchObject({ error: { code: 'invalid_arguments', outcome: 'not_started' } })
  })

  test.each([
    ['an array of 2 items', '[1,2]'],
    ['null', 'null'],
    ['a string of 10 characters', '"{\\"email\\":1"'],
    ['a number', '5'],
  ])('answers %s at the root with a message of its own [T4]', async (kind, text) => {
    const result = await called(schema, text)
    expect(result.text).toBe(`Error: The arguments of tool 'order' must be one JSON object, not ${kind}.`)
    expect(result).toMatchObject({ error: { code: 'invalid_arguments', outcome: 'not_started' } })
  })

  test('reads an object that is encoded twice, once [T4]', async () => {
    const once = JSON.stringify({ email: 1 })
    const [plain, twice, thrice] = [once, JSON.stringify(once), JSON.stringify(JSON.stringify(once))]
    expect((await called(schema, twice)).text).toBe((await called(schema, plain)).text)
    expect((await called(schema, thrice)).text).toContain('must be one JSON object, not a string of ')
    expect((await called(schema, JSON.stringify('{"__proto__": {"email": "a@b.c"}}'))).text).toContain("'email' is missing")
  })

  test('never repeats a huge input in full [T4]', async () => {
    const huge = 'x'.repeat(100_000)
    const inputs = [
      { ...GOOD, email: [huge] },
      { ...GOOD, limit: huge },
      { ...GOOD, to: { kind: huge } },
      { ...GOOD, items: Array.from({ length: 5000 }, () => huge.slice(0, 20)) },
    ]
    for (const text of [...inputs.map((input) => JSON.stringify(input)), JSON.stringify([huge]), `{"email":"${huge}`]) {
      const result = await called(schema, text)
      expect(result.ok).toBe(false)
      expect(result.text.length).toBeLessThan(4000)
    }
  })

  test('does not follow a __proto__ key [T4]', async () => {
    const result = await called(schema, JSON.stringify(GOOD).replace('{', '{"__proto__":{"polluted":1},'))
    expect(result.ok && result.value).toEqual({ input: PARSED })
    expect({}).not.toHaveProperty('polluted')
  })
})

test('a loose schema keeps the fields that it does not declare', async () => {
  const loose: readonly AnySchema[] = [
    z.looseObject({ a: z.string().optional() }),
    v.looseObject({ a: v.optional(v.string()) }),
    type({ 'a?': 'string', '[string]': 'unknown' }),
    { type: 'object', properties: { a: { type: 'string' } }, additionalProperties: true },
  ]
  for (const schema of loose) {
    const result = await called(schema, '{"a":null,"more":1}')
    expect(result.ok && result.value).toEqual({ input: { more: 1 } })
  }
})

test('a program gets the same treatment as a model [T4]', async () => {
  const it = tool({
    name: 'it',
    description: 'd',
    inputSchema: z.strictObject({ a: z.string().optional() }),
    execute: (input) => ({ input }),
  })
  const given = { a: null, more: { b: 1 } }
  const result = await it.call(given as never)
  expect(result.ok && result.value).toEqual({ input: {} })
  expect(given).toEqual({ a: null, more: { b: 1 } })
})

test('a value that refers to itself is refused, and nothing hangs [T4]', async () => {
  const value: Record<string, unknown> = { a: 1 }
  value['left'] = value
  value['right'] = value
  const schemas: readonly AnySchema[] = [
    { type: 'object', properties: { left: { $ref: '#' }, right: { $ref: '#' }, a: { default: 1 } } },
    z.object({ a: z.string() }),
  ]
  for (const inputSchema of schemas) {
    const it = tool({ name: 'it', description: 'd', inputSchema, execute: () => 'fine' })
    await expect(it.call(value as never)).resolves.toMatchObject({ ok: false, error: { code: 'invalid_input' } })
  }
})

describe('a root that is not an object, which stands under `input`', () => {
  const union = z.union([z.object({ a: z.string() }), z.object({ input: z.string(), limit: z.number() })])
  const roots: readonly (readonly [string, AnySchema, unknown])[] = [
    ['a list', z.array(z.string()), ['a']],
    ['a text', z.string(), 'a'],
    ['a union', union, { a: 'x' }],
  ]
  const dialects = [undefined, 'openai-strict', 'anthropic-strict', 'gemini', 'mcp'] as const

  test.each(roots)(
    '%s: a field beside it is refused by its name, in every dialect, and a null is none',
    async (_what, inputSchema, good) => {
      const read = tool({ name: 'read', description: 'd', effect: 'read', inputSchema, execute: (input) => JSON.stringify(input) })
      for (const dialect of dialects) {
        const { call } = await resolve([read], { dialect })
        const sent = async (fields: object) => (await call('read', JSON.stringify({ input: good, ...fields }))).text
        expect(await sent({})).toBe(JSON.stringify(good))
        expect(await sent({ note: null })).toBe(JSON.stringify(good))
        expect(await sent({ limit: 3 })).toBe(
          `Error: Invalid input for tool 'read': there must be nothing beside 'input', but there is "limit". Put all of it into 'input', or leave it out.`,
        )
        expect(await sent({ a: 1, b: 2, c: 3, d: 4, e: 5 })).toContain('"a", "b", "c" and 2 more')
      }
    },
  )
})
