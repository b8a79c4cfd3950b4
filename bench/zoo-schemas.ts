import { scope, type } from 'arktype'
import { jsonSchema, type StandardSchema } from 'toolwright'
import * as v from 'valibot'
import { z } from 'zod'

/** A schema of the zoo, for an object with the field `v`. */
export interface ZooSchema {
  readonly name: string
  readonly schema: StandardSchema
}

type Json = Readonly<Record<string, unknown>>

const NODE = { $ref: '#/$defs/n' }

/** A schema in which `#/$defs/n` may refer to itself. */
function recursive(node: Json, beside: Json = {}): Json {
  return { type: 'object', properties: { v: NODE }, required: ['v'], $defs: { n: node, ...beside } }
}

function plain(value: Json): Json {
  return { type: 'object', properties: { v: value }, required: ['v'] }
}

const times = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, index) => make(index))

/** Ways in which a node holds others, each applied with `n` for the number of the option. */
const HOLDERS: Readonly<Record<string, (n: number) => Json>> = {
  items: (n) => ({ type: 'array', items: NODE, maxItems: 100_000 + n }),
  field: (n) => ({ type: 'object', properties: { a: NODE, tag: { const: n } }, required: ['a'] }),
  fields: (n) => ({ type: 'object', properties: { left: NODE, right: NODE, a: NODE }, minProperties: n % 2 }),
  map: (n) => ({ type: 'object', additionalProperties: NODE, minProperties: n % 2 }),
  patterns: (n) => ({ type: 'object', patternProperties: { [`^[a-z]{0,${n + 1}}`]: NODE, '^a|next$': NODE } }),
  tuple: (n) => ({ type: 'array', prefixItems: times(n + 1, () => NODE), items: NODE }),
  contains: () => ({ type: 'array', contains: NODE, minContains: 1 }),
  unevaluated: (n) => ({ type: 'object', minProperties: n % 2, unevaluatedProperties: NODE }),
}

/** The words `if`, `then` and perhaps `else`. An object with a field `then` is not written as such. */
const conditional = (...parts: readonly Json[]): Json =>
  Object.fromEntries(parts.map((part, index) => [['if', 'then', 'else'][index], part]))

const COMBINED: Readonly<Record<string, (options: readonly Json[]) => Json>> = {
  anyOf: (options) => ({ anyOf: [...options, { type: 'string' }] }),
  oneOf: (options) => ({ oneOf: [...options, { type: 'string' }] }),
  allOf: (options) => ({ allOf: options.map((option) => ({ anyOf: [option, { type: 'string' }] })) }),
  if: ([first = {}, second = {}]) => conditional(first, second, { type: 'string' }),
  not: (options) => ({ not: { allOf: options.map((option) => ({ not: option })) } }),
}

const recursiveJson = Object.entries(HOLDERS).flatMap(([holder, make]) =>
  Object.entries(COMBINED).flatMap(([word, combine]) =>
    [2, 3, 4].map((count) => ({ name: `json ${word} of ${count} ${holder}`, schema: recursive(combine(times(count, make))) })),
  ),
)

const PATTERNS = [
  '^(a+)+$',
  '^(a|a)*$',
  '^(a|aa)+$',
  '(a*)*b',
  '\\s+$',
  '^(.*a){12}$',
  '^([a-zA-Z0-9])(([\\-.]|[_]+)?([a-zA-Z0-9]+))*(@){1}[a-z0-9]+[.]{1}(([a-z]{2,3})|([a-z]{2,3}[.]{1}[a-z]{2,3}))$',
  '^((?!foo).)*$',
  '^(?=.*[A-Z])(?=.*\\d).{8,}$',
  '^(?!.*\\.\\.)([a-z.]*)[a-z]@([a-z][a-z-]*\\.)+[a-z]{2,}$',
  '(x+x+)+y',
  '^(([a-z])+.)+[A-Z]([a-z])+$',
  '(?<=a+)b',
  '^[a-z]+$',
  '.*.*.*!!',
  '(a|b)*a(a|b){14}$',
  '\\b\\w+\\b\\s*$',
  '^.{1,1000}$',
  '^(\\w+\\s?)*$',
]

const flatJson: readonly (readonly [string, Json])[] = [
  ['uniqueItems', plain({ type: 'array', uniqueItems: true })],
  ['uniqueItems in uniqueItems', recursive({ uniqueItems: true, items: NODE })],
  ['a list of unions', plain({ type: 'array', items: { anyOf: [{ type: 'string' }, plain({ type: 'string' })] } })],
  ['a list of 40 options', plain({ type: 'array', items: { anyOf: times(40, (n) => ({ type: 'object', required: [`k${n}`] })) } })],
  ['a map of lists of texts', plain({ type: 'object', additionalProperties: { type: 'array', items: { type: 'string' } } })],
  ['an enum of 2,000', plain({ type: 'array', items: { enum: times(2000, (n) => `value ${n}`) } })],
  ['an enum of objects', plain({ type: 'array', items: { enum: times(200, (n) => ({ a: n })) } })],
  ['lengths under unions', recursive({ anyOf: [{ minLength: 5, items: NODE }, { maxLength: 9, items: NODE }, { type: 'number' }] })],
  [
    'dependent schemas',
    recursive({ type: 'object', dependentSchemas: { a: { properties: { a: NODE } }, left: { properties: { left: NODE } } } }),
  ],
  ['names', plain({ type: 'object', propertyNames: { anyOf: times(20, (n) => ({ pattern: `^(k${n}+)+$` })) } })],
  [
    'patterns of names',
    plain({ type: 'object', patternProperties: Object.fromEntries(times(20, (n) => [`^(a|b|k)+${n}$`, { type: 'string' }])) }),
  ],
  ['a schema of itself', { $ref: '#/$defs/n', $defs: { n: { anyOf: [NODE, NODE] } } }],
  ['a root of itself', { type: 'object', anyOf: [{ properties: { v: { $ref: '#' } } }, { properties: { a: { $ref: '#' } } }] }],
  [
    'references in an unknown place',
    {
      type: 'object',
      properties: { v: { $ref: '#/x/n' } },
      x: { n: { anyOf: times(3, () => ({ type: 'array', items: { $ref: '#/x/n' } })) } },
    },
  ],
]

/** Fields `p0`, `p1` and so on. */
const fieldsOf = (count: number, make: (index: number) => Json): Json => Object.fromEntries(times(count, (n) => [`p${n}`, make(n)]))

const names = (count: number): readonly string[] => times(count, (n) => `z${n}`)

/** Schemas with many rules for one value. */
const wideJson: readonly (readonly [string, Json])[] = [
  ['200 dependent schemas', plain({ dependentSchemas: Object.fromEntries(times(200, (n) => [`k${n}`, { required: names(50) }])) })],
  ['500 dependent names', plain({ dependentRequired: Object.fromEntries(times(500, (n) => [`k${n}`, names(20)])) })],
  ['dependent names in a list', plain({ items: { dependentRequired: { a: names(50) } } })],
  ['uniqueItems at every level', recursive({ uniqueItems: true, items: NODE, additionalProperties: NODE })],
  ['uniqueItems of unions', plain({ type: 'array', uniqueItems: true, items: { anyOf: [{ type: 'object' }, { type: 'number' }] } })],
  [
    '100 patterns of names',
    plain({ patternProperties: Object.fromEntries(times(100, (n) => [`^.*k.*${n}$`, { type: 'string' }])), additionalProperties: false }),
  ],
  ['a pattern of names that branches', plain({ patternProperties: { '(a|k)*(k|[0-9])*$': { type: 'string' } } })],
  ['patterns that take all names', plain({ patternProperties: { '.*': { type: 'string' }, k: { type: 'string' } } })],
  ['a list of 50 tagged options', plain({ items: { anyOf: times(50, (n) => tagged(`k${n}`)) } })],
  [
    'options with long enums',
    plain({ items: { anyOf: times(20, (n) => ({ properties: { a: { enum: times(200, (m) => m - n * 1000 - 500) } } })) } }),
  ],
  ['options in options', plain({ items: { oneOf: ['a', 'b'].map((name) => ({ oneOf: times(10, (n) => ({ required: [name + n] })) })) } })],
  ['200 required fields in a list', plain({ items: { type: 'object', required: names(200) } })],
  ['500 fields in a list', plain({ items: { type: 'object', properties: fieldsOf(500, () => ({ type: 'string' })) } })],
  ['200 defaults in a list', plain({ items: { type: 'object', properties: fieldsOf(200, () => ({ default: { x: [1, 2, 3] } })) } })],
  [
    '50 conditions in a list',
    plain({ items: { allOf: times(50, (n) => conditional({ properties: { a: { const: n } } }, { required: ['z'] })) } }),
  ],
  ['60 lengths', plain({ allOf: times(60, (n) => ({ minLength: n, maxLength: 40_000 + n })) })],
  [
    'large constants',
    plain({ items: { anyOf: [{ const: times(50, (n) => n) }, { const: { a: times(50, (n) => n) } }, { type: 'number' }] } }),
  ],
]

function tagged(kind: string): Json {
  return { type: 'object', properties: { kind: { const: kind }, v: { type: 'string' } }, required: ['kind', 'v'] }
}

const jsonSchemas: readonly ZooSchema[] = [
  ...recursiveJson,
  ...PATTERNS.map((pattern) => ({ name: `json pattern ${pattern}`, schema: plain({ type: 'string', pattern }) })),
  ...[...flatJson, ...wideJson].map(([name, schema]) => ({ name: `json ${name}`, schema })),
].map(({ name, schema }) => ({ name, schema: jsonSchema<unknown>(schema) }))

const zodOf = (name: string, value: z.ZodType): ZooSchema => ({ name: `zod ${name}`, schema: z.object({ v: value }) })

function zodRecursive(count: number, make: (self: z.ZodType, n: number) => z.ZodType): z.ZodType {
  const self: z.ZodType = z.lazy(() => union)
  const union: z.ZodType = z.union([...times(count, (n) => make(self, n)), z.string()])
  return union
}

const zodSchemas: readonly ZooSchema[] = [
  ...[2, 3, 4, 6].flatMap((count) => [
    zodOf(
      `union of ${count} lists`,
      zodRecursive(count, (self, n) => z.array(self).max(100_000 + n)),
    ),
    zodOf(
      `union of ${count} objects`,
      zodRecursive(count, (self, n) => z.object({ a: self, tag: z.literal(n).optional() })),
    ),
    zodOf(
      `union of ${count} tagged objects`,
      zodRecursive(count, (self, n) => z.object({ a: self, tag: z.literal(n) })),
    ),
    zodOf(
      `union of ${count} records`,
      zodRecursive(count, (self, n) => z.record(z.string().max(1000 + n), self)),
    ),
    zodOf(
      `union of ${count} strict trees`,
      zodRecursive(count, (self, n) => z.strictObject({ left: self, right: self, [`k${n}`]: z.string().optional() })),
    ),
  ]),
  zodOf('a list of texts', z.array(z.string())),
  zodOf('a list of short texts', z.array(z.string().max(3))),
  zodOf('a list of lists of texts', z.array(z.array(z.string()))),
  zodOf('a list of objects', z.array(z.object({ a: z.string(), b: z.number().optional() }))),
  zodOf('a list of unions', z.array(z.union([z.string(), z.object({ a: z.string() })]))),
  zodOf('a list of 12 options', z.array(z.union(times(12, (n) => z.object({ [`k${n}`]: z.string() }))))),
  zodOf(
    'a list of tagged options',
    z.array(z.discriminatedUnion('tag', times(12, (n) => z.object({ tag: z.literal(n), a: z.string() })) as never)),
  ),
  zodOf('a record of lists', z.record(z.string(), z.array(z.string()))),
  zodOf('json', z.json()),
  zodOf(
    'a union of lists and records',
    zodRecursive(2, (self, n) => (n === 0 ? z.array(self) : z.record(z.string(), self))),
  ),
  zodOf('a list of 50 tagged options', z.array(z.union(times(50, (n) => z.object({ kind: z.literal(`k${n}`), v: z.string() }))))),
  zodOf('a record of 40 options', z.record(z.string(), z.union(times(40, (n) => z.object({ [`k${n}`]: z.string() }))))),
  zodOf('a list of 200 optional fields', z.array(z.object(Object.fromEntries(times(200, (n) => [`p${n}`, z.string().optional()]))))),
  zodOf('a list of 30 fields', z.array(z.object(Object.fromEntries(times(30, (n) => [`p${n}`, z.string()]))))),
  zodOf('a text of parts', z.templateLiteral([z.string(), '-', z.string(), '!'])),
  zodOf('a text of many parts', z.templateLiteral([z.string(), 'a', z.string(), 'b', z.string(), 'c!'])),
  zodOf('a list of addresses', z.array(z.email())),
  zodOf(
    'an intersection',
    z.intersection(
      zodRecursive(2, (self) => z.array(self)),
      zodRecursive(2, (self) => z.array(self)),
    ),
  ),
  zodOf('a tuple', z.tuple([z.string()]).rest(z.string())),
  zodOf(
    'nested unions',
    times(5, (n) => n).reduce<z.ZodType>((inner) => z.union([z.array(inner), z.array(inner).min(1), z.object({ a: inner })]), z.string()),
  ),
]

const valibotOf = (name: string, value: v.GenericSchema): ZooSchema => ({ name: `valibot ${name}`, schema: v.object({ v: value }) })

function valibotRecursive(count: number, make: (self: v.GenericSchema, n: number) => v.GenericSchema): v.GenericSchema {
  const self: v.GenericSchema = v.lazy(() => union)
  const union: v.GenericSchema = v.union([...times(count, (n) => make(self, n)), v.string()])
  return union
}

const valibotSchemas: readonly ZooSchema[] = [
  ...[2, 3, 4, 6].flatMap((count) => [
    valibotOf(
      `union of ${count} lists`,
      valibotRecursive(count, (self, n) => v.pipe(v.array(self), v.maxLength(100_000 + n))),
    ),
    valibotOf(
      `union of ${count} objects`,
      valibotRecursive(count, (self, n) => v.object({ a: self, tag: v.optional(v.literal(n)) })),
    ),
    valibotOf(
      `union of ${count} tagged objects`,
      valibotRecursive(count, (self, n) => v.object({ tag: v.literal(count - n), a: self })),
    ),
    valibotOf(
      `union of ${count} records`,
      valibotRecursive(count, (self) => v.record(v.string(), self)),
    ),
    valibotOf(
      `union of ${count} trees`,
      valibotRecursive(count, (self, n) => v.strictObject({ left: self, right: self, [`k${n}`]: v.optional(v.string()) })),
    ),
  ]),
  valibotOf(
    'a union of lists and records',
    valibotRecursive(2, (self, n) => (n === 0 ? v.array(self) : v.record(v.string(), self))),
  ),
  valibotOf('a list of 200 optional fields', v.array(v.object(Object.fromEntries(times(200, (n) => [`p${n}`, v.optional(v.string())]))))),
  valibotOf('a list of texts', v.array(v.string())),
  valibotOf('a list of objects', v.array(v.object({ a: v.string() }))),
  valibotOf('a list of 12 options', v.array(v.union(times(12, (n) => v.object({ [`k${n}`]: v.string() }))))),
  valibotOf('a variant', v.array(v.variant('tag', times(8, (n) => v.object({ tag: v.literal(n), a: v.string() })) as never))),
  valibotOf('a record of lists', v.record(v.string(), v.array(v.string()))),
  valibotOf('an intersection', v.intersect([valibotRecursive(2, (self) => v.array(self)), valibotRecursive(2, (self) => v.array(self))])),
]

const arktypeOf = (name: string, value: unknown): ZooSchema => ({ name: `arktype ${name}`, schema: type({ v: value } as never) as never })

/** Options that refer to each other by their names. */
function arktypeRecursive(options: Readonly<Record<string, unknown>>): unknown {
  const words = { node: Object.keys(options).join(' | '), ...options }
  return (scope(words as never).export() as unknown as Readonly<Record<string, unknown>>)['node']
}

const arktypeSchemas: readonly ZooSchema[] = [
  ...[2, 3, 4].flatMap((count) => [
    arktypeOf(
      `union of ${count} objects`,
      arktypeRecursive(Object.fromEntries(times(count, (n) => [`o${n}`, { a: 'node', [`k${n}?`]: 'string' }]))),
    ),
    arktypeOf(
      `union of ${count} trees`,
      arktypeRecursive(Object.fromEntries(times(count, (n) => [`o${n}`, { left: 'node', right: 'node', [`k${n}?`]: 'string' }]))),
    ),
    arktypeOf(
      `union of ${count} tagged objects`,
      arktypeRecursive(Object.fromEntries(times(count, (n) => [`o${n}`, { tag: `${n}`, a: 'node' }]))),
    ),
  ]),
  arktypeOf('a list of texts', 'string[]'),
  arktypeOf('a list of lists of texts', 'string[][]'),
  arktypeOf('a list of objects', type({ a: 'string', 'b?': 'number' }).array()),
  arktypeOf('a list of unions', type('string').or({ a: 'string' }).array()),
  arktypeOf('a record of lists', { '[string]': 'string[]' }),
]

/** Schemas of four kinds that a hostile input can make slow. */
export const zooSchemas: readonly ZooSchema[] = [...jsonSchemas, ...zodSchemas, ...valibotSchemas, ...arktypeSchemas]
