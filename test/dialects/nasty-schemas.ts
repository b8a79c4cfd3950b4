import type { JsonSchema } from '../../src/schema/json-schema.ts'

const string = { type: 'string' }
const number = { type: 'number' }
const object = (properties: object, required: readonly string[] = [], more: object = {}): JsonSchema => ({
  type: 'object',
  properties,
  required,
  ...more,
})

const range = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index)

function nested(levels: number): JsonSchema {
  return levels === 0 ? object({ leaf: number }, ['leaf']) : object({ [`level_${levels}`]: nested(levels - 1) }, [`level_${levels}`])
}

/** JSON Schemas that strict modes refuse, or that a careless rewriting breaks. */
export const NASTY: Readonly<Record<string, JsonSchema>> = {
  empty: { type: 'object', properties: {} },
  bareRoot: { type: 'object' },
  closedEmptyInside: object({ a: object({}, [], { additionalProperties: false }) }, ['a']),
  optional: object({ a: string }),
  nullish: object({ a: { type: ['string', 'null'] } }),
  nullishByUnion: object({ a: { anyOf: [string, { type: 'null' }] } }),
  nullishByEnum: object({ a: { enum: ['x', null] } }),
  nullishByReference: { ...object({ a: { $ref: '#/$defs/n' } }), $defs: { n: { type: ['number', 'null'] } } },
  requiredNullable: object({ a: { type: ['string', 'null'] } }, ['a']),
  onlyNull: object({ a: { type: 'null' } }, ['a']),
  constNull: object({ a: { const: null }, b: string }),
  any: object({ a: {} }, ['a']),
  anyOptional: object({ a: true }),
  anyWithText: object({ a: { anyOf: [string, {}] } }, ['a']),
  bareObject: object({ a: { type: 'object' } }, ['a']),
  bareArray: object({ a: { type: 'array' } }, ['a']),
  freeObject: object({ a: { type: 'object', additionalProperties: true } }, ['a']),
  map: object({ a: { type: 'object', additionalProperties: number } }, ['a']),
  mapRoot: { type: 'object', additionalProperties: number },
  mapCounted: object({ a: { type: 'object', additionalProperties: string, minProperties: 1, maxProperties: 3 } }, ['a']),
  mapOfMaps: object({ a: { type: 'object', additionalProperties: { type: 'object', additionalProperties: { type: 'boolean' } } } }),
  mapNamed: object({ a: { type: 'object', additionalProperties: number, propertyNames: { pattern: '^[a-z]+$' } } }, ['a']),
  mapOrList: object(
    {
      a: {
        anyOf: [
          { type: 'array', items: string },
          { type: 'object', additionalProperties: string },
        ],
      },
    },
    ['a'],
  ),
  catchAll: object({ known: string }, ['known'], { additionalProperties: number }),
  catchAllOptional: object({ known: { type: 'boolean' } }, [], { additionalProperties: { type: 'boolean' } }),
  catchAllTaken: object({ additional_properties: string }, [], { additionalProperties: true }),
  patterned: object({ a: string }, [], { patternProperties: { '^x_[a-z]+$': number }, additionalProperties: false }),
  namedByEnum: object({ a: { type: 'object', propertyNames: { enum: ['x', 'y'] }, additionalProperties: number } }, ['a']),
  tuple: object({ a: { type: 'array', prefixItems: [string, number], items: false, minItems: 2, maxItems: 2 } }, ['a']),
  tupleShort: object({ a: { type: 'array', prefixItems: [string, number, string], items: false } }, ['a']),
  tupleRest: object({ a: { type: 'array', prefixItems: [string], items: number, minItems: 1 } }, ['a']),
  tupleNullable: object({ a: { type: 'array', prefixItems: [string, { type: ['number', 'null'] }], items: false } }, ['a']),
  tupleOpen: object({ a: { type: 'array', prefixItems: [string], minItems: 1 } }, ['a']),
  tupleOrObject: object({
    a: { anyOf: [{ type: 'array', prefixItems: [string], items: false, minItems: 1 }, object({ item_1: string }, ['item_1'])] },
  }),
  oneOf: object({ a: { oneOf: [string, number] } }, ['a']),
  oneOfOverlapping: object({ a: { oneOf: [{ type: 'integer' }, { type: 'number', minimum: 5 }] } }, ['a']),
  discriminated: object({
    shape: {
      oneOf: [object({ r: number, kind: { const: 'circle' } }, ['kind', 'r']), object({ w: number, kind: { const: 'box' } }, ['kind'])],
    },
  }),
  rootUnion: { anyOf: [object({ a: string }, ['a']), object({ b: number }, ['b'])] },
  rootArray: { type: 'array', items: string },
  rootString: { type: 'string', minLength: 2 },
  besideUnion: object({ a: string, b: number, c: string }, ['c'], { anyOf: [{ required: ['a'] }, { required: ['b'] }] }),
  unionOfOptionals: object({ u: { anyOf: [object({ a: string, b: number }), object({ a: { type: ['string', 'null'] } })] } }, ['u']),
  unionOfMixed: object({
    u: { anyOf: [{ type: 'object', additionalProperties: number }, { type: 'array', prefixItems: [number], items: false }, string] },
  }),
  manyTypes: object({ a: { type: ['string', 'number', 'boolean', 'null'] } }, ['a']),
  manyTypesWithRules: object({ a: { type: ['string', 'array'], minLength: 1, items: number } }, ['a']),
  allOf: object({ a: { allOf: [object({ x: string }, ['x']), object({ y: number }, ['y'])] } }, ['a']),
  allOfBounds: object({ a: { allOf: [{ type: 'number', minimum: 1 }, { minimum: 3, maximum: 9 }, { type: 'integer' }] } }, ['a']),
  allOfEnums: object({ a: { allOf: [{ enum: ['x', 'y', 'z'] }, { enum: ['y', 'z', 'q'] }] } }, ['a']),
  allOfClosed: object({
    a: { allOf: [object({ x: string, y: number }, [], { additionalProperties: false }), object({ x: { maxLength: 3 } })] },
  }),
  allOfPatterns: object({ a: { type: 'string', allOf: [{ pattern: '^a' }, { pattern: 'z$' }] } }, ['a']),
  allOfUnions: object({ a: { allOf: [{ anyOf: [string, number] }, { anyOf: [number, { type: 'boolean' }] }] } }, ['a']),
  allOfReference: {
    ...object({ a: { allOf: [{ $ref: '#/$defs/p' }], description: 'A point' } }, ['a']),
    $defs: { p: object({ x: number }, ['x']) },
  },
  recursive: {
    ...object({ root: { $ref: '#/$defs/node' } }, ['root']),
    $defs: { node: object({ v: number, next: { $ref: '#/$defs/node' } }, ['v']) },
  },
  recursiveRoot: object({ name: string, children: { type: 'array', items: { $ref: '#' } } }, ['name']),
  recursiveNullable: {
    ...object({ root: { $ref: '#/$defs/n' } }, ['root']),
    $defs: { n: object({ v: string, next: { anyOf: [{ $ref: '#/$defs/n' }, { type: 'null' }] } }, ['v', 'next']) },
  },
  recursiveUnion: {
    ...object({ e: { $ref: '#/$defs/e' } }, ['e']),
    $defs: {
      e: { anyOf: [number, object({ op: { enum: ['+', '-'] }, of: { type: 'array', items: { $ref: '#/$defs/e' } } }, ['op', 'of'])] },
    },
  },
  recursiveMap: {
    ...object({ t: { $ref: '#/$defs/t' } }, ['t']),
    $defs: { t: { type: 'object', additionalProperties: { $ref: '#/$defs/t' } } },
  },
  recursiveMutual: {
    ...object({ a: { $ref: '#/$defs/a' } }, ['a']),
    $defs: { a: object({ b: { $ref: '#/$defs/b' } }), b: object({ a: { $ref: '#/$defs/a' }, v: number }, ['v']) },
  },
  recursiveWithRules: {
    ...object({ n: { $ref: '#/$defs/n' } }, ['n']),
    $defs: { n: object({ kids: { type: 'array', items: { $ref: '#/$defs/n', minProperties: 1 } } }) },
  },
  shared: {
    ...object({ from: { $ref: '#/$defs/p' }, to: { $ref: '#/$defs/p' } }, ['from']),
    $defs: { p: object({ x: number, y: number }, ['x']) },
  },
  defaults: object({
    a: { type: 'integer', default: 3 },
    b: { type: 'array', items: string, default: [] },
    c: { type: 'object', default: {} },
  }),
  bounds: object({ a: { type: 'number', minimum: 0, exclusiveMaximum: 10, multipleOf: 0.5 } }, ['a']),
  lengths: object({ a: { type: 'string', minLength: 1, maxLength: 5 } }, ['a']),
  counts: object({ a: { type: 'array', items: number, minItems: 2, maxItems: 4, uniqueItems: true } }, ['a']),
  contains: object({ a: { type: 'array', items: { type: 'integer' }, contains: { const: 7 } } }, ['a']),
  patterns: object({ a: { type: 'string', pattern: '^[a-c]{2,4}$' }, b: { type: 'string', pattern: '^(?=x)x+$' } }, ['a']),
  formats: object({
    a: { type: 'string', format: 'date-time' },
    b: { type: 'string', format: 'uri' },
    c: { type: 'string', format: 'made-up' },
  }),
  enumMixed: object({ a: { enum: ['1', 1, true, null, 'true'] } }, ['a']),
  enumObjects: object({ a: { enum: [{ x: 1 }, [2], 'plain'] } }, ['a']),
  enumNumbers: object({ a: { enum: [1, 2.5, 4] } }),
  enumOfType: object({ a: { type: 'string', enum: ['x', 1, null] } }, ['a']),
  enumLong: object({ a: { enum: range(1200).map((index) => `value_${index}`) } }, ['a']),
  constObject: object({ a: { const: { deep: [1] } } }, ['a']),
  constNumber: object({ a: { const: 7 } }),
  badNames: object({ 'with space': string, 'with space!': number, ünï: string, '': number, '9lives': string, 'a.b-c': string }, [
    'with space',
    '',
  ]),
  longName: object({ ['n'.repeat(90)]: string, [`${'n'.repeat(90)}m`]: number }, ['n'.repeat(90)]),
  keywordNames: object({ $ref: string, properties: number, const: string, type: { type: 'boolean' }, required: string }, ['$ref']),
  methodNames: object({ toString: string, constructor: number, hasOwnProperty: { type: 'boolean' } }),
  entryNames: object({ key: string, value: number, option: string, item_1: number, rest: string }),
  not: object({ a: { type: 'string', not: { const: 'no' } } }, ['a']),
  conditional: object({ a: { type: 'boolean' }, b: string }, ['a'], {
    if: { properties: { a: { const: false } } },
    else: { required: ['b'] },
  }),
  dependent: object({ a: string, b: string }, [], { dependentRequired: { a: ['b'] } }),
  unevaluated: { type: 'object', allOf: [{ properties: { a: string } }], properties: { b: number }, unevaluatedProperties: false },
  noType: object({ a: { properties: { x: string } }, b: { minLength: 2 }, c: { items: number } }),
  forbidden: object({ a: false, b: string }, ['b']),
  requiredUndeclared: object({ a: string }, ['a', 'b']),
  deep: nested(14),
  deepMap: range(12).reduce<JsonSchema>(
    (inner) => object({ m: { type: 'object', additionalProperties: inner } }, ['m']),
    object({ x: string }),
  ),
  manyOptionals: object(Object.fromEntries(range(40).map((index) => [`p_${index}`, string]))),
  manyNullish: object(Object.fromEntries(range(30).map((index) => [`p_${index}`, { type: ['string', 'null'] }]))),
  manyUnions: object(
    Object.fromEntries(range(20).map((index) => [`p_${index}`, { anyOf: [string, number] }])),
    range(20).map((index) => `p_${index}`),
  ),
  emptyTupleItems: object({ a: { type: 'array', items: false } }, ['a']),
  listOfUnions: object({ a: { type: 'array', items: { anyOf: [string, object({ id: number }, ['id'])] } } }, ['a']),
  listOfTuples: object({ a: { type: 'array', items: { type: 'array', prefixItems: [number, number], items: false, minItems: 2 } } }, ['a']),
  draft07: {
    $schema: 'http://json-schema.org/draft-07/schema#',
    ...object({ a: { type: 'array', items: [string, number], additionalItems: false, minItems: 2 } }, ['a']),
  },
}
