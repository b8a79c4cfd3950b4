import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { resolve } from '../tool/resolve/resolve.ts'
import { tool } from '../tool/tool.ts'
import type { JsonSchema } from './json-schema.ts'
import { modelParameters } from './model-parameters.ts'
import type { AnySchema } from './schema-types.ts'

const OBJECT = { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] }

describe('the root that the model sees', () => {
  test('is the schema itself where that is an object [T3]', () => {
    expect(modelParameters(OBJECT)).toEqual({ parameters: OBJECT, wrapped: false })
  })

  test('says that it is an object where the schema only lists fields [T3]', () => {
    const { type: _type, ...untyped } = OBJECT
    expect(modelParameters(untyped)).toEqual({ parameters: OBJECT, wrapped: false })
  })

  test.each<readonly [string, JsonSchema]>([
    ['a string', { type: 'string', maxLength: 5 }],
    ['a list', { type: 'array', items: { type: 'number' } }],
    ['an object or null', { type: ['object', 'null'] }],
    ['anything', {}],
    ['a union of objects, which providers of models refuse at the root', { anyOf: [OBJECT, OBJECT] }],
    ['a union beside fields, for the same reason', { ...OBJECT, oneOf: [{ required: ['a'] }] }],
    ['an intersection', { allOf: [OBJECT] }],
  ])('wraps %s as { input } [T3]', (_what, schema) => {
    expect(modelParameters(schema)).toEqual({
      parameters: { type: 'object', properties: { input: schema }, required: ['input'] },
      wrapped: true,
    })
  })

  test('shows a definition in place of a reference to it [T3]', () => {
    expect(modelParameters({ $ref: '#/$defs/a', description: 'An a.', $defs: { a: OBJECT } }).parameters).toEqual({
      ...OBJECT,
      description: 'An a.',
      $defs: { a: OBJECT },
    })
  })

  test('moves definitions up with the root, and points what pointed at the root to the input [T3]', () => {
    const schema = {
      type: 'array',
      items: { anyOf: [{ $ref: '#' }, { $ref: '#/$defs/leaf' }, { $ref: '#/items/anyOf/1' }] },
      $defs: { leaf: { type: 'object', properties: { up: { $ref: '#' } } } },
      default: [{ $ref: '#' }],
    }
    expect(modelParameters(schema).parameters).toEqual({
      type: 'object',
      properties: {
        input: {
          type: 'array',
          items: {
            anyOf: [{ $ref: '#/properties/input' }, { $ref: '#/$defs/leaf' }, { $ref: '#/properties/input/items/anyOf/1' }],
          },
          default: [{ $ref: '#' }],
        },
      },
      required: ['input'],
      $defs: { leaf: { type: 'object', properties: { up: { $ref: '#/properties/input' } } } },
    })
  })

  test('leaves references alone that count from an $id', () => {
    const schema = { $id: 'https://example.com/list', type: 'array', items: { $ref: '#/$defs/a' }, $defs: { a: OBJECT } }
    expect(modelParameters(schema).parameters).toEqual({ type: 'object', properties: { input: schema }, required: ['input'] })
  })

  test('does not follow a reference for ever', () => {
    expect(modelParameters({ $ref: '#' }).wrapped).toBe(true)
    expect(modelParameters({ $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/a' } } }).wrapped).toBe(true)
  })
})

describe('a wrapped input', () => {
  const called = async (inputSchema: AnySchema, text: string) => {
    const tools = await resolve([tool({ name: 'echo', description: 'd', inputSchema, execute: (input: unknown) => ({ input }) })])
    return tools.call('echo', text)
  }

  test('is taken out of its wrapper [T3]', async () => {
    await expect(called(z.array(z.number()), '{"input":[1,2]}')).resolves.toMatchObject({ value: { input: [1, 2] } })
  })

  test('is understood without its wrapper where it can be [T3]', async () => {
    await expect(called(z.array(z.number()), '[1,2]')).resolves.toMatchObject({ value: { input: [1, 2] } })
    const either = z.union([z.object({ a: z.number() }), z.object({ b: z.number() })])
    await expect(called(either, '{"b":1}')).resolves.toMatchObject({ value: { input: { b: 1 } } })
    await expect(called(either, '{"input":{"b":1}}')).resolves.toMatchObject({ value: { input: { b: 1 } } })
  })

  test.each(['{}', '{"value":[1]}', ''])('is named where it is missing: %s [T4]', async (text) => {
    const result = await called(z.array(z.number()), text)
    expect(result.text).toBe("Error: Invalid input for tool 'echo': 'input' is missing.")
  })
})
