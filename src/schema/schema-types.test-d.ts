import { type } from 'arktype'
import * as v from 'valibot'
import { describe, expectTypeOf, test } from 'vitest'
import { z } from 'zod'
import type { AgentTool } from '../tool/agent-tool.ts'
import { jsonSchema } from '../tool/contract.ts'
import { tool } from '../tool/tool.ts'
import type { JsonSchema } from './json-schema.ts'
import type { AnySchema, FromJsonSchema, SchemaInput, SchemaOutput } from './schema-types.ts'

const base = { name: 'it', description: 'd' } as const

describe('the type of a literal JSON Schema', () => {
  test('simple types', () => {
    expectTypeOf<FromJsonSchema<{ type: 'string' }>>().toEqualTypeOf<string>()
    expectTypeOf<FromJsonSchema<{ type: 'number' }>>().toEqualTypeOf<number>()
    expectTypeOf<FromJsonSchema<{ type: 'integer' }>>().toEqualTypeOf<number>()
    expectTypeOf<FromJsonSchema<{ type: 'boolean' }>>().toEqualTypeOf<boolean>()
    expectTypeOf<FromJsonSchema<{ type: 'null' }>>().toEqualTypeOf<null>()
    expectTypeOf<FromJsonSchema<{ type: ['string', 'null'] }>>().toEqualTypeOf<string | null>()
    expectTypeOf<FromJsonSchema<{ type: 'string'; nullable: true }>>().toEqualTypeOf<string | null>()
    expectTypeOf<FromJsonSchema<{ type: 'string'; nullable: boolean }>>().toEqualTypeOf<string>()
  })

  test('constants, enums and unions', () => {
    expectTypeOf<FromJsonSchema<{ const: 'a' }>>().toEqualTypeOf<'a'>()
    expectTypeOf<FromJsonSchema<{ type: 'string'; enum: ['a', 'b', 3] }>>().toEqualTypeOf<'a' | 'b' | 3>()
    expectTypeOf<FromJsonSchema<{ anyOf: [{ type: 'string' }, { type: 'number' }] }>>().toEqualTypeOf<string | number>()
    expectTypeOf<FromJsonSchema<{ oneOf: [{ type: 'string' }, { const: 1 }] }>>().toEqualTypeOf<string | 1>()
  })

  test('lists and tuples', () => {
    expectTypeOf<FromJsonSchema<{ type: 'array'; items: { type: 'string' } }>>().toEqualTypeOf<string[]>()
    expectTypeOf<FromJsonSchema<{ type: 'array' }>>().toEqualTypeOf<unknown[]>()
    type Pair = { type: 'array'; prefixItems: [{ type: 'string' }, { type: 'number' }]; items: false }
    expectTypeOf<FromJsonSchema<Pair>>().toEqualTypeOf<[string, number]>()
    expectTypeOf<FromJsonSchema<Omit<Pair, 'items'>>>().toEqualTypeOf<[string, number, ...unknown[]]>()
  })

  test('objects and records', () => {
    type Person = { type: 'object'; properties: { name: { type: 'string' }; age: { type: 'integer' } }; required: ['name'] }
    expectTypeOf<FromJsonSchema<Person>>().toEqualTypeOf<{ name: string; age?: number }>()
    expectTypeOf<FromJsonSchema<{ type: 'object'; additionalProperties: { type: 'number' } }>>().toEqualTypeOf<Record<string, number>>()
    expectTypeOf<FromJsonSchema<{ type: 'object' }>>().toEqualTypeOf<Record<string, unknown>>()
  })

  test('a default makes a field certain after validation, except inside a union', () => {
    type Page = { type: 'object'; properties: { limit: { type: 'integer'; default: 10 }; at: { type: 'string' } } }
    expectTypeOf<FromJsonSchema<Page>>().toEqualTypeOf<{ limit?: number; at?: string }>()
    expectTypeOf<FromJsonSchema<Page, 'output'>>().toEqualTypeOf<{ limit: number; at?: string }>()
    expectTypeOf<FromJsonSchema<{ anyOf: [Page] }, 'output'>>().toEqualTypeOf<{ limit?: number; at?: string }>()
  })

  test('what it cannot read is unknown, never any', () => {
    expectTypeOf<FromJsonSchema<{ $ref: '#/$defs/a' }>>().toEqualTypeOf<unknown>()
    expectTypeOf<FromJsonSchema<{ allOf: [{ type: 'string' }] }>>().toEqualTypeOf<unknown>()
    expectTypeOf<FromJsonSchema<JsonSchema>>().toEqualTypeOf<unknown>()
    expectTypeOf<FromJsonSchema<Record<string, unknown>>>().toEqualTypeOf<unknown>()
  })
})

const zod = z.object({
  email: z.string(),
  limit: z.number().default(10),
  at: z.string().transform((text) => new Date(text)),
  tag: z.string().optional(),
})
const valibot = v.object({
  email: v.string(),
  limit: v.optional(v.number(), 10),
  at: v.pipe(
    v.string(),
    v.transform((text) => new Date(text)),
  ),
  tag: v.optional(v.string()),
})
const arktype = type({ email: 'string', limit: 'number = 10', at: type('string').pipe((text) => new Date(text)), 'tag?': 'string' })

type Given = { email: string; limit?: number | undefined; at: string; tag?: string | undefined }
interface Got {
  email: string
  limit: number
  at: Date
  tag?: string | undefined
}

describe('the types of a schema', () => {
  test('before and after validation, in each library', () => {
    expectTypeOf<SchemaInput<typeof zod>>().toExtend<Given>()
    expectTypeOf<SchemaOutput<typeof zod>>().toExtend<Got>()
    expectTypeOf<SchemaInput<typeof valibot>>().toExtend<Given>()
    expectTypeOf<SchemaOutput<typeof valibot>>().toExtend<Got>()
    expectTypeOf<SchemaInput<typeof arktype>>().toExtend<Given>()
    expectTypeOf<SchemaOutput<typeof arktype>>().toExtend<Got>()
    const raw = jsonSchema<{ x: number }>({ type: 'object' })
    expectTypeOf<SchemaInput<typeof raw>>().toEqualTypeOf<{ x: number }>()
    expectTypeOf<SchemaOutput<typeof raw>>().toEqualTypeOf<{ x: number }>()
  })

  test('are never any', () => {
    expectTypeOf<SchemaInput<typeof zod>>().not.toBeAny()
    expectTypeOf<SchemaOutput<typeof zod>['at']>().toEqualTypeOf<Date>()
    expectTypeOf<SchemaInput<typeof valibot>['at']>().toEqualTypeOf<string>()
    expectTypeOf<SchemaOutput<typeof valibot>['at']>().toEqualTypeOf<Date>()
    expectTypeOf<SchemaInput<typeof arktype>['at']>().toEqualTypeOf<string>()
    expectTypeOf<SchemaOutput<typeof arktype>['at']>().toEqualTypeOf<Date>()
  })

  test('of all libraries are schemas', () => {
    expectTypeOf(zod).toExtend<AnySchema>()
    expectTypeOf(valibot).toExtend<AnySchema>()
    expectTypeOf(arktype).toExtend<AnySchema>()
    expectTypeOf({ type: 'string' }).toExtend<AnySchema>()
    expectTypeOf<string>().not.toExtend<AnySchema>()
    expectTypeOf<number>().not.toExtend<AnySchema>()
    expectTypeOf<null>().not.toExtend<AnySchema>()
  })
})

describe('a tool with a schema', () => {
  test('of zod takes what goes in and gives execute what comes out', () => {
    const it = tool({
      ...base,
      inputSchema: zod,
      execute: (input) => {
        expectTypeOf(input).toExtend<Got>()
        return input.at.getTime()
      },
    })
    expectTypeOf(it).toExtend<AgentTool<Given, number>>()
    expectTypeOf(it.call).parameter(0).toExtend<Given>()
    void it.call({ email: 'a', at: '2020-01-01' })
    // @ts-expect-error the address is missing
    void it.call({ at: '2020-01-01' })
    // @ts-expect-error a date goes in as a text
    void it.call({ email: 'a', at: new Date() })
  })

  test('of valibot does so too', () => {
    const it = tool({ ...base, inputSchema: valibot, execute: ({ limit, at }) => ({ limit, at }) })
    expectTypeOf(it).toExtend<AgentTool<Given, { limit: number; at: Date }>>()
    void it.call({ email: 'a', at: '2020-01-01' })
    // @ts-expect-error a limit is a number
    void it.call({ email: 'a', at: '2020-01-01', limit: '5' })
  })

  test('of arktype does so too', () => {
    const it = tool({ ...base, inputSchema: arktype, execute: ({ limit, at }) => ({ limit, at }) })
    expectTypeOf(it).toExtend<AgentTool<{ email: string; at: string }, { limit: number; at: Date }>>()
    void it.call({ email: 'a', at: '2020-01-01' })
    // @ts-expect-error a limit is a number
    void it.call({ email: 'a', at: '2020-01-01', limit: '5' })
  })

  test('as JSON Schema is read off the literal, without as const', () => {
    const it = tool({
      ...base,
      inputSchema: {
        type: 'object',
        properties: {
          email: { type: 'string' },
          limit: { type: 'integer', default: 10 },
          sort: { enum: ['newest', 'oldest'] },
          items: { type: 'array', items: { type: 'object', properties: { sku: { type: 'string' } }, required: ['sku'] } },
          note: { type: ['string', 'null'] },
        },
        required: ['email', 'sort'],
      },
      execute: (input) => {
        expectTypeOf(input).toEqualTypeOf<{
          email: string
          limit: number
          sort: 'newest' | 'oldest'
          items?: { sku: string }[]
          note?: string | null
        }>()
        return input.limit
      },
    })
    void it.call({ email: 'a', sort: 'newest' })
    // @ts-expect-error there is no such order
    void it.call({ email: 'a', sort: 'best' })
    // @ts-expect-error the address is missing
    void it.call({ sort: 'newest' })
    // @ts-expect-error an item has a sku
    void it.call({ email: 'a', sort: 'newest', items: [{}] })
  })

  test('as JSON Schema of a type that only runs are known takes anything that is unknown', () => {
    const schema: JsonSchema = JSON.parse('{}') as JsonSchema
    const it = tool({
      ...base,
      inputSchema: schema,
      execute: (input) => {
        expectTypeOf(input).toEqualTypeOf<unknown>()
      },
    })
    expectTypeOf(it.call).parameter(0).toEqualTypeOf<unknown>()
  })

  test('named by jsonSchema has that type', () => {
    const it = tool({ ...base, inputSchema: jsonSchema<{ x: number }>({ type: 'object' }), execute: ({ x }) => x })
    expectTypeOf(it).toExtend<AgentTool<{ x: number }, number>>()
    // @ts-expect-error x is a number
    void it.call({ x: '1' })
  })

  test('without one takes a string', () => {
    const it = tool({ ...base, execute: (input) => input.length })
    expectTypeOf(it).toExtend<AgentTool<string, number>>()
    // @ts-expect-error a string tool takes a string
    void it.call({ input: 'x' })
  })

  test('that is none does not compile', () => {
    // @ts-expect-error a schema is no text
    tool({ ...base, inputSchema: 'string', execute: () => '' })
    // @ts-expect-error nor a number
    tool({ ...base, inputSchema: 5, execute: () => '' })
    // @ts-expect-error nor null
    tool({ ...base, inputSchema: null, execute: () => '' })
  })
})

describe('an output schema', () => {
  test('says what execute must give, and what the caller gets', () => {
    const it = tool({
      ...base,
      outputSchema: z.object({ at: z.string().transform((text) => new Date(text)) }),
      execute: () => ({ at: '2020-01-01' }),
    })
    expectTypeOf(it).toExtend<AgentTool<string, { at: Date }>>()
    // @ts-expect-error at is a text
    tool({ ...base, outputSchema: z.object({ at: z.string() }), execute: () => ({ at: 5 }) })
    // @ts-expect-error at is missing
    tool({ ...base, outputSchema: v.object({ at: v.string() }), execute: () => ({}) })
    // @ts-expect-error at is a text
    tool({ ...base, outputSchema: type({ at: 'string' }), execute: () => Promise.resolve({ at: 5 }) })
  })

  test('as JSON Schema says it too', () => {
    const it = tool({
      ...base,
      outputSchema: { type: 'object', properties: { total: { type: 'number' }, tax: { type: 'number', default: 0 } }, required: ['total'] },
      execute: () => ({ total: 5 }),
    })
    expectTypeOf(it).toExtend<AgentTool<string, { total: number; tax: number }>>()
    const Total = jsonSchema<{ total: number }>({ type: 'object' })
    // @ts-expect-error the total is a number
    tool({ ...base, outputSchema: Total, execute: () => ({ total: 'x' }) })
    // @ts-expect-error a list of numbers holds no texts
    tool({ ...base, outputSchema: { type: 'array', items: { type: 'number' } }, execute: () => ['x'] })
  })
})
