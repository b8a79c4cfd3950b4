import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { resolve } from '../tool/resolve/resolve.ts'
import { tool } from '../tool/tool.ts'
import { compileJsonSchema } from './compile-json-schema.ts'
import type { JsonSchema } from './json-schema.ts'

const echo = (inputSchema: JsonSchema, name = 'echo') =>
  tool({ name, description: 'Gives back its input.', inputSchema, execute: (input: unknown) => ({ input }) })

const invalid = (message: unknown) => expect.objectContaining({ name: 'ConfigurationError', code: 'invalid_schema', message })

describe('a raw JSON Schema', () => {
  test('fills in defaults, also further down, and never writes to what it was given [T3] [T4]', async () => {
    const given = { nested: { a: 1 }, list: [{}] }
    const before = structuredClone(given)
    const { validate } = compileJsonSchema(
      {
        type: 'object',
        properties: {
          limit: { type: 'integer', default: 10 },
          nested: { type: 'object', properties: { b: { default: { deep: true } } }, additionalProperties: true },
          list: { type: 'array', items: { type: 'object', properties: { c: { type: 'number', default: 3 } } } },
        },
      },
      'It',
    )
    expect(validate(given)).toEqual({ value: { limit: 10, nested: { a: 1, b: { deep: true } }, list: [{ c: 3 }] } })
    expect(given).toEqual(before)
  })

  test('never writes to itself, and later changes to it do not reach the tool [T3]', async () => {
    const schema = { type: 'object', properties: { a: { type: 'string', default: 'x' } }, required: [] as string[] }
    const before = structuredClone(schema)
    const it = echo(schema)
    await it.call({} as never)
    expect(schema).toEqual(before)
    schema.required.push('b')
    schema.properties.a.type = 'number'
    await expect(it.call({ a: 'y' } as never)).resolves.toMatchObject({ ok: true })
    expect(it.specification.parameters).toEqual(before)
  })

  test('leaves instances of classes what they are', async () => {
    const at = new Date(5)
    const { validate } = compileJsonSchema({ type: 'object', properties: { limit: { default: 1 } } }, 'It')
    expect(validate({ at })).toEqual({ value: { at, limit: 1 } })
  })

  test.each<readonly [string, JsonSchema, unknown]>([
    ['a type that is none', { type: 'strin' }, expect.stringContaining('schema/type must be')],
    ['a wrong keyword further down', { properties: { a: { minimum: 'x' } } }, expect.stringContaining('schema/properties/a/minimum')],
    ['a reference to nothing', { $ref: '#/$defs/none' }, expect.stringContaining("can't resolve reference #/$defs/none")],
    ['a reference to elsewhere', { $ref: 'https://example.com/x' }, expect.stringContaining("can't resolve reference")],
    ['a pattern that is none', { type: 'string', pattern: '(' }, expect.stringContaining('Invalid regular expression')],
    [
      'a dialect that nobody knows',
      { $schema: 'https://example.com/my' },
      expect.stringContaining('its $schema is "https://example.com/my"'),
    ],
    ['a dialect that is no text', { $schema: 7 }, expect.stringContaining('its $schema is 7')],
    ['a function', { type: 'object', check: () => true }, expect.stringContaining('not a valid JSON Schema')],
    [
      'a field that could be mistaken for a prototype',
      { properties: JSON.parse('{"__proto__":{}}') as object },
      expect.stringContaining("'__proto__'"),
    ],
    ['a name that is no text', { properties: { '\uD800': { type: 'string' } } }, expect.stringContaining('not a valid JSON Schema')],
    ['a shape of another library', { a: z.string() }, expect.stringContaining('z.object({ ... })')],
    ['a tuple of draft-07 without saying so', { type: 'array', items: [{ type: 'string' }] }, expect.stringContaining('schema/items')],
  ])('that holds %s is a configuration error when the tool is built [T3]', (_what, schema, message) => {
    expect(() => echo(schema)).toThrow(invalid(message))
  })

  const bare = (fields: object): object => Object.assign(Object.create(null) as object, fields)

  test.each<readonly [what: string, schema: JsonSchema, value: unknown, ok: boolean]>([
    ['different items', { uniqueItems: true }, [bare({ a: 1 }), bare({ a: 2 })], true],
    ['equal items', { uniqueItems: true }, [bare({ a: 1 }), { a: 1 }], false],
    ['items with different objects inside', { uniqueItems: true }, [{ a: bare({}) }, { a: bare({ b: 1 }) }], true],
    [
      'items with fields named like methods',
      { uniqueItems: true },
      [
        { valueOf: 1, toString: 2 },
        { valueOf: 1, toString: 3 },
      ],
      true,
    ],
    ['equal items with fields named like methods', { uniqueItems: true }, [{ valueOf: 1 }, 7, { valueOf: 1 }], false],
    ['an item and one with a constructor', { uniqueItems: true }, [{ constructor: 1 }, {}, [], [1], '1', 1, null, true], true],
    ['equal simple items', { uniqueItems: true }, ['a', 1, 'a'], false],
    [
      'equal lists',
      { uniqueItems: true },
      [
        [1, [2]],
        [1, [2]],
      ],
      false,
    ],
    ['the same moments', { uniqueItems: true }, [new Date(1), new Date(1)], false],
    ['two moments', { uniqueItems: true }, [new Date(1), new Date(2)], true],
    ['duplicates where they may be', { uniqueItems: false, contains: { const: {} } }, [{}, {}], true],
    ['no list at all', { uniqueItems: true }, bare({ a: 1 }), true],
    ['the constant', { const: { a: [1] } }, bare({ a: [1] }), true],
    ['not the constant', { const: { a: [1] } }, bare({ a: [1, 2] }), false],
    ['one of the values', { enum: [1, { a: 1 }] }, bare({ a: 1 }), true],
    ['none of the values', { enum: [1, { a: 1 }] }, bare({ valueOf: 1 }), false],
  ])('compares objects by their fields, with or without a prototype: %s [T4]', async (_what, schema, value, ok) => {
    const result = await echo({ type: 'object', properties: { value: schema } }).call({ value } as never)
    expect(result).toMatchObject(ok ? { ok, value: { input: { value } } } : { ok, error: { code: 'invalid_input' } })
    expect(result.text).not.toContain('could not be checked')
  })

  test('says which items are the same, and what was expected [T4]', async () => {
    const it = echo({
      type: 'object',
      properties: { list: { uniqueItems: true }, one: { const: { a: 1 } }, some: { enum: [{ b: 1 }, 2] } },
    })
    expect((await it.call({ list: [{ a: 1 }, 2, { a: 1 }], one: 1, some: 1 } as never)).text).toBe(
      "Error: Invalid input for tool 'echo': 'list': must NOT have duplicate items (items ## 0 and 2 are identical); 'one': must be equal to constant: {\"a\":1}; 'some': must be equal to one of the allowed values: {\"b\":1}, 2.",
    )
  })

  test('that refers to itself as an object is a configuration error, not a hang', () => {
    const schema: Record<string, unknown> = { type: 'object' }
    schema['properties'] = { self: schema }
    expect(() => echo(schema)).toThrow(invalid(expect.stringContaining('not a valid JSON Schema')))
  })

  test.each([7, 'string', null, [], Symbol('x')])('is an object, not %o', (schema) => {
    expect(() => echo(schema as never)).toThrow(invalid(expect.stringContaining('must be a Standard Schema or a JSON Schema object')))
  })

  test('may refer to the schema of schemas', async () => {
    const it = echo({ type: 'object', properties: { schema: { $ref: 'https://json-schema.org/draft/2020-12/schema' } } })
    await expect(it.call({ schema: { type: 'string' } } as never)).resolves.toMatchObject({ ok: true })
    await expect(it.call({ schema: { type: 'strin' } } as never)).resolves.toMatchObject({ ok: false })
  })
})

describe('dialects', () => {
  const tuple = { type: 'array', items: [{ type: 'string' }, { type: 'number' }], additionalItems: false }

  test.each([
    'http://json-schema.org/draft-07/schema#',
    'http://json-schema.org/draft-07/schema',
    'https://json-schema.org/draft-07/schema#',
    'http://json-schema.org/draft-06/schema#',
  ])('%s is read as draft-07 [T3]', async ($schema) => {
    const it = echo({ $schema, type: 'object', properties: { pair: tuple }, required: ['pair'] })
    await expect(it.call({ pair: ['a', 1] } as never)).resolves.toMatchObject({ ok: true })
    await expect(it.call({ pair: [1, 'a'] } as never)).resolves.toMatchObject({ ok: false })
    await expect(it.call({ pair: ['a', 1, 2] } as never)).resolves.toMatchObject({ ok: false })
  })

  test('2019-09 is read as itself', async () => {
    const it = echo({ $schema: 'https://json-schema.org/draft/2019-09/schema', type: 'object', properties: { pair: tuple } })
    await expect(it.call({ pair: [1] } as never)).resolves.toMatchObject({ ok: false })
  })

  test('definitions and references of draft-07 work, and hide what stands beside a reference [T3]', async () => {
    const it = echo({
      $schema: 'http://json-schema.org/draft-07/schema#',
      type: 'object',
      properties: { age: { $ref: '#/definitions/age', maximum: 5, description: 'In years' } },
      definitions: { age: { type: 'integer', minimum: 0 } },
    })
    await expect(it.call({ age: 30 } as never)).resolves.toMatchObject({ ok: true })
    await expect(it.call({ age: -1 } as never)).resolves.toMatchObject({ ok: false })
    expect(it.specification.parameters).toEqual({
      type: 'object',
      properties: { age: { $ref: '#/definitions/age', description: 'In years' } },
      definitions: { age: { type: 'integer', minimum: 0 } },
    })
  })

  test('an anchor of draft-07 is found', async () => {
    const it = echo({
      $schema: 'http://json-schema.org/draft-07/schema#',
      type: 'object',
      properties: { age: { $ref: '#age' } },
      definitions: { age: { $id: '#age', type: 'integer' } },
    })
    await expect(it.call({ age: 1 } as never)).resolves.toMatchObject({ ok: true })
    await expect(it.call({ age: 'x' } as never)).resolves.toMatchObject({ ok: false })
  })

  test('the model sees draft-07 in the words of 2020-12 [T3]', () => {
    const { parameters } = echo({
      $schema: 'http://json-schema.org/draft-07/schema#',
      type: 'object',
      properties: { pair: tuple, other: { type: 'array', items: { type: 'string' } } },
      dependencies: { pair: ['other'], other: { required: ['pair'] } },
      default: { items: [1], dependencies: 1 },
    }).specification
    expect(parameters).toEqual({
      type: 'object',
      properties: {
        pair: { type: 'array', prefixItems: [{ type: 'string' }, { type: 'number' }], items: false },
        other: { type: 'array', items: { type: 'string' } },
      },
      dependentRequired: { pair: ['other'] },
      dependentSchemas: { other: { required: ['pair'] } },
      default: { items: [1], dependencies: 1 },
    })
  })
})

describe('schemas side by side', () => {
  test('two tools may use the same $id for different schemas [T3]', async () => {
    const $id = 'https://example.com/input.json'
    const one = echo({ $id, type: 'object', properties: { a: { $ref: '#/$defs/v' } }, $defs: { v: { type: 'string' } } }, 'one')
    const two = echo({ $id, type: 'object', properties: { a: { $ref: '#/$defs/v' } }, $defs: { v: { type: 'number' } } }, 'two')
    const tools = await resolve([one, two])
    await expect(tools.call('one', '{"a":"x"}')).resolves.toMatchObject({ ok: true })
    await expect(tools.call('two', '{"a":"x"}')).resolves.toMatchObject({ ok: false })
    await expect(tools.call('two', '{"a":1}')).resolves.toMatchObject({ ok: true })
  })

  test('nor do ids further down clash [T3]', async () => {
    const nested = (type: string) => ({ type: 'object', properties: { a: { $id: 'https://example.com/a.json', type } } })
    const one = echo(nested('string'), 'one')
    const two = echo(nested('number'), 'two')
    await expect(one.call({ a: 1 } as never)).resolves.toMatchObject({ ok: false })
    await expect(two.call({ a: 1 } as never)).resolves.toMatchObject({ ok: true })
  })
})

describe('hostile names of fields', () => {
  const NAMES = [
    'constructor',
    'prototype',
    'toString',
    'hasOwnProperty',
    '"',
    "'",
    '`',
    '\\',
    '${process.exit(1)}',
    '"];process.exit(1);//',
    "'+process.exit(1)+'",
    '*/process.exit(1)/*',
    '\u2028\u2029\n\r\0',
    '</script>',
    'a/b~c~1d~0e',
    '',
    'data.x=1',
  ]

  test.each(NAMES)('%o is a field like any other: checked, required and given back [T4]', async (name) => {
    const it = echo({ type: 'object', properties: { [name]: { type: 'string' } }, required: [name] })
    const argument = (value: unknown): unknown => ({ [name]: value })
    await expect(it.call(argument('x') as never)).resolves.toMatchObject({ ok: true })
    await expect(it.call(argument(1) as never)).resolves.toMatchObject({ ok: false, error: { code: 'invalid_input' } })
    const missing = await it.call({} as never)
    expect(missing.text).toContain('is missing')
    expect(Object.prototype).not.toHaveProperty('polluted')
  })

  test.each(NAMES)('%o in an enum, a constant and a default is data', async (name) => {
    const it = echo({ type: 'object', properties: { a: { enum: [name] }, b: { const: name }, c: { type: 'string', default: name } } })
    await expect(it.call({ a: name, b: name } as never)).resolves.toMatchObject({ value: { input: { a: name, b: name, c: name } } })
  })
})
