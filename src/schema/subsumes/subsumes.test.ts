import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { list, number, object, open, type Row, type Schema, tagged, text } from '../../../test/fixtures/plan/schemas.ts'
import type { JsonSchema } from '../json-schema.ts'
import type { Fit } from './fit.ts'
import { subsumes } from './subsumes.ts'

const gives = (schema: z.ZodType): JsonSchema => schema['~standard'].jsonSchema.output({ target: 'draft-2020-12' })
const takes = (schema: z.ZodType): JsonSchema => schema['~standard'].jsonSchema.input({ target: 'draft-2020-12' })

const told = (fit: Fit): string => (fit.answer === 'fits' || fit.path === '' ? fit.answer : `${fit.answer} at ${fit.path}`)

const TYPES: readonly Row[] = [
  ['a type and the same', text, text, 'fits'],
  ['a type and another', text, number, 'does not fit'],
  ['an integer and a number', { type: 'integer' }, number, 'fits'],
  ['a number and an integer', number, { type: 'integer' }, 'does not fit'],
  ['whole steps and an integer', { type: 'number', multipleOf: 5 }, { type: 'integer' }, 'fits'],
  ['a type and a list of types that has it', text, { type: ['string', 'null'] }, 'fits'],
  ['a list of types and one of them', { type: ['string', 'null'] }, text, 'does not fit'],
  ['a list of types and the same in another order', { type: ['string', 'null'] }, { type: ['null', 'string'] }, 'fits'],
  ['a list of types and options for each', { type: ['string', 'null'] }, { anyOf: [{ type: 'null' }, text] }, 'fits'],
  ['options and a list of types', { anyOf: [text, { type: 'boolean' }] }, { type: ['boolean', 'string'] }, 'fits'],
  ['anything and anything', {}, {}, 'fits'],
  ['something and anything', text, {}, 'fits'],
  ['something and what only has a title', text, { title: 'Anything' }, 'fits'],
  ['anything and something', {}, text, 'cannot tell'],
  ['anything and all types', {}, { type: ['string', 'number', 'boolean', 'null', 'array', 'object'] }, 'fits'],
  ['a rule without a type and the type that it is for', { minLength: 2 }, text, 'cannot tell'],
  ['fields without a type and other fields', { properties: { a: number }, required: ['a'] }, open({ a: text }), 'does not fit at a'],
  ['the schema true and a type', true, text, 'cannot tell'],
  ['a type and the schema false', text, false, 'does not fit'],
  ['the schema false, which gives nothing, and a type', false, text, 'fits'],
  ['what is of no type and a type', { allOf: [text, number] }, { type: 'boolean' }, 'fits'],
  ['a nullable type of OpenAPI and the type', { type: 'string', nullable: true }, text, 'does not fit'],
]

const VALUES: readonly Row[] = [
  ['a constant and its type', { const: 'a' }, text, 'fits'],
  ['a constant and another', { const: 'a' }, { const: 'b' }, 'does not fit'],
  ['a list of values and a longer one', { enum: ['a', 'b'] }, { enum: ['b', 'c', 'a'] }, 'fits'],
  ['a list of values and a shorter one', { enum: ['a', 'b'] }, { enum: ['a'] }, 'does not fit'],
  ['a type and a list of values', text, { enum: ['a'] }, 'does not fit'],
  ['a boolean and both of its values', { type: 'boolean' }, { enum: [true, false] }, 'fits'],
  ['a boolean and one of its values', { type: 'boolean' }, { const: true }, 'does not fit'],
  ['a few integers and a list of them', { type: 'integer', minimum: 1, maximum: 3 }, { enum: [1, 2, 3] }, 'fits'],
  ['values that match and a pattern', { enum: ['ab', 'ac'] }, { type: 'string', pattern: '^a' }, 'fits'],
  ['values of which one does not match and a pattern', { enum: ['ab', 'b'] }, { type: 'string', pattern: '^a' }, 'does not fit'],
  ['values and a format, which is not always checked', { enum: ['a@b.c'] }, { type: 'string', format: 'email' }, 'cannot tell'],
  ['values and what is not forbidden', { enum: ['a', 'b'] }, { type: 'string', not: { const: 'c' } }, 'fits'],
  ['values and what is forbidden', { enum: ['a', 'b'] }, { type: 'string', not: { const: 'b' } }, 'does not fit'],
  ['values and a condition', { enum: [5, 7] }, { if: { minimum: 6 }, else: { const: 5 } }, 'fits'],
  ['an object as value and its fields', { const: { a: 1, b: 'x' } }, open({ a: number }), 'fits'],
  ['an object as value and other fields', { const: { a: 1 } }, open({ a: text }), 'does not fit at a'],
  ['an object as value and the same', { const: { a: [1] } }, { const: { a: [1] } }, 'fits'],
  ['values outside of the bounds beside them', { enum: [1, 9], maximum: 5 }, { type: 'number', maximum: 5 }, 'fits'],
]

const BOUNDS: readonly Row[] = [
  ['narrower bounds', { type: 'number', minimum: 1, maximum: 5 }, { type: 'number', minimum: 0, maximum: 10 }, 'fits'],
  ['a wider bound', { type: 'number', minimum: 0 }, { type: 'number', minimum: 1 }, 'does not fit'],
  ['no bound and a bound', number, { type: 'number', maximum: 10 }, 'does not fit'],
  ['a bound that counts and one that does not', { type: 'number', minimum: 0 }, { type: 'number', exclusiveMinimum: 0 }, 'does not fit'],
  ['a bound that does not count and one that does', { type: 'number', exclusiveMinimum: 0 }, { type: 'number', minimum: 0 }, 'fits'],
  ['integers above a bound and from the next on', { type: 'integer', exclusiveMinimum: 0 }, { type: 'integer', minimum: 1 }, 'fits'],
  ['numbers above a bound and from the next on', { type: 'number', exclusiveMinimum: 0 }, { type: 'number', minimum: 1 }, 'does not fit'],
  ['steps and steps that divide them', { type: 'number', multipleOf: 10 }, { type: 'number', multipleOf: 5 }, 'fits'],
  ['steps and steps that do not divide them', { type: 'number', multipleOf: 5 }, { type: 'number', multipleOf: 10 }, 'does not fit'],
  ['fractions as steps, which are rounded', { type: 'number', multipleOf: 0.3 }, { type: 'number', multipleOf: 0.1 }, 'cannot tell'],
  ['integers and the safe integers', { type: 'integer' }, takes(z.int()), 'cannot tell'],
  ['safe integers and the same', gives(z.int()), takes(z.int()), 'fits'],
  ['two ranges that cover one', { type: 'integer', minimum: 0, maximum: 9 }, { anyOf: [{ maximum: 4 }, { minimum: 5 }] }, 'fits'],
  [
    'two ranges with a gap',
    { type: 'number' },
    {
      anyOf: [
        { type: 'number', maximum: 4 },
        { type: 'number', minimum: 5 },
      ],
    },
    'does not fit',
  ],
  ['narrower lengths', { type: 'string', minLength: 2, maxLength: 4 }, { type: 'string', minLength: 1, maxLength: 5 }, 'fits'],
  ['a shorter length', text, { type: 'string', minLength: 1 }, 'does not fit'],
  ['a longer length', { type: 'string', maxLength: 6 }, { type: 'string', maxLength: 5 }, 'does not fit'],
  ['a pattern and the same', { type: 'string', pattern: '^a+$' }, { type: 'string', pattern: '^a+$' }, 'fits'],
  ['a pattern and another', { type: 'string', pattern: '^a+$' }, { type: 'string', pattern: '^a' }, 'cannot tell'],
  ['no pattern and a pattern', text, { type: 'string', pattern: '^a' }, 'cannot tell'],
  ['a pattern and none', { type: 'string', pattern: '^a' }, text, 'fits'],
  ['a pattern and a number', { type: 'string', pattern: '^a' }, number, 'does not fit'],
  ['a pattern that promises a character', { type: 'string', pattern: '^a' }, { type: 'string', minLength: 1 }, 'fits'],
  ['a pattern of unknown length and a length', { type: 'string', pattern: '^a' }, { type: 'string', maxLength: 3 }, 'cannot tell'],
  ['a format and the same', { type: 'string', format: 'date' }, { type: 'string', format: 'date' }, 'fits'],
  ['no format and a format', text, { type: 'string', format: 'date' }, 'cannot tell'],
  ['a pattern that no length allows', { type: 'string', pattern: '^a', maxLength: 0 }, number, 'cannot tell'],
]

describe.each([
  { of: 'types', rows: TYPES },
  { of: 'values', rows: VALUES },
  { of: 'bounds', rows: BOUNDS },
])('among $of', ({ rows }) => {
  test.each(rows)('%s [C5]', (_what, producer, consumer, answer) => {
    expect(told(subsumes(producer, consumer))).toBe(answer)
  })
})

describe('the reason', () => {
  test.each<readonly [Schema, Schema, string]>([
    [text, number, 'the value is a string where a number is taken'],
    [{ type: ['string', 'null'] }, text, 'the value may be null where a string is taken'],
    [object({ a: object({}) }), object({ a: object({ b: text }) }), "'a.b' is never given, but is required"],
    [object({ a: text }, []), object({ a: text }), "'a' may be missing, but is required"],
    [object({ a: { enum: ['x', 'y'] } }), object({ a: { enum: ['y', 'z'] } }), `'a' may be "x", and only "y" or "z" is taken`],
    [{ type: 'integer' }, { type: 'integer', minimum: 1 }, 'the value may be 0, and at least 1 is taken'],
    [{ type: 'integer' }, { type: 'integer', multipleOf: 5 }, 'the value may be 1, and only multiples of 5 are taken'],
    [list(text), list(text, { minItems: 2 }), 'the value may have fewer than 2 items'],
    [text, { type: 'string', format: 'email' }, "the value may not match the format 'email'"],
    [tagged('c'), { oneOf: [tagged('a'), tagged('b')] }, "'kind' fits none of the 2 options for it"],
    [{}, text, 'the value may be anything'],
  ])('for %j and %j is told in words [C5]', (producer, consumer, why) => {
    expect(subsumes(producer, consumer)).toMatchObject({ why })
  })

  test('shows no more than the first few of many values', () => {
    const many = Array.from({ length: 500 }, (_, index) => `value ${index} ${'x'.repeat(500)}`)
    const fit = subsumes({ const: 'y' }, { enum: many })
    expect(JSON.stringify(fit).length).toBeLessThan(1500)
  })
})

test('a pair is compared once [C5]', () => {
  const producer = object({ a: text })
  const consumer = object({ a: number })
  expect(subsumes(producer, consumer)).toBe(subsumes(producer, consumer))
})

test('what cannot tell ends: recursion in every option, options by the hundred, levels by the hundred [C5]', () => {
  const option = (index: number): JsonSchema =>
    object({ a: { $ref: '#/$defs/x' }, b: { $ref: '#/$defs/x' }, [`c${index}`]: { $ref: '#/$defs/x' } })
  const bush = (leaf: JsonSchema): JsonSchema => ({
    $ref: '#/$defs/x',
    $defs: { x: { anyOf: [leaf, ...Array.from({ length: 8 }, (_, index) => option(index))] } },
  })
  expect(subsumes(bush(text), bush(text)).answer).not.toBe('does not fit')
  const many = { anyOf: Array.from({ length: 300 }, (_, index) => ({ const: `value ${index}` })) }
  expect(subsumes(many, { ...many, title: 'The same' }).answer).not.toBe('does not fit')
  const cube = { allOf: Array.from({ length: 20 }, () => ({ anyOf: [{ minLength: 1 }, { maxLength: 5 }] })) }
  expect(subsumes(cube, { ...cube, type: 'string' }).answer).toBe('cannot tell')
  const nested = (levels: number): JsonSchema =>
    levels === 0
      ? text
      : {
          anyOf: Array.from({ length: 5 }, (_, index) =>
            open({ a: nested(levels - 1), b: nested(levels - 1), [`c${index}`]: text }, ['a']),
          ),
        }
  expect(subsumes(nested(4), nested(4)).answer).toBe('cannot tell')
  const deep = (levels: number, end: JsonSchema): JsonSchema => (levels === 0 ? end : object({ a: deep(levels - 1, end) }))
  expect(subsumes(deep(300, text), deep(300, number))).toMatchObject({ answer: 'cannot tell' })
})
