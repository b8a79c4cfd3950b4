import { describe, expect, test } from 'vitest'
import { list, number, object, open, type Row, text } from '../../../test/fixtures/plan/schemas.ts'
import type { Fit } from './fit.ts'
import { subsumes } from './subsumes.ts'

const told = (fit: Fit): string => (fit.answer === 'fits' || fit.path === '' ? fit.answer : `${fit.answer} at ${fit.path}`)

const OBJECTS: readonly Row[] = [
  ['fields and the same', object({ a: text, b: number }), object({ a: text, b: number }), 'fits'],
  ['a field of another type', object({ a: text }), object({ a: number }), 'does not fit at a'],
  ['a field of another type further down', object({ a: object({ b: text }) }), object({ a: object({ b: number }) }), 'does not fit at a.b'],
  ['a field that is not given', object({ a: text }), object({ a: text, b: text }), 'does not fit at b'],
  ['a field that may be missing', object({ a: text }, []), object({ a: text }), 'does not fit at a'],
  ['a field that may be missing on both sides', object({ a: text }, []), object({ a: text }, []), 'fits'],
  ['a field that is given and optional', object({ a: text }), object({ a: text }, []), 'fits'],
  ['an undeclared field, which is dropped', object({ a: text, b: text }), object({ a: text }), 'fits'],
  ['an undeclared field further down', object({ a: object({ b: text, c: text }) }), object({ a: object({ b: text }) }), 'fits'],
  ['other fields of an open object, which are dropped', open({ a: text }), object({ a: text }), 'fits'],
  ['an optional field that an open object may have', open({ a: text }), object({ a: text, b: text }, ['a']), 'cannot tell at b'],
  ['an optional field that a closed object lacks', object({ a: text }), object({ a: text, b: text }, ['a']), 'fits'],
  ['an object without fields and a required one', { type: 'object' }, open({ a: text }), 'does not fit at a'],
  ['fields and no fields, but none allowed', object({ a: text }), { type: 'object', additionalProperties: false }, 'does not fit at a'],
  ['null for an optional field, which counts as missing', object({ a: { type: ['string', 'null'] } }), object({ a: text }, []), 'fits'],
  ['null for a required field', object({ a: { type: ['string', 'null'] } }), object({ a: text }), 'does not fit at a'],
  ['null for a field that allows it', object({ a: { type: 'null' } }), object({ a: { type: ['string', 'null'] } }), 'fits'],
  [
    'null for an optional list, and in it',
    object({ a: list({ type: ['string', 'null'] }) }),
    object({ a: list(text) }, []),
    'does not fit at a[]',
  ],
  ['a missing field with a default', object({}), object({ a: { type: 'string', default: 'x' } }, []), 'fits'],
  ['a missing field that is required and has a default', object({}), object({ a: { type: 'string', default: 'x' } }), 'fits'],
  [
    'a missing field with a default that the only option of a union would have',
    object({}),
    { anyOf: [open({ a: { type: 'number', default: 1 } })] },
    'cannot tell at a',
  ],
  [
    'the same further down in the option',
    object({ b: object({}) }),
    { anyOf: [open({ b: open({ a: { type: 'number', default: 1 } }) })] },
    'cannot tell at b.a',
  ],
  [
    'null for a required field with a default in an option, which is dropped and not filled in',
    object({ a: { type: ['number', 'null'] } }),
    { anyOf: [open({ a: { type: 'number', default: 1 } })] },
    'cannot tell at a',
  ],
  [
    'a missing field with a default that is not required in an option',
    object({}),
    { anyOf: [open({ a: { type: 'number', default: 1 } }, [])] },
    'fits',
  ],
  ['a missing field with a default that does not fit', object({}), object({ a: { type: 'string', default: 5 } }, []), 'cannot tell at a'],
  ['a record and the same', open({}), { type: 'object', additionalProperties: {} }, 'fits'],
  [
    'a record of numbers and of numbers',
    { type: 'object', additionalProperties: { type: 'integer' } },
    { type: 'object', additionalProperties: number },
    'fits',
  ],
  [
    'a record of texts and of numbers',
    { type: 'object', additionalProperties: text },
    { type: 'object', additionalProperties: number },
    'does not fit at *',
  ],
  [
    'a record inside a field',
    object({ a: { type: 'object', additionalProperties: object({ b: text }) } }),
    object({ a: { type: 'object', additionalProperties: object({ b: number }) } }),
    'does not fit at a.*.b',
  ],
  ['fields and a record that takes them', object({ a: number, b: number }), { type: 'object', additionalProperties: number }, 'fits'],
  [
    'fields and a record that does not',
    object({ a: number, b: text }),
    { type: 'object', additionalProperties: number },
    'does not fit at b',
  ],
  ['an open object and a record', open({ a: number }), { type: 'object', additionalProperties: number }, 'cannot tell at *'],
  [
    'null in a record, which is dropped',
    { type: 'object', additionalProperties: { type: ['number', 'null'] } },
    { type: 'object', additionalProperties: number },
    'fits',
  ],
  ['a record and a field of it', { type: 'object', additionalProperties: number }, object({ a: text }, []), 'does not fit at a'],
  [
    'patterns of names and the same',
    { type: 'object', patternProperties: { '^x-': text } },
    { type: 'object', patternProperties: { '^x-': text } },
    'fits',
  ],
  [
    'patterns of names and others',
    { type: 'object', patternProperties: { '^x-': text } },
    { type: 'object', patternProperties: { '^y-': number } },
    'cannot tell at *',
  ],
  [
    'a field under a pattern of names',
    object({ 'x-a': text }),
    { type: 'object', patternProperties: { '^x-': number } },
    'does not fit at x-a',
  ],
  ['a field with a dot in its name', object({ 'a.b': text }), object({ 'a.b': number }), 'does not fit at ["a.b"]'],
  ['names that are taken', object({ a: text }), { type: 'object', propertyNames: { maxLength: 2 } }, 'fits'],
  ['a name that is not taken', object({ abc: text }), { type: 'object', propertyNames: { maxLength: 2 } }, 'does not fit at abc'],
  ['fewer fields than asked for', object({ a: text }), { type: 'object', minProperties: 2 }, 'does not fit'],
  ['as many fields as asked for', object({ a: text, b: text }), { type: 'object', minProperties: 2 }, 'fits'],
  ['more fields than allowed', object({ a: text, b: text }), { type: 'object', maxProperties: 1 }, 'does not fit'],
  [
    'fields that ask for others, and the same',
    { ...object({ a: text, b: text }, []), dependentRequired: { a: ['b'] } },
    { ...object({ a: text, b: text }, []), dependentRequired: { a: ['b'] } },
    'fits',
  ],
  [
    'a field that asks for one that may be missing',
    object({ a: text, b: text }, ['a']),
    { ...object({ a: text, b: text }, []), dependentRequired: { a: ['b'] } },
    'does not fit at b',
  ],
  ['an object that cannot be, and something', object({ a: false }), text, 'cannot tell'],
  ['a field that an impossible one stands beside', object({ a: text, b: false }), object({ a: number }), 'cannot tell'],
  ['a field that cannot be given', object({ a: text, b: false }, ['a']), object({ a: text, b: number }, ['a']), 'fits'],
  [
    'a field that is required and not declared, so that it is kept',
    object({ a: text, b: text }),
    { ...object({ a: text }), required: ['b'] },
    'does not fit at b',
  ],
  [
    'a null of OpenAPI, which is kept',
    object({ a: { type: 'string', nullable: true } }),
    object({ a: { type: 'string', nullable: true } }),
    'fits',
  ],
  [
    'a field that asks for two others',
    object({ a: text, b: text, c: text }, ['a', 'c']),
    { ...object({ a: text, b: text, c: text }, []), dependentRequired: { a: ['b', 'c'] } },
    'does not fit at b',
  ],
  [
    'a field that asks for one that is null and dropped',
    object({ a: text, b: { type: ['string', 'null'] } }),
    { ...object({ a: text, b: text }, []), dependentRequired: { a: ['b'] } },
    'cannot tell at b',
  ],
  ['a field that the producer may fill in', object({ a: { type: 'string', default: 'x' } }, []), object({ a: text }), 'cannot tell at a'],
  [
    'the only field of an object with at least one',
    { ...object({ a: text }, []), minProperties: 1 },
    object({ a: text }),
    'cannot tell at a',
  ],
  ['an object under a condition and another type', { ...object({ a: text }), not: { required: ['b'] } }, text, 'cannot tell'],
]

const LISTS: readonly Row[] = [
  ['a list and the same', list(text), list(text), 'fits'],
  ['a list of other items', list(text), list(number), 'does not fit at []'],
  [
    'a field of the items',
    object({ items: list(object({ id: text })) }),
    object({ items: list(object({ id: number })) }),
    'does not fit at items[].id',
  ],
  ['a list that must be empty and one of other items', list(text, { maxItems: 0 }), list(number), 'fits'],
  ['a list and one with at least one item', list(text), list(text, { minItems: 1 }), 'does not fit'],
  ['a list and a shorter one', list(text, { maxItems: 3 }), list(text, { maxItems: 2 }), 'does not fit'],
  ['a list within the lengths', list(text, { minItems: 1, maxItems: 2 }), list(text, { minItems: 1, maxItems: 3 }), 'fits'],
  ['a list of unique items and any', list(text, { uniqueItems: true }), list(text), 'fits'],
  ['a list of unique items and the same', list(text, { uniqueItems: true }), list(text, { uniqueItems: true }), 'fits'],
  ['a list and one of unique items', list(text), list(text, { uniqueItems: true }), 'does not fit'],
  [
    'unique items that may be the same without what is dropped',
    list(object({ a: text, b: text }), { uniqueItems: true }),
    list(object({ a: text }), { uniqueItems: true }),
    'cannot tell',
  ],
  ['a list of anything and one of something', { type: 'array' }, list(text), 'cannot tell at []'],
  [
    'a tuple and the same',
    { type: 'array', prefixItems: [text, number], items: false, minItems: 2 },
    { type: 'array', prefixItems: [text, number], items: false, minItems: 2 },
    'fits',
  ],
  [
    'a tuple and one of other items',
    { type: 'array', prefixItems: [text, text], minItems: 2 },
    { type: 'array', prefixItems: [text, number] },
    'does not fit at [1]',
  ],
  ['a tuple and a list that takes its items', { type: 'array', prefixItems: [text, text], items: false }, list(text), 'fits'],
  ['a list and a tuple', list(text), { type: 'array', prefixItems: [text], items: false }, 'does not fit'],
  [
    'a tuple of draft-07',
    { type: 'array', items: [text, number], additionalItems: false, minItems: 2 },
    { type: 'array', prefixItems: [text, number], items: false },
    'fits',
  ],
  [
    'a list that contains something, and the same',
    list(text, { contains: { const: 'a' } }),
    list(text, { contains: { const: 'a' } }),
    'fits',
  ],
  ['a list and one that contains something', list(text), list(text, { contains: { const: 'a' } }), 'cannot tell'],
  [
    'items behind one that may not be there',
    { type: 'array', prefixItems: [{ type: 'string', not: { const: 'x' } }], items: number },
    list(text),
    'cannot tell at []',
  ],
  [
    'more unique items than there are values',
    list({ enum: ['a', 'b'] }, { uniqueItems: true }),
    list(text, { maxItems: 2 }),
    'cannot tell',
  ],
]

describe.each([
  { of: 'objects', rows: OBJECTS },
  { of: 'lists', rows: LISTS },
])('among $of', ({ rows }) => {
  test.each(rows)('%s [C5]', (_what, producer, consumer, answer) => {
    expect(told(subsumes(producer, consumer))).toBe(answer)
  })
})
