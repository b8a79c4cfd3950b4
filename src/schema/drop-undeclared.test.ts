import { describe, expect, test } from 'vitest'
import { dropUndeclared } from './drop-undeclared.ts'
import type { JsonSchema } from './json-schema.ts'

const text = { type: 'string' }
const object = (properties: JsonSchema, required: readonly string[] = Object.keys(properties)): JsonSchema => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
})

/** What goes in, and what is left of it. */
const CASES: readonly (readonly [what: string, schema: JsonSchema, given: unknown, left: unknown])[] = [
  ['a field at the root', object({ a: text }), { a: 'x', b: 1 }, { a: 'x' }],
  ['a field further down', object({ a: object({ b: text }) }), { a: { b: 'x', c: 1 } }, { a: { b: 'x' } }],
  ['fields in a list', { type: 'array', items: object({ a: text }) }, [{ a: 'x', b: 1 }, { a: 'y' }], [{ a: 'x' }, { a: 'y' }]],
  [
    'fields in a tuple',
    { prefixItems: [object({ a: text }), object({ b: text })], items: object({ c: text }) },
    [
      { a: 'x', z: 1 },
      { b: 'x', z: 1 },
      { c: 'x', z: 1 },
    ],
    [{ a: 'x' }, { b: 'x' }, { c: 'x' }],
  ],
  ['fields in a record', { type: 'object', additionalProperties: object({ a: text }) }, { k: { a: 'x', b: 1 } }, { k: { a: 'x' } }],
  [
    'fields under a pattern',
    { properties: {}, patternProperties: { '^x-': object({ a: text }) } },
    { 'x-1': { a: 'x', b: 1 }, y: 1 },
    { 'x-1': { a: 'x' } },
  ],
  ['a field behind a reference', { $ref: '#/$defs/a', $defs: { a: object({ a: text }) } }, { a: 'x', b: 1 }, { a: 'x' }],
  [
    'a field behind a reference with an escaped name',
    { $ref: '#/$defs/a~1b%20c', $defs: { 'a/b c': object({ a: text }) } },
    { a: 'x', b: 1 },
    { a: 'x' },
  ],
  [
    'fields at every turn of a recursion',
    { ...object({ next: { $ref: '#' } }, []) },
    { next: { next: { z: 1 }, z: 1 }, z: 1 },
    { next: { next: {} } },
  ],
  [
    'a field of no part of an intersection',
    { allOf: [{ properties: { a: text } }, { properties: { b: text } }] },
    { a: 'x', b: 'y', c: 1 },
    { a: 'x', b: 'y' },
  ],
  [
    'a field that the tagged option does not have',
    { oneOf: [object({ kind: { const: 'a' }, x: text }), object({ kind: { const: 'b' }, y: text })] },
    { kind: 'a', x: 'x', y: 'y' },
    { kind: 'a', x: 'x' },
  ],
  [
    'a field of the option that lacks a required field',
    { anyOf: [object({ a: text }), object({ b: text, c: text })] },
    { a: 'x', c: 'y', z: 1 },
    { a: 'x' },
  ],
  [
    'only what no option has, where the option cannot be told',
    { anyOf: [object({ a: text }), object({ a: text, b: text }, ['a'])] },
    { a: 'x', b: 'y', z: 1 },
    { a: 'x', b: 'y' },
  ],
  [
    'a field in a union within a list within a union',
    { anyOf: [text, object({ list: { type: 'array', items: { anyOf: [text, object({ a: text })] } } })] },
    { list: ['x', { a: 'x', z: 1 }], z: 1 },
    { list: ['x', { a: 'x' }] },
  ],
  [
    'a field in an option behind a reference',
    { anyOf: [{ $ref: '#/$defs/a' }, { type: 'null' }], $defs: { a: object({ a: text }) } },
    { a: 'x', z: 1 },
    { a: 'x' },
  ],
  [
    'a field beside options that only name what is required',
    { type: 'object', properties: { a: text, b: text }, anyOf: [{ required: ['a'] }, { required: ['b'] }] },
    { a: 'x', z: 1 },
    { a: 'x' },
  ],
  [
    'no field that a condition declares',
    { properties: { a: text }, if: { properties: { a: { const: 'x' } } }, else: { properties: { b: text } } },
    { a: 'x', b: 'y', z: 1 },
    { a: 'x', b: 'y' },
  ],
  ['a field beside an option that nothing is', { anyOf: [object({ a: text }), { not: {} }] }, { a: 'x', z: 1 }, { a: 'x' }],
  [
    'a field beside an option that no object is',
    { anyOf: [object({ a: text }), { not: { type: 'object' } }] },
    { a: 'x', z: 1 },
    { a: 'x' },
  ],
  ['a field beside an option of texts', { anyOf: [object({ a: text }), { enum: ['x', 'y'] }] }, { a: 'x', z: 1 }, { a: 'x' }],
  ['a field beside an option that is one text', { oneOf: [{ const: 'x' }, object({ a: text })] }, { a: 'x', z: 1 }, { a: 'x' }],
  [
    'a field beside an option that is another object',
    { anyOf: [object({ a: text }), { enum: [{ b: 'x' }, ['x']] }] },
    { a: 'x', z: 1 },
    { a: 'x' },
  ],
  ['a field beside an option that is forbidden', { anyOf: [object({ a: text }), false] }, { a: 'x', z: 1 }, { a: 'x' }],
  ['a null where none is allowed', object({ a: text, b: text }), { a: null, b: 'x' }, { b: 'x' }],
  ['a null further down', object({ a: object({ b: text }) }), { a: { b: null } }, { a: {} }],
  ['a null in a record', { additionalProperties: { type: 'number' } }, { a: null, b: 1 }, { b: 1 }],
  ['a null that an enum forbids, nullable or not', object({ a: { type: 'string', nullable: true, enum: ['x'] } }), { a: null }, {}],
  ['a null that is excluded', object({ a: { not: { type: 'null' } } }), { a: null }, {}],
  ['a null behind a reference', { ...object({ a: { $ref: '#/$defs/t' } }), $defs: { t: text } }, { a: null }, {}],
  [
    'a null that the tagged option does not allow',
    {
      oneOf: [object({ k: { const: 'a' }, x: text }), object({ k: { const: 'b' }, x: { type: ['string', 'null'] } })],
    },
    { k: 'a', x: null },
    { k: 'a' },
  ],
]

/** What is left alone. */
const KEPT: readonly (readonly [what: string, schema: JsonSchema, value: unknown])[] = [
  ['a null that a type list allows', object({ a: { type: ['string', 'null'] } }), { a: null }],
  ['a null that an option allows', object({ a: { anyOf: [text, { type: 'null' }] } }), { a: null }],
  ['a null in an enum', object({ a: { enum: ['x', null] } }), { a: null }],
  ['a null of a nullable type', object({ a: { type: 'string', nullable: true } }), { a: null }],
  ['a null of a nullable enum', object({ a: { type: 'string', nullable: true, enum: ['x', null] } }), { a: null }],
  ['a null as constant', object({ a: { const: null } }), { a: null }],
  ['a null where anything goes', object({ a: {} }), { a: null }],
  ['a null in a list', object({ a: { type: 'array', items: text } }), { a: [null] }],
  ['a null of an open object', { type: 'object', properties: {}, additionalProperties: {} }, { a: null }],
  ['a field of an object that is open', { type: 'object', properties: { a: text }, additionalProperties: true }, { a: 'x', b: 1 }],
  ['a field of an object that lists none', { type: 'object' }, { a: 1 }],
  ['fields of a record', { type: 'object', additionalProperties: { type: 'number' } }, { a: 1 }],
  ['a field where an option is open', { anyOf: [object({ a: text }), { type: 'object' }] }, { b: 1 }],
  ['a field where an option is anything', { anyOf: [object({ a: text }), true] }, { b: 1 }],
  ['a field of an object that an option names', { anyOf: [object({ a: text }), { enum: [{ a: 'x', b: 1 }] }] }, { a: 'x', b: 1 }],
  ['a field behind a reference that leads nowhere', { $ref: 'https://example.com/x', properties: { a: text } }, { b: 1 }],
  ['a field that is allowed as unevaluated', { properties: { a: text }, unevaluatedProperties: { type: 'number' } }, { b: 1 }],
  ['an instance of a class', object({ a: text }), new URL('https://example.com')],
  ['a simple value', object({ a: text }), 'x'],
]

test.each(CASES)('drops %s [T4]', (_what, schema, given, left) => {
  const before = structuredClone(given)
  expect(dropUndeclared(given, schema)).toEqual(left)
  expect(given).toEqual(before)
})

test.each(KEPT)('keeps %s [T4]', (_what, schema, value) => {
  expect(dropUndeclared(value, schema)).toBe(value)
})

describe('schemas and values without an end', () => {
  const looping: readonly JsonSchema[] = [
    { $ref: '#' },
    { allOf: [{ $ref: '#' }], properties: { a: text } },
    { anyOf: [{ $ref: '#' }, { $ref: '#' }, object({ a: text })] },
    { anyOf: [{ anyOf: [{ $ref: '#' }, { $ref: '#/anyOf/0' }] }, { $ref: '#/anyOf/0' }] },
    { properties: { a: { anyOf: [{ $ref: '#/properties/a' }, { $ref: '#/properties/a' }] } } },
  ]

  test.each(looping)('a schema that is an option of itself ends: %o', (schema) => {
    expect(() => dropUndeclared({ a: null, b: { a: null } }, schema)).not.toThrow()
  })

  test('a value that refers to itself is left as it is', () => {
    const value: Record<string, unknown> = { z: 1 }
    value['left'] = value
    value['right'] = value
    expect(dropUndeclared(value, object({ left: { $ref: '#' }, right: { $ref: '#' } }))).toBe(value)
  })

  test('a value that is nested too deeply is left as it is', () => {
    const value = JSON.parse(`${'{"next":'.repeat(20_000)}{"z":1}${'}'.repeat(20_000)}`) as unknown
    expect(dropUndeclared(value, object({ next: { $ref: '#' } }, []))).toBe(value)
  })
})

test('a field named __proto__ is dropped or kept, never followed', () => {
  const value = JSON.parse('{"a":"x","__proto__":{"polluted":true},"b":1}') as unknown
  const left = dropUndeclared(value, { type: 'object', properties: { a: text, b: { type: 'number' } } })
  expect(left).toEqual({ a: 'x', b: 1 })
  const kept = dropUndeclared(value, { properties: { b: text }, additionalProperties: { type: ['string', 'object'] } })
  expect(Object.getPrototypeOf(kept)).toBe(Object.prototype)
  expect({}).not.toHaveProperty('polluted')
})
