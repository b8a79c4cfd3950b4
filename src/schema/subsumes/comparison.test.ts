import { describe, expect, test } from 'vitest'
import { list, number, object, open, type Row, tagged, text } from '../../../test/fixtures/plan/schemas.ts'
import type { JsonSchema } from '../json-schema.ts'
import type { Fit } from './fit.ts'
import { subsumes } from './subsumes.ts'

const CONDITION = JSON.parse('{ "if": { "properties": { "a": { "const": "x" } } }, "then": { "required": ["b"] } }') as JsonSchema

const told = (fit: Fit): string => (fit.answer === 'fits' || fit.path === '' ? fit.answer : `${fit.answer} at ${fit.path}`)

const UNIONS: readonly Row[] = [
  ['options that all fit', { anyOf: [{ const: 'a' }, { type: 'string', minLength: 2 }] }, text, 'fits'],
  ['options of which one does not', { anyOf: [text, number] }, text, 'does not fit'],
  ['something and options of which one takes it', text, { anyOf: [number, text] }, 'fits'],
  ['something and options of which none takes it', text, { anyOf: [number, { type: 'boolean' }] }, 'does not fit'],
  ['a tagged object and its option', tagged('a', { x: text }), { oneOf: [tagged('a', { x: text }), tagged('b')] }, 'fits'],
  [
    'a tagged object and its option, in which a field differs',
    tagged('a', { x: number }),
    { oneOf: [tagged('a', { x: text }), tagged('b')] },
    'does not fit at x',
  ],
  ['a tag that no option has', tagged('c'), { oneOf: [tagged('a'), tagged('b')] }, 'does not fit at kind'],
  ['tagged options and the same in another order', { oneOf: [tagged('a'), tagged('b')] }, { anyOf: [tagged('b'), tagged('a')] }, 'fits'],
  [
    'an object with any tag of a list, and options',
    object({ kind: { enum: ['a', 'b'] }, x: text }),
    { oneOf: [tagged('a', { x: text }), tagged('b')] },
    'fits',
  ],
  [
    'an object with any tag of a list, and options without one',
    object({ kind: { enum: ['a', 'c'] } }),
    { oneOf: [tagged('a'), tagged('b')] },
    'does not fit at kind',
  ],
  [
    'a field of two types and an option for each',
    object({ v: { type: ['string', 'number'] } }),
    { anyOf: [object({ v: text }), object({ v: number })] },
    'fits',
  ],
  [
    'an undeclared field of a tagged option',
    tagged('a', { x: text, more: text }),
    { oneOf: [tagged('a', { x: text }), tagged('b')] },
    'fits',
  ],
  [
    'a field that another option keeps from being dropped',
    object({ a: text, b: text }),
    { anyOf: [object({ a: text }), object({ a: text, b: text, c: text }, ['a', 'b'])] },
    'fits',
  ],
  [
    'a field that only a closed option would have dropped',
    object({ a: text, b: number }),
    { anyOf: [object({ a: text }), object({ a: text, b: text }, ['a'])] },
    'cannot tell',
  ],
  [
    'a field that an open option keeps',
    object({ a: text, b: number }),
    { anyOf: [open({ a: text }), object({ a: text, b: text }, ['a'])] },
    'fits',
  ],
  [
    'a null that another option may want to see',
    open({ a: { type: ['string', 'null'] } }),
    { anyOf: [open({ a: text }, []), open({ a: { type: ['string', 'null'] }, b: text })] },
    'cannot tell',
  ],
  ['something that two of the options take', { const: 5 }, { oneOf: [number, { type: 'integer' }] }, 'does not fit'],
  ['numbers of which some are taken by two options', number, { oneOf: [number, { type: 'integer' }] }, 'does not fit'],
  [
    'texts that two options may take',
    { type: 'string', pattern: '^a' },
    { oneOf: [text, { type: 'string', pattern: 'b$' }] },
    'cannot tell',
  ],
  [
    'options of which each is a list, and one that takes all',
    { anyOf: [list(text), list(number)] },
    list({ type: ['string', 'number'] }),
    'fits',
  ],
  [
    'a field that all options require',
    object({ a: text }, []),
    { anyOf: [open({ a: text }), open({ a: text, b: text }, ['a'])] },
    'does not fit at a',
  ],
  ['parts and what has them all', { allOf: [open({ a: text }), open({ b: number })] }, open({ a: text, b: number }), 'fits'],
  [
    'something and parts of which one does not take it',
    object({ a: text, b: text }),
    { allOf: [open({ a: text }), open({ b: number })] },
    'does not fit at b',
  ],
  [
    'something and closed parts that exclude each other',
    object({ a: text, b: text }),
    { allOf: [object({ a: text }), open({ b: text })] },
    'does not fit at b',
  ],
  [
    'parts that are closed together',
    object({ a: text, b: text, c: text }),
    { allOf: [open({ a: text }), open({ b: text })], unevaluatedProperties: false },
    'fits',
  ],
  ['what is forbidden on both sides', { type: 'string', not: { pattern: '^x' } }, { type: 'string', not: { pattern: '^x' } }, 'fits'],
  ['what is forbidden on one side', text, { type: 'string', not: { const: 'x' } }, 'cannot tell'],
  ['what is forbidden and of another type', text, { not: { type: 'null' } }, 'fits'],
  [
    'a condition on both sides',
    { ...open({ a: text, b: text }, ['a']), ...CONDITION },
    { ...open({ a: text, b: text }, ['a']), ...CONDITION },
    'fits',
  ],
  [
    'a condition on both sides of a closed object',
    { ...object({ a: text, b: text }, ['a']), ...CONDITION },
    { ...object({ a: text, b: text }, ['a']), ...CONDITION },
    'fits',
  ],
  ['a condition on one side', object({ a: text }), { ...object({ a: text, b: text }, ['a']), ...CONDITION }, 'cannot tell'],
  [
    'a dependent schema on both sides',
    { ...object({ a: text, b: text }, []), dependentSchemas: { a: { required: ['b'] } } },
    { ...object({ a: text, b: text }, []), dependentSchemas: { a: { required: ['b'] } } },
    'fits',
  ],
  ['an option that a missing field rules out', object({ a: text }), { oneOf: [open({ a: text }), open({ a: text, b: text })] }, 'fits'],
  [
    'an option that fills in what is missing',
    tagged('a'),
    { anyOf: [tagged('a', { n: { type: 'number', default: 1 } }), tagged('b')] },
    'cannot tell at n',
  ],
  [
    'a null that an option which is not meant has dropped',
    object({ a: { type: 'null' } }),
    { type: 'object', required: ['a'], anyOf: [{ type: 'object' }, { properties: { a: number } }] },
    'cannot tell at a',
  ],
  ['options that exclude each other in all values', { oneOf: [text, { type: 'string', minLength: 0 }] }, number, 'cannot tell'],
  [
    'what is forbidden by the number of fields, before some are dropped',
    { ...open({ a: text }), not: { maxProperties: 1 } },
    { ...open({ a: text }), not: { maxProperties: 1 } },
    'cannot tell',
  ],
  [
    'something that two options take, whatever the third says',
    { const: 'ab' },
    { oneOf: [text, { minLength: 1 }, { format: 'date' }] },
    'does not fit',
  ],
  [
    'a null that every option drops',
    object({ a: { type: 'null' } }),
    { anyOf: [open({ a: number }, []), open({ a: { type: 'boolean' } }, [])] },
    'cannot tell',
  ],
  [
    'a null that is allowed beside other fields',
    object({ a: { type: ['string', 'null'] } }),
    { allOf: [{ ...open({ a: { type: ['string', 'null'] } }), additionalProperties: number }, { type: 'object' }] },
    'fits',
  ],
  [
    'a field that is declared by an option of another type',
    object({ a: text, b: text }),
    { ...object({ a: text }), anyOf: [true, { type: 'string', properties: { b: {} } }] },
    'cannot tell at b',
  ],
  [
    'a record and an option that is a union of another type',
    { type: 'object', additionalProperties: number },
    { oneOf: [{ anyOf: [text] }, object({})] },
    'cannot tell at *',
  ],
  [
    'a condition on both sides, of a null that is dropped',
    { ...object({ a: text, b: { type: ['string', 'null'] } }), ...CONDITION },
    { ...object({ a: text, b: text }, ['a']), ...CONDITION },
    'cannot tell',
  ],
  [
    'a field that is kept since an option takes nothing',
    object({ a: text, b: text }),
    { anyOf: [object({ a: text }), { not: {} }] },
    'cannot tell at b',
  ],
  ['a field that is dropped though an option takes nothing', object({ a: text, b: text }), { anyOf: [object({ a: text }), false] }, 'fits'],
  [
    'a field that is kept since an option is a value of another type',
    object({ a: text, b: text }),
    { type: 'object', anyOf: [object({ a: text }), { enum: ['x'] }] },
    'cannot tell at b',
  ],
]

const node = (value: JsonSchema, more: JsonSchema = {}): JsonSchema => ({
  ...object({ value, next: { anyOf: [{ $ref: '#' }, { type: 'null' }] } }),
  ...more,
})
const tree = (leaf: JsonSchema): JsonSchema => ({
  $ref: '#/$defs/tree',
  $defs: { tree: { anyOf: [leaf, list({ $ref: '#/$defs/tree' })] } },
})

const REFERENCES: readonly Row[] = [
  ['a reference and what it stands for', { $ref: '#/$defs/a', $defs: { a: text } }, text, 'fits'],
  ['what a reference stands for and the reference', number, { $ref: '#/$defs/a', $defs: { a: text } }, 'does not fit'],
  [
    'definitions of draft-07',
    object({ a: text }),
    { ...object({ a: { $ref: '#/definitions/a' } }), definitions: { a: number } },
    'does not fit at a',
  ],
  [
    'the same name for different definitions',
    { $ref: '#/$defs/a', $defs: { a: text } },
    { $ref: '#/$defs/a', $defs: { a: number } },
    'does not fit',
  ],
  [
    'rules beside a reference',
    { $ref: '#/$defs/a', $defs: { a: text } },
    { $ref: '#/$defs/a', minLength: 1, $defs: { a: text } },
    'does not fit',
  ],
  [
    'rules beside a reference, which draft-07 does not see',
    text,
    { $schema: 'http://json-schema.org/draft-07/schema#', ...{ $ref: '#/definitions/a', minLength: 1, definitions: { a: text } } },
    'fits',
  ],
  ['a chain and the same', node(text), node(text), 'fits'],
  ['a chain and one of other values', node(text), node(number), 'does not fit at value'],
  [
    'a chain and one that differs from the second link on',
    node(text),
    { ...object({ value: text, next: { anyOf: [node(number), { type: 'null' }] } }) },
    'does not fit at next.value',
  ],
  ['a tree and one of wider leaves', tree({ const: 'x' }), tree(text), 'fits'],
  ['a tree and one of other leaves', tree(text), tree(number), 'does not fit'],
  ['a tree and itself one level up', tree(text), { anyOf: [text, list({ $ref: '#' })] }, 'fits'],
  [
    'two chains that take turns, and one of them',
    {
      $ref: '#/$defs/a',
      $defs: { a: object({ v: text, n: { $ref: '#/$defs/b' } }, ['v']), b: object({ v: number, n: { $ref: '#/$defs/a' } }, ['v']) },
    },
    { $ref: '#/$defs/a', $defs: { a: object({ v: { type: ['string', 'number'] }, n: { $ref: '#/$defs/a' } }, ['v']) } },
    'fits',
  ],
  ['a reference that leads nowhere', text, { $ref: 'https://example.com/text' }, 'cannot tell'],
  ['what a reference that leads nowhere gives', { $ref: 'https://example.com/text' }, text, 'cannot tell'],
  ['a reference to itself', { $ref: '#' }, text, 'cannot tell'],
  ['a schema that is an option of itself', number, { anyOf: [number, { allOf: [{ $ref: '#' }, text] }] }, 'cannot tell'],
  [
    'what fitted only as long as an option did that does not',
    {
      ...object({ f: { $ref: '#/$defs/x' } }),
      $defs: {
        x: object({ child: { $ref: '#/$defs/q' }, other: { $ref: '#/$defs/q' }, z: { type: 'number', minimum: 0 } }),
        q: object({ parent: { $ref: '#/$defs/x' } }, []),
      },
    },
    {
      ...open({ f: { anyOf: [{ $ref: '#/$defs/all' }, { $ref: '#/$defs/half' }] } }),
      $defs: {
        all: { allOf: [open({ child: { $ref: '#/$defs/d' } }), { $ref: '#/$defs/half' }, open({ z: { type: 'number', minimum: 5 } })] },
        half: open({ other: { $ref: '#/$defs/d' } }),
        d: open({ parent: { $ref: '#/$defs/all' } }, []),
      },
    },
    'does not fit at f.other.parent.z',
  ],
  ['what is an option of itself, and something', { anyOf: [number, { allOf: [{ $ref: '#' }, text] }] }, { type: 'boolean' }, 'cannot tell'],
]

describe.each([
  { of: 'unions and conditions', rows: UNIONS },
  { of: 'references', rows: REFERENCES },
])('among $of', ({ rows }) => {
  test.each(rows)('%s [C5]', (_what, producer, consumer, answer) => {
    expect(told(subsumes(producer, consumer))).toBe(answer)
  })
})
