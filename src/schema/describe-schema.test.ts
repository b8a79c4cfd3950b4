import { toJsonSchema } from '@valibot/to-json-schema'
import { type } from 'arktype'
import { Ajv2020 } from 'ajv/dist/2020.js'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { tool } from '../tool/tool.ts'
import type { JsonSchema } from './json-schema.ts'
import type { AnySchema } from './schema-types.ts'

const parametersOf = (inputSchema: AnySchema): JsonSchema =>
  tool({ name: 'a_tool', description: 'A tool.', inputSchema, execute: () => '' }).specification.parameters

/** One input, written four times. */
const LIBRARIES: readonly (readonly [library: string, schema: AnySchema])[] = [
  [
    'zod',
    z.object({
      query: z.string().min(2).max(80).describe('What to look for'),
      limit: z.number().int().min(1).max(50).default(10),
      price: z.number().gt(0).lt(1000).optional(),
      sort: z.enum(['newest', 'oldest']),
      mode: z.literal('fast'),
      tags: z.array(z.string()).min(1).max(3),
      window: z.tuple([z.string(), z.number()]),
      note: z.string().nullable(),
      either: z.union([z.string(), z.boolean()]),
      counts: z.record(z.string(), z.number()),
      customer: z.object({ email: z.string().describe('Where to write'), vip: z.boolean().optional() }),
      target: z.discriminatedUnion('kind', [
        z.object({ kind: z.literal('mail'), to: z.string() }),
        z.object({ kind: z.literal('chat'), channel: z.string(), urgent: z.boolean().default(false) }),
      ]),
    }),
  ],
  [
    'valibot',
    v.object({
      query: v.pipe(v.string(), v.minLength(2), v.maxLength(80), v.description('What to look for')),
      limit: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(50)), 10),
      price: v.optional(v.pipe(v.number(), v.gtValue(0), v.ltValue(1000))),
      sort: v.picklist(['newest', 'oldest']),
      mode: v.literal('fast'),
      tags: v.pipe(v.array(v.string()), v.minLength(1), v.maxLength(3)),
      window: v.strictTuple([v.string(), v.number()]),
      note: v.nullable(v.string()),
      either: v.union([v.string(), v.boolean()]),
      counts: v.record(v.string(), v.number()),
      customer: v.object({ email: v.pipe(v.string(), v.description('Where to write')), vip: v.optional(v.boolean()) }),
      target: v.variant('kind', [
        v.object({ kind: v.literal('mail'), to: v.string() }),
        v.object({ kind: v.literal('chat'), channel: v.string(), urgent: v.optional(v.boolean(), false) }),
      ]),
    }),
  ],
  [
    'arktype',
    type({
      query: type('2 <= string <= 80').describe('What to look for'),
      limit: '1 <= number.integer <= 50 = 10',
      'price?': '0 < number < 1000',
      sort: "'newest' | 'oldest'",
      mode: "'fast'",
      tags: '1 <= string[] <= 3',
      window: ['string', 'number'],
      note: 'string | null',
      either: 'string | boolean',
      counts: { '[string]': 'number' },
      customer: { email: type('string').describe('Where to write'), 'vip?': 'boolean' },
      target: type({ kind: "'mail'", to: 'string' }).or({ kind: "'chat'", channel: 'string', urgent: 'boolean = false' }),
    }),
  ],
  ['JSON Schema 2020-12', rawSchema({ $schema: 'https://json-schema.org/draft/2020-12/schema' })],
  [
    'JSON Schema draft-07',
    {
      ...rawSchema({ $schema: 'http://json-schema.org/draft-07/schema#' }),
      properties: {
        ...rawSchema({})['properties'],
        window: { type: 'array', items: [{ type: 'string' }, { type: 'number' }], additionalItems: false, minItems: 2, maxItems: 2 },
      },
    },
  ],
]

function rawSchema(head: JsonSchema): { readonly properties: JsonSchema } & JsonSchema {
  return {
    ...head,
    type: 'object',
    properties: {
      query: { type: 'string', minLength: 2, maxLength: 80, description: 'What to look for' },
      limit: { type: 'integer', minimum: 1, maximum: 50, default: 10 },
      price: { type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 1000 },
      sort: { type: 'string', enum: ['newest', 'oldest'] },
      mode: { type: 'string', const: 'fast' },
      tags: { type: 'array', items: { type: 'string' }, minItems: 1, maxItems: 3 },
      window: { type: 'array', prefixItems: [{ type: 'string' }, { type: 'number' }], items: false, minItems: 2, maxItems: 2 },
      note: { type: ['string', 'null'] },
      either: { type: ['string', 'boolean'] },
      counts: { type: 'object', propertyNames: { type: 'string' }, additionalProperties: { type: 'number' } },
      customer: {
        type: 'object',
        properties: { email: { type: 'string', description: 'Where to write' }, vip: { type: 'boolean' } },
        required: ['email'],
      },
      target: {
        oneOf: [
          {
            type: 'object',
            properties: { kind: { type: 'string', const: 'mail' }, to: { type: 'string' } },
            required: ['kind', 'to'],
          },
          {
            type: 'object',
            properties: {
              kind: { type: 'string', const: 'chat' },
              channel: { type: 'string' },
              urgent: { type: 'boolean', default: false },
            },
            required: ['kind', 'channel'],
          },
        ],
      },
    },
    required: ['query', 'sort', 'mode', 'tags', 'window', 'note', 'either', 'counts', 'customer', 'target'],
  }
}

/** The same meaning in one spelling: libraries write nullable, constants, unions and tuples in different words. */
function normal(schema: unknown, key = ''): unknown {
  if (Array.isArray(schema)) return key === 'required' || key === 'type' ? schema.toSorted() : schema.map((each) => normal(each))
  if (typeof schema !== 'object' || schema === null) return schema
  const fields = Object.fromEntries(Object.entries(schema).map(([name, each]) => [name, normal(each, name)])) as Record<string, unknown>
  const options = fields['anyOf']
  if (Array.isArray(options) && options.every((each) => isBareType(each))) {
    delete fields['anyOf']
    fields['type'] = options.map((each) => (each as { type: string }).type).toSorted()
  }
  const union = fields['oneOf'] ?? fields['anyOf']
  if (Array.isArray(union)) {
    fields['oneOf'] = union.toSorted((a, b) => (JSON.stringify(sorted(a)) < JSON.stringify(sorted(b)) ? -1 : 1))
    delete fields['anyOf']
  }
  if (Array.isArray(fields['prefixItems'])) fields['maxItems'] = fields['prefixItems'].length
  if ('const' in fields || 'enum' in fields) delete fields['type']
  delete fields['propertyNames']
  return fields
}

function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(entries.map(([key, each]) => [key, sorted(each)]))
}

function isBareType(schema: unknown): boolean {
  return typeof schema === 'object' && schema !== null && Object.keys(schema).join() === 'type'
}

const GOOD = {
  query: 'shoes',
  sort: 'newest',
  mode: 'fast',
  tags: ['a'],
  window: ['today', 3],
  note: null,
  either: true,
  counts: { a: 1 },
  customer: { email: 'a@b.c' },
  target: { kind: 'mail', to: 'x' },
}

/** Each breaks one rule of the schema. */
const BAD: readonly (readonly [rule: string, change: Record<string, unknown>])[] = [
  ['a missing field', { query: undefined }],
  ['a text that is too short', { query: 'a' }],
  ['a text that is too long', { query: 'a'.repeat(81) }],
  ['a number below its bound', { limit: 0 }],
  ['a number above its bound', { limit: 51 }],
  ['a fraction for an integer', { limit: 1.5 }],
  ['a number at an open bound', { price: 0 }],
  ['a value that is none of the enum', { sort: 'best' }],
  ['another constant', { mode: 'slow' }],
  ['a list that is too short', { tags: [] }],
  ['a list that is too long', { tags: ['a', 'b', 'c', 'd'] }],
  ['a wrong item', { tags: [1] }],
  ['a tuple in the wrong order', { window: [3, 'today'] }],
  ['a tuple that is too short', { window: ['today'] }],
  ['a null where none is allowed', { either: null }],
  ['none of the options of a union', { either: 3 }],
  ['a wrong value in a record', { counts: { a: 'many' } }],
  ['a missing field further down', { customer: {} }],
  ['an unknown tag of a union', { target: { kind: 'fax' } }],
  ['a field of the other option', { target: { kind: 'mail', channel: 'x' } }],
]

describe.each(LIBRARIES)('what the model sees of a schema in %s', (_library, schema) => {
  const accepts = ajvFor(parametersOf(schema))
  const find = toolFor(schema)

  test('is exact: descriptions, bounds, enums, lists, tuples, defaults, null, unions, records, nested objects [T3]', () => {
    expect(normal(parametersOf(schema))).toEqual(normal(rawSchema({})))
  })

  test('leaves optional fields and fields with a default out of required [T3]', () => {
    expect(parametersOf(schema)['required']).not.toContain('limit')
    expect(parametersOf(schema)['required']).not.toContain('price')
  })

  test('says nothing of the dialect, and is an object at the root [T3]', () => {
    expect(parametersOf(schema)).not.toHaveProperty('$schema')
    expect(parametersOf(schema)).toHaveProperty('type', 'object')
  })

  test('accepts what the tool accepts [T3]', async () => {
    expect(accepts(GOOD)).toBe(true)
    await expect(find.call(GOOD as never)).resolves.toMatchObject({ ok: true })
  })

  test.each(BAD)('refuses %s, as the tool does [T3]', async (_rule, change) => {
    const input: Record<string, unknown> = { ...GOOD, ...change }
    for (const key of Object.keys(input)) if (input[key] === undefined) delete input[key]
    expect(accepts(input)).toBe(false)
    await expect(find.call(input as never)).resolves.toMatchObject({ ok: false, error: { code: 'invalid_input' } })
  })
})

function toolFor(inputSchema: AnySchema) {
  return tool({ name: 'a_tool', description: 'A tool.', inputSchema, execute: () => '' })
}

function ajvFor(schema: JsonSchema): (value: unknown) => boolean {
  return new Ajv2020({ strict: false, validateFormats: false }).compile({ ...schema }) as (value: unknown) => boolean
}

describe('a schema that refers to itself', () => {
  const Zod = z.object({
    name: z.string(),
    get children() {
      return z.array(Zod)
    },
  })
  const Valibot: v.GenericSchema = v.object({ name: v.string(), children: v.array(v.lazy(() => Valibot)) })
  const ark = type.module({ node: { name: 'string', children: 'node[]' } })
  const raw = {
    $ref: '#/definitions/node',
    definitions: {
      node: {
        type: 'object',
        properties: { name: { type: 'string' }, children: { type: 'array', items: { $ref: '#/definitions/node' } } },
        required: ['name', 'children'],
      },
    },
  }
  const recursive: readonly (readonly [string, AnySchema])[] = [
    ['zod', Zod],
    ['valibot', Valibot],
    ['arktype', ark.node],
    ['JSON Schema 2020-12', raw],
    ['JSON Schema draft-07', { $schema: 'http://json-schema.org/draft-07/schema#', ...raw }],
  ]

  test.each(recursive)('keeps its references whole in %s [T3]', (_library, schema) => {
    const parameters = parametersOf(schema)
    expect(parameters).toMatchObject({ type: 'object', properties: { name: { type: 'string' } } })
    const accepts = ajvFor(parameters)
    expect(accepts({ name: 'a', children: [{ name: 'b', children: [] }] })).toBe(true)
    expect(accepts({ name: 'a', children: [{ name: 'b', children: [{ name: 3, children: [] }] }] })).toBe(false)
  })

  test.each(recursive)('keeps them whole under the wrapper of a list in %s [T3]', (library, schema) => {
    const list =
      library === 'zod'
        ? z.array(Zod)
        : library === 'valibot'
          ? v.array(Valibot)
          : library === 'arktype'
            ? ark.node.array()
            : { ...schema, $ref: undefined, type: 'array', items: { $ref: '#/definitions/node' } }
    const accepts = ajvFor(parametersOf(withoutUndefined(list)))
    expect(accepts({ input: [{ name: 'a', children: [{ name: 'b', children: [] }] }] })).toBe(true)
    expect(accepts({ input: [{ name: 'a', children: [{ name: 3, children: [] }] }] })).toBe(false)
    expect(accepts([])).toBe(false)
  })
})

function withoutUndefined(schema: AnySchema): AnySchema {
  return '~standard' in schema ? schema : (JSON.parse(JSON.stringify(schema)) as JsonSchema)
}

describe('what JSON Schema has no word for', () => {
  test.each<readonly [string, AnySchema]>([
    ['zod', z.object({ at: z.date() })],
    ['valibot', v.object({ at: v.date() })],
    ['arktype', type({ at: 'Date' })],
  ])('is a configuration error when a model would have to be told, in %s [T3]', (_library, schema) => {
    const dated = toolFor(schema)
    expect(() => dated.specification).toThrow(expect.objectContaining({ name: 'ConfigurationError', code: 'invalid_schema' }))
  })

  test('does not keep a program from calling the tool', async () => {
    const dated = tool({ name: 'dated', description: 'd', inputSchema: z.object({ at: z.date() }), execute: ({ at }) => at.getTime() })
    await expect(dated.call({ at: new Date(5) })).resolves.toMatchObject({ ok: true, value: 5 })
    await expect(dated.call({ at: 'noon' } as never)).resolves.toMatchObject({ ok: false, error: { code: 'invalid_input' } })
  })

  test('stands as anything in the schema of an output', () => {
    const schemas: readonly AnySchema[] = [z.object({ at: z.date() }), v.object({ at: v.date() }), type({ at: 'Date' })]
    for (const outputSchema of schemas) {
      const { specification } = tool({ name: 'dated', description: 'd', outputSchema, execute: () => ({ at: new Date(0) }) as never })
      expect(specification.outputSchema).toMatchObject({ type: 'object', properties: { at: {} } })
    }
  })

  test.each<readonly [string, AnySchema]>([
    ['zod', z.object({ text: z.string().refine((text) => text !== 'x') })],
    [
      'valibot',
      v.object({
        text: v.pipe(
          v.string(),
          v.trim(),
          v.check((text) => text !== 'x'),
        ),
      }),
    ],
    ['arktype', type({ text: type('string').narrow((text) => text !== 'x') })],
  ])('is left out where it is a check on top, and the tool still makes it, in %s [T3]', async (_library, schema) => {
    expect(parametersOf(schema)).toMatchObject({ properties: { text: { type: 'string' } } })
    await expect(toolFor(schema).call({ text: 'x' } as never)).resolves.toMatchObject({ ok: false, error: { code: 'invalid_input' } })
  })

  test('a transform is seen from the side that is asked for', () => {
    const toNumber = [z.string().transform(Number), v.pipe(v.string(), v.transform(Number)), type('string.numeric.parse')]
    for (const schema of toNumber) {
      const both = tool({
        name: 'both',
        description: 'd',
        inputSchema: schema as AnySchema,
        outputSchema: schema as AnySchema,
        execute: () => '1' as never,
      })
      expect(both.specification.parameters).toMatchObject({ properties: { input: { type: 'string' } } })
      expect(both.specification.outputSchema?.['type']).not.toBe('string')
    }
  })
})

test('of valibot, what its own converter says is what the model sees [T3]', () => {
  const schema = v.object({ a: v.pipe(v.string(), v.email()), b: v.optional(v.array(v.number()), [1]) })
  const { $schema: _dialect, ...converted } = toJsonSchema(schema, { target: 'draft-2020-12', typeMode: 'input' })
  expect(parametersOf(schema)).toEqual(converted)
})

test('secrets marked in a schema are marked in what is read off it', () => {
  const marked: readonly AnySchema[] = [
    z.object({ key: z.string().meta({ sensitive: true }) }),
    v.object({ key: v.pipe(v.string(), v.metadata({ sensitive: true })) }),
    type({ key: type('string').configure({ sensitive: true } as object) }),
  ]
  for (const schema of marked) expect(parametersOf(schema)).toMatchObject({ properties: { key: { sensitive: true } } })
})

test('what a reader does to the specification does not reach the tool', async () => {
  const strict = tool({
    name: 'strict',
    description: 'd',
    inputSchema: { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] },
    execute: (input) => input,
  })
  const { properties } = strict.specification.parameters
  expect(() => Object.assign(properties as object, { b: { type: 'string' } })).toThrow(TypeError)
  const result = await strict.call({ a: 'x', b: 'y' } as never)
  expect(result.ok && result.value).toEqual({ a: 'x' })
})
