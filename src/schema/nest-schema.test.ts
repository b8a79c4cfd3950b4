import { describe, expect, test } from 'vitest'
import { conjunction, objectSchema, unionSchema } from './combine-schemas.ts'
import { compileJsonSchema } from './compile-json-schema.ts'
import type { JsonSchema } from './json-schema.ts'
import { itemSchema, listSchema, nestSchema } from './nest-schema.ts'

const text = { type: 'string' }
const person = { type: 'object', properties: { name: text, boss: { $ref: '#' } }, required: ['name'] }
const tree = {
  $ref: '#/$defs/node',
  $defs: { node: { type: 'object', properties: { of: text, next: { $ref: '#/$defs/node' } }, required: ['of'] } },
}

const PERSON = { name: 'Ada', boss: { name: 'Bob' } }
const NO_PERSON = { name: 'Ada', boss: { name: 5 } }
const TREE = { of: 'a', next: { of: 'b' } }
const NO_TREE = { of: 'a', next: {} }

function takes(schema: JsonSchema, value: unknown): boolean {
  return compileJsonSchema(schema, 'It').validate(value).issues === undefined
}

const RECURSIVE: readonly (readonly [name: string, schema: JsonSchema, value: unknown, other: unknown])[] = [
  ['refers to its root', person, PERSON, NO_PERSON],
  ['refers to its definitions', tree, TREE, NO_TREE],
  ['has a name of its own', { ...person, $id: 'https://example.com/person' }, PERSON, NO_PERSON],
]

describe.each(RECURSIVE)('a schema that %s means the same', (_name, schema, value, other) => {
  test('inside another schema', () => {
    const nested = nestSchema(schema, { around: (inner) => ({ properties: { input: inner } }), pointer: '/properties/input' })
    expect(takes(nested, { input: value })).toBe(true)
    expect(takes(nested, { input: other })).toBe(false)
  })

  test('in a list', () => {
    expect(takes(listSchema(schema), [value, value])).toBe(true)
    expect(takes(listSchema(schema), [value, other])).toBe(false)
  })

  test('in a union, an object and a conjunction', () => {
    expect([takes(unionSchema([text, schema]), value), takes(unionSchema([text, schema]), other)]).toEqual([true, false])
    const object = objectSchema(
      [
        ['a', text],
        ['b', schema],
      ],
      true,
    )
    expect([takes(object, { a: '', b: value }), takes(object, { a: '', b: other }), takes(object, { a: '' })]).toEqual([true, false, false])
    const both = conjunction([schema, { type: 'object', minProperties: 2 }])
    expect([takes(both, value), takes(both, other)]).toEqual([true, false])
  })
})

test('the items of a list have the schema that the list was made of, with its definitions', () => {
  expect(itemSchema(listSchema(tree))).toEqual(tree)
  expect(itemSchema({ $ref: '#/$defs/list', $defs: { list: { items: text } } })).toMatchObject(text)
  expect(itemSchema({ type: 'array' })).toBeUndefined()
})
