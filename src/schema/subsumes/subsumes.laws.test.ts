import fc from 'fast-check'
import { expect, test } from 'vitest'
import { tool } from '../../tool/tool.ts'
import { compileJsonSchema } from '../compile-json-schema.ts'
import { isRecord, type JsonSchema } from '../json-schema.ts'
import { subsumes } from './subsumes.ts'
import { isFull } from '../../../test/fixtures/is-full.ts'

const KEYS = ['a', 'b', 'kind']
const key = fc.constantFrom(...KEYS)
/** Values that schemas list, and others that stand between them. */
const LISTED: readonly unknown[] = ['', 'a', 'ab', 'abc', 0, 0.5, 1, 2, true, null]
const OTHERS: readonly unknown[] = ['x', 'xx', 'xxx', 'xxxx', -1, 0.25, 0.75, 1.25, 1.5, 2.5, 3, 4, false]
const listed = fc.constantFrom(...LISTED)
const scalar = fc.constantFrom(...LISTED, ...OTHERS)

/** Schemas of one value, with bounds among the scalars. */
const simple: fc.Arbitrary<JsonSchema> = fc.oneof(
  fc.constantFrom<JsonSchema>(
    { type: 'string' },
    { type: 'number' },
    { type: 'boolean' },
    { type: 'null' },
    { type: ['string', 'null'] },
    {},
  ),
  fc.record({ enum: fc.uniqueArray(listed, { minLength: 1, maxLength: 3 }) }),
  fc.record({ const: listed }),
  some({ type: fc.constant('string'), minLength: fc.nat(2), maxLength: fc.nat(3) }, ['type']),
  some(
    {
      type: fc.constantFrom('number', 'integer'),
      minimum: fc.constantFrom(0, 0.5, 1),
      exclusiveMinimum: fc.constantFrom(0, 1),
      maximum: fc.constantFrom(1, 2, 3),
    },
    ['type'],
  ),
)

function some(shape: Record<string, fc.Arbitrary<unknown>>, requiredKeys: string[] = []): fc.Arbitrary<JsonSchema> {
  return fc.record(shape, { requiredKeys })
}

/** Objects, lists and unions of what is given. */
function compound(inner: fc.Arbitrary<JsonSchema>): fc.Arbitrary<JsonSchema> {
  const object = some(
    {
      type: fc.constant('object'),
      properties: fc.dictionary(key, inner, { maxKeys: 3 }),
      required: fc.uniqueArray(key, { maxLength: 2 }),
      additionalProperties: fc.oneof(fc.constantFrom(false, false, true), inner),
    },
    ['type'],
  )
  const tagged = fc
    .tuple(object, fc.constantFrom('a', 'ab', 'abc'))
    .map(([schema, tag]) => ({ ...schema, properties: { ...fieldsOf(schema), kind: { const: tag } }, required: ['kind'] }))
  const options = fc.array(fc.oneof(inner, tagged, tagged), { minLength: 1, maxLength: 3 })
  return fc.oneof(
    object,
    object,
    some({ type: fc.constant('array'), items: inner, minItems: fc.nat(1), maxItems: fc.nat(2), uniqueItems: fc.boolean() }, [
      'type',
      'items',
    ]),
    fc.record({ anyOf: options }),
    fc.record({ oneOf: options }),
    fc.record({ allOf: fc.array(fc.oneof(object, inner), { minLength: 1, maxLength: 2 }) }),
  )
}

function fieldsOf({ properties }: JsonSchema): JsonSchema {
  return isRecord(properties) ? properties : {}
}

/** Schemas of every make, with rules that are not taken apart, and references to the root and to a definition. */
const anySchema = fc
  .letrec<{ schema: JsonSchema }>((tie) => ({
    schema: fc.oneof(
      { maxDepth: 3, depthIdentifier: 'schema' },
      simple,
      fc.constantFrom<JsonSchema>({ $ref: '#/$defs/d' }, { type: 'string', pattern: '^a' }, { type: 'string', not: { const: 'a' } }),
      compound(tie('schema')),
      compound(tie('schema')),
      some({ type: fc.constant('object'), patternProperties: fc.dictionary(fc.constantFrom('^a', 'd$'), tie('schema'), { maxKeys: 1 }) }),
      some({
        properties: fc.dictionary(key, tie('schema'), { maxKeys: 2 }),
        minProperties: fc.nat(2),
        maxProperties: fc.nat(3),
        dependentRequired: fc.dictionary(key, fc.tuple(key), { maxKeys: 1 }),
      }),
    ),
  }))
  .schema.chain((root) => compound(simple).map((d): JsonSchema => ({ ...root, $defs: { d } })))

/** A schema, and one that has lost or changed some of its rules: pairs that have much to do with each other. */
function related(schemas: fc.Arbitrary<JsonSchema>): fc.Arbitrary<readonly [JsonSchema, JsonSchema]> {
  const loosened = fc.tuple(schemas, fc.infiniteStream(fc.nat(9))).map(([schema, dice]) => [schema, loosen(schema, dice)] as const)
  return fc.oneof(loosened, loosened, fc.tuple(schemas, schemas))
}

const RULES = [
  'required',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'minLength',
  'maxLength',
  'enum',
  'const',
  'minItems',
  'pattern',
  'not',
]

function loosen<T>(schema: T, dice: Iterator<number>): T {
  if (Array.isArray(schema)) return schema.map((each: unknown) => loosen(each, dice)) as T
  if (!isRecord(schema)) return schema
  const kept = Object.entries(schema).filter(([name]) => !RULES.includes(name) || dice.next().value > 2)
  return Object.fromEntries(kept.map(([name, each]) => [name, RULES.includes(name) ? each : loosen(each, dice)])) as T
}

/** Values that are likely to satisfy the schema; whoever draws one checks. */
function valueOf(schema: unknown, root: JsonSchema, depth = 0): fc.Arbitrary<unknown> {
  if (!isRecord(schema) || depth > 5) return scalar
  const inner = (each: unknown): fc.Arbitrary<unknown> => valueOf(each, root, depth + 1)
  if ('$ref' in schema) return inner((root['$defs'] as JsonSchema)['d'])
  if ('const' in schema) return fc.constant(schema['const'])
  if (Array.isArray(schema['enum'])) return fc.constantFrom<unknown>(...schema['enum'])
  const { anyOf, oneOf, allOf, items, minItems = 0, maxItems = 2, additionalProperties: rest = {}, patternProperties } = schema
  const options: unknown = anyOf ?? oneOf
  if (Array.isArray(options)) return fc.oneof(...options.map(inner))
  if (Array.isArray(allOf))
    return fc.tuple(...allOf.map(inner)).map((parts) => (parts.every(isRecord) ? Object.assign({}, ...parts) : parts[0]))
  if (schema['type'] === 'array')
    return fc.array(inner(items), { minLength: Number(minItems), maxLength: Math.max(Number(minItems), Number(maxItems)) })
  if (schema['type'] !== 'object' && schema['properties'] === undefined) return scalar
  const names = rest === false ? Object.keys(fieldsOf(schema)) : [...KEYS, 'aside']
  const patterned = isRecord(patternProperties) ? Object.values(patternProperties)[0] : undefined
  const field = (name: string): fc.Arbitrary<unknown> => inner(fieldsOf(schema)[name] ?? patterned ?? rest)
  const requiredKeys = Array.isArray(schema['required']) ? schema['required'].filter((name) => names.includes(name)) : []
  return fc.record(Object.fromEntries(names.map((name) => [name, field(name)])), { requiredKeys, noNullPrototype: true })
}

/** Whether a schema allows a value by itself, before anything is dropped. */
function allows(schema: JsonSchema): (value: unknown) => boolean {
  const { validate } = compileJsonSchema(schema, 'It')
  return (value) => validate(value).issues === undefined
}

function taker(inputSchema: JsonSchema): (value: unknown) => Promise<boolean> {
  const it = tool({ name: 'it', description: 'Takes its input.', inputSchema, execute: () => 'taken' })
  return async (value) => (await it.call(value)).ok
}

test('a schema never misfits itself [C5]', () => {
  fc.assert(
    fc.property(anySchema, (schema) => {
      expect(subsumes(schema, structuredClone(schema)).answer).not.toBe('does not fit')
    }),
    { numRuns: isFull ? 1500 : 500, seed: 7 },
  )
})

test('everything fits what takes anything, and what gives nothing fits everything [C5]', () => {
  fc.assert(
    fc.property(anySchema, (schema) => {
      expect(subsumes(schema, {}).answer).toBe('fits')
      expect(subsumes(false, schema).answer).toBe('fits')
    }),
    { numRuns: 300, seed: 7 },
  )
})

test('where it fits, a typed tool takes every value of the producer [C5]', async () => {
  let taken = 0
  await fc.assert(
    fc.asyncProperty(related(anySchema), fc.gen(), async ([producer, consumer], draw) => {
      if (subsumes(producer, consumer).answer !== 'fits') return
      const isAllowed = allows(producer)
      const take = taker(consumer)
      for (let count = 0; count < 20; count++) {
        const value = draw(valueOf, producer, producer)
        if (!isAllowed(value)) continue
        taken++
        expect({ value, isTaken: await take(value) }).toEqual({ value, isTaken: true })
      }
    }),
    { numRuns: isFull ? 400 : 150, seed: 7 },
  )
  expect(taken).toBeGreaterThan(isFull ? 1000 : 400)
})

const flat = fc.oneof(simple, compound(simple))

/** Values of flat schemas: of every type, and of objects those in which one field at most is out of the ordinary. */
const UNIVERSE: readonly unknown[] = (() => {
  const scalars = [...LISTED, ...OTHERS]
  const ordinary = [undefined, ...LISTED]
  const objects = KEYS.flatMap((odd) => {
    const [one = '', two = ''] = KEYS.filter((each) => each !== odd)
    return [undefined, ...scalars].flatMap((value) =>
      ordinary.flatMap((first) => ordinary.map((second) => ({ [odd]: value, [one]: first, [two]: second }))),
    )
  })
  const lists = [[], ...scalars.flatMap((one) => [[one], ...scalars.map((two) => [one, two]), [one, one, one]])]
  const records = scalars.map((aside) => ({ aside }))
  return [...scalars, ...objects.map((each) => JSON.parse(JSON.stringify(each)) as unknown), ...records, ...lists]
})()

test('where it does not fit, a typed tool refuses some value of the producer [C5]', async () => {
  let refused = 0
  await fc.assert(
    fc.asyncProperty(related(flat), async ([producer, consumer]) => {
      if (subsumes(producer, consumer).answer !== 'does not fit') return
      refused++
      const take = taker(consumer)
      for (const value of UNIVERSE.filter(allows(producer))) if (!(await take(value))) return
      expect.fail('all values were taken')
    }),
    { numRuns: isFull ? 600 : 200, seed: 7 },
  )
  expect(refused).toBeGreaterThan(isFull ? 100 : 33)
})
