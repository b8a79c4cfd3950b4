import fc from 'fast-check'

type Schema = Readonly<Record<string, unknown>>

/** Keywords of every type, of which a schema may have any: those of another type than its own say nothing. */
const KEYWORDS: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  enum: fc.uniqueArray(fc.constantFrom<unknown>('a', 'ab', 'abc', 'b', 1, 2, 2.5, true, null), { minLength: 1, maxLength: 5 }),
  const: fc.constantFrom<unknown>('ab', 2, null, false),
  pattern: fc.constantFrom('^a', 'b$', '^[a-c]{2}$'),
  minLength: fc.constantFrom(1, 2),
  maxLength: fc.constantFrom(2, 3),
  minimum: fc.constantFrom(1, 2),
  exclusiveMaximum: fc.constantFrom(2, 3),
  multipleOf: fc.constantFrom(2, 0.5),
  not: fc.constantFrom<unknown>({ const: 'ab' }, { type: 'null' }, { minimum: 2 }),
  minItems: fc.constantFrom(0, 1, 2),
  maxItems: fc.constantFrom(1, 3),
  uniqueItems: fc.constant(true),
  minProperties: fc.constantFrom(1, 2),
  dependentRequired: fc.constant({ a: ['b'] }),
  patternProperties: fc.constantFrom<unknown>({ '^a': { type: 'string' } }, { '^a': { minLength: 2 } }),
}

const TYPES = fc.constantFrom<unknown>('string', 'integer', 'number', 'boolean', 'null', ['string', 'null'], ['string', 'integer'])
const NAMES = ['a', 'b', 'key'] as const

/** Types and rules as they come, put together by lists, tuples, maps, objects, unions and conjunctions. */
export const MIXED_SCHEMAS: fc.Arbitrary<Schema> = fc.letrec<{ node: Schema; rules: Schema }>((tie) => ({
  rules: fc
    .uniqueArray(fc.constantFrom(...Object.keys(KEYWORDS)), { maxLength: 3 })
    .chain((names) => fc.record(Object.fromEntries(names.map((name) => [name, KEYWORDS[name] ?? fc.constant(true)])))),
  node: fc.oneof(
    { maxDepth: 2, depthSize: 'small' },
    fc.tuple(TYPES, tie('rules')).map(([type, rules]) => ({ type, ...rules })),
    fc.tuple(tie('node'), tie('rules')).map(([items, rules]) => ({ type: 'array', items, ...shapeRules(rules) })),
    fc
      .tuple(fc.array(tie('node'), { minLength: 1, maxLength: 2 }), fc.option(tie('node')), tie('rules'))
      .map(([prefixItems, items, rules]) => ({ type: 'array', prefixItems, items: items ?? false, ...shapeRules(rules) })),
    fc.tuple(tie('node'), tie('rules')).map(([values, rules]) => ({ type: 'object', additionalProperties: values, ...shapeRules(rules) })),
    fc.tuple(fc.array(tie('node'), { minLength: 1, maxLength: 3 }), fc.boolean(), tie('rules')).map(([fields, isClosed, rules]) => ({
      type: 'object',
      properties: Object.fromEntries(fields.map((each, index) => [NAMES[index] ?? 'more', each])),
      required: ['a'],
      ...(isClosed ? { additionalProperties: false } : {}),
      ...shapeRules(rules),
    })),
    fc.array(tie('node'), { minLength: 2, maxLength: 2 }).map((anyOf) => ({ anyOf })),
    fc.tuple(tie('node'), tie('rules')).map(([node, rules]) => ({ allOf: [node, shapeRules(rules)] })),
    fc.tuple(tie('rules'), tie('rules')).map(([one, other]) => ({ type: 'string', allOf: [one, other] })),
  ),
})).node

/** Listed values of other types would leave nothing of a list or an object. */
function shapeRules({ enum: _options, const: _constant, ...rules }: Schema): Schema {
  return rules
}

/** Values of every kind that no dialect writes for another kind. */
export const FOREIGN: readonly unknown[] = [
  ...['', 'null', 'text', 0, true, null],
  ...[[], [1], ['x', 'y', 'z']],
  ...[{}, { foreign: 1 }, { item_9: 'x' }, { rest: 5 }, { item_1: 'a', rest: 'b' }, { a: 'ab', additional_properties: 5 }],
]
