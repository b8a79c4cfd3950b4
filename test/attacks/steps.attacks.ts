import assert from 'node:assert/strict'
import { tool } from 'toolwright'
import { zooInputs } from '../../bench/zoo-inputs.ts'
import { zooSchemas } from '../../bench/zoo-schemas.ts'
import { dropUndeclared } from '../../src/schema/drop-undeclared.ts'
import type { JsonSchema } from '../../src/schema/json-schema.ts'
import { linearPattern } from '../../src/schema/linear-pattern.ts'
import { Meter, TooCostly } from '../../src/schema/meter.ts'
import { SchemaWalk } from '../../src/schema/repair/fix.ts'
import { inputFacts } from '../../src/schema/repair/input-facts.ts'
import { rootPlace } from '../../src/schema/repair/place.ts'
import { repairInput } from '../../src/schema/repair/repair-input.ts'
import { NodeReader } from '../../src/schema/repair/schema-node.ts'
import { KnownSecrets } from '../../src/tool/secrets/known-secrets.ts'
import { mask } from '../../src/tool/secrets/mask.ts'
import { reviewView } from '../../src/tool/secrets/review-view.ts'
import type { Attack } from './attack.ts'

/** Counts how often somebody looks into an object, which is the same on each machine. */
class Reads {
  count = 0
  readonly #known = new WeakMap<object, object>()

  /** The same value; each look into it, at every level, is counted. */
  of<T>(value: T): T
  of(value: unknown): unknown {
    if (typeof value !== 'object' || value === null) return value
    let seen = this.#known.get(value)
    if (seen === undefined) this.#known.set(value, (seen = new Proxy(value, this.#handler)))
    return seen
  }

  readonly #handler: ProxyHandler<object> = {
    get: (target, key) => (this.count++, this.of(Reflect.get(target, key))),
    has: (target, key) => (this.count++, Reflect.has(target, key)),
    getOwnPropertyDescriptor: (target, key) => (this.count++, Reflect.getOwnPropertyDescriptor(target, key)),
    ownKeys: (target) => (this.count++, Reflect.ownKeys(target)),
  }
}

function valueOf(name: string): unknown {
  const found = zooInputs.find((each) => each.name === name)
  if (found === undefined) throw new Error(`There is no '${name}' in the zoo.`)
  return found.value
}

function times<T>(count: number, make: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => make(index))
}

const dependent = (count: number): JsonSchema => ({
  dependentSchemas: Object.fromEntries(times(count, (n) => [`k${n}`, { required: ['z'] }])),
})

/** Schemas whose rules for fields were all read again for each field of the input. */
const READ_ONCE: readonly (readonly [name: string, schema: JsonSchema])[] = [
  ['200 dependent schemas', dependent(200)],
  ['200 dependent schemas in a union', { anyOf: [dependent(200), { type: 'string' }] }],
  ['conditions in conditions', times(100, (n) => n).reduce<JsonSchema>((inner) => ({ if: { required: ['z'] }, else: inner }), {})],
]

function readOnce([name, schema]: (typeof READ_ONCE)[number]): Attack {
  return {
    name: `read once: ${name}`,
    before: 'fell',
    attempt: () => {
      const reads = new Reads()
      const value = valueOf('short fields')
      dropUndeclared(value, reads.of(schema), 10_000)
      assert.ok(reads.count < 20_000, `${reads.count} reads of the schema`)
    },
  }
}

const PATTERNS: readonly string[] = [
  '^(a+)+$',
  '^(a|aa)+$',
  '(x+x+)+y',
  '^(\\w+\\s?)*$',
  '(a|k)*(k|[0-9])*$',
  '\\b\\w+\\b\\s*$',
  '.*.*.*!!',
]
function manyCharactersAStep(pattern: string): readonly Attack[] {
  return ['a long text of letters', 'a long text of pairs', 'spaces'].map((text) => {
    return {
      name: `steps of ${pattern} on ${text}`,
      before: 'fell',
      attempt: () => {
        const value = String(valueOf(text))
        const meter = new Meter()
        linearPattern(pattern).test(value, meter)
        assert.ok(meter.spent < value.length / 4, `${meter.spent} steps for ${value.length} characters`)
      },
    }
  })
}

/** Inputs that a library would look through for each of its many rules. */
const LOOKS: readonly (readonly [schema: string, input: string, before?: 'held'])[] = [
  ['zod a list of 200 optional fields', 'empty objects'],
  ['valibot a list of 200 optional fields', 'empty objects'],
  ['zod a list of 50 tagged options', 'empty objects', 'held'],
  ['zod a record of 40 options', 'short fields', 'held'],
  ['zod a union of lists and records', 'objects 190 deep with a wrong field each', 'held'],
  ['valibot a union of lists and records', 'objects 190 deep with a wrong field each', 'held'],
  ['valibot union of 3 tagged objects', 'tagged objects 12 deep'],
  ['valibot union of 6 tagged objects', 'tagged objects 8 deep'],
]
const MOST_READS = 1_500_000

function boundedLooks([schemaName, inputName, before]: (typeof LOOKS)[number]): Attack {
  return {
    name: `looks of ${schemaName} at ${inputName}`,
    before: before ?? 'fell',
    attempt: async () => {
      const schema = zooSchemas.find((each) => each.name === schemaName)?.schema
      assert.ok(schema !== undefined)
      const reads = new Reads()
      const it = tool({ name: 'x', description: 'Takes anything.', inputSchema: schema, execute: () => 1 })
      const { ok } = await it.call({ v: reads.of(valueOf(inputName)) } as never)
      assert.equal(ok, false)
      assert.ok(reads.count < MOST_READS, `${reads.count} reads of the input`)
    },
  }
}

/** A union of itself: a list, a number, or an object of one of so many kinds, with these fields beside the next level. */
function selfUnion(kinds: number, fields: JsonSchema): JsonSchema {
  const kind = (n: number): JsonSchema => ({
    type: 'object',
    properties: { kind: { const: `k${n}` }, next: { $ref: '#/$defs/it' }, ...fields },
    required: ['kind', 'next'],
  })
  const it = { anyOf: [...times(kinds, kind), { type: 'array', items: { $ref: '#/$defs/it' } }, { type: 'number' }] }
  return { type: 'object', properties: { v: { $ref: '#/$defs/it' } }, $defs: { it } }
}

function deep(levels: number): unknown {
  return times(levels, (n) => n).reduce<unknown>((next) => ({ kind: 'k1', next }), 1)
}

/** A condition at each level asks for all levels below it. */
const conditions: JsonSchema = {
  properties: { v: { $ref: '#/$defs/it' } },
  $defs: { it: { type: ['object', 'number'], properties: { next: { if: { $ref: '#/$defs/it' }, else: {} } } } },
}

/** Schemas by which each level of an input was validated again with all levels below it, for each option. */
const REVIEWED: readonly (readonly [name: string, schema: JsonSchema])[] = [
  ['a union of 2 kinds', selfUnion(2, {})],
  ['a union of 5 kinds', selfUnion(5, {})],
  ['a union of 2 kinds with a secret', selfUnion(2, { code: { type: 'string', sensitive: true } })],
  ['a union of 2 kinds with a field named as a credential', selfUnion(2, { password: { type: 'string' } })],
  ['conditions', conditions],
]

function linearReview([name, schema]: (typeof REVIEWED)[number]): Attack {
  return {
    name: `looks of a review by ${name}`,
    before: 'fell',
    attempt: () => {
      const [few = 0, many = 0] = [40, 160].map((levels) => {
        const reads = new Reads()
        assert.deepEqual(reviewView({ v: reads.of(deep(levels)) }, schema, new KnownSecrets()), { v: deep(levels) })
        return reads.count
      })
      assert.ok(many < 5 * few, `${few} reads of 40 levels, ${many} of 160`)
    },
  }
}

/** Views in which many names look alike. Each name was longer than the one before by a mask. */
const ALIKE: readonly (readonly [name: string, view: (input: object) => unknown])[] = [
  ['a log', (input) => mask(input)],
  ['a review', (input) => reviewView(input, { propertyNames: { sensitive: true } }, new KnownSecrets())],
]

function linearNames([name, view]: (typeof ALIKE)[number]): Attack {
  return {
    name: `names that look alike in ${name}`,
    before: 'fell',
    attempt: () => {
      const names = Object.keys(view(Object.fromEntries(times(1000, (n) => [`pin=${n + 1000}`, true]))) as object)
      assert.equal(names.length, 1000)
      assert.ok(names.join('').length < 20_000, `${names.join('').length} characters in 1000 names`)
    },
  }
}

/** Options that contain themselves, and of which each hides another field: nothing but a check tells which of them applies. */
const twins = (count: number): JsonSchema => {
  const v = { $ref: '#/properties/v' }
  const option = (n: number): JsonSchema => ({
    type: 'object',
    properties: { next: v, list: { type: 'array', items: v }, [`a${n}`]: { type: 'string', sensitive: true } },
  })
  return { type: 'object', properties: { v: { anyOf: [...times(count, option), { type: 'string' }] } } }
}

function refusedSoon(options: number): Attack {
  return {
    name: `looks of a review until it is refused, with ${options} options that hide different fields`,
    before: 'fell',
    attempt: () => {
      const reads = new Reads()
      const v = times(60, (n) => n).reduce<unknown>((next) => ({ next, list: times(80, () => ({ next: 'x' })) }), 'x')
      assert.throws(() => reviewView(reads.of({ v }), twins(options), new KnownSecrets()), /takes too long/)
      assert.ok(reads.count < 500_000, `${reads.count} reads`)
    },
  }
}

function schemaReadOnce(options: number): Attack {
  return {
    name: `looks of a log into a schema with ${options} options that contains itself`,
    before: 'fell',
    attempt: () => {
      const [few = 0, many = 0] = [40, 160].map((levels) => {
        const reads = new Reads()
        mask({ v: times(levels, (n) => n).reduce<unknown>((next) => ({ next }), 'x') }, reads.of(twins(options)))
        return reads.count
      })
      assert.ok(many < 2 * few, `${few} reads for 40 levels, ${many} for 160`)
    },
  }
}

/** Names that are matched with many patterns, until all steps are spent. Each further name was matched, and refused with an error, again. */
const patternsGivenUp: Attack = {
  name: 'looks of a log into 1000 patterns of names',
  before: 'fell',
  attempt: () => {
    const reads = new Reads()
    const patternProperties = Object.fromEntries(times(1000, (n) => [`^.*k.*${n}x$`, { type: 'string' }]))
    mask(Object.fromEntries(times(4000, (n) => [`k${n}`, 1])), reads.of({ type: 'object', patternProperties }))
    assert.ok(reads.count < 2_000_000, `${reads.count} reads`)
  },
}

/** Values of which nothing but the type is looked at, so many of them. */
const ALIKE_BY_TYPE: Readonly<Record<string, (count: number) => unknown>> = {
  numbers: (count) => times(count, (n) => n),
  'empty lists': (count) => times(count, () => []),
  'lists of lists': (count) => times(count, () => [[1], [[2]]]),
  'lists in lists': (count) => times(Math.ceil(count / 100), () => times(100, (n) => n).reduce<unknown>((inner) => [inner], 1)),
}

function schemaReadOncePerType([name, values]: readonly [string, (count: number) => unknown]): Attack {
  return {
    name: `looks of a review into a schema with a secret, at ${name}`,
    before: 'fell',
    attempt: () => {
      const schema = selfUnion(5, { code: { type: 'string', sensitive: true } })
      const [few = 0, many = 0] = [200, 2000].map((count) => {
        const reads = new Reads()
        reviewView({ v: values(count) }, reads.of(schema), new KnownSecrets())
        return reads.count
      })
      assert.ok(many < 2 * few, `${few} looks at 200 values, ${many} at 2000`)
    },
  }
}

function repairRefusedSoon(levels: number): Attack {
  return {
    name: `a list nested in ${levels} lists is quoted at each step of a repair`,
    before: 'fell',
    attempt: () => {
      const items = { allOf: [{ const: 'k' }, { type: 'string' }] }
      const root = { type: 'object', properties: { v: { type: 'array', items, uniqueItems: true } } }
      const reads = new Reads()
      const given = reads.of({ v: times(levels, (n) => n).reduce<unknown>((inner) => [inner], 'a') })
      const walk = new SchemaWalk({ reader: new NodeReader(root), facts: inputFacts(root, {}), descriptions: {}, about: '' })
      assert.throws(() => walk.fix(root, given, rootPlace(root, {})), TooCostly)
      assert.ok(reads.count < 2_000_000, `${reads.count} reads`)
    },
  }
}

/** Unions that are options of themselves, without anything between. */
const CIRCLES: Readonly<Record<string, JsonSchema>> = {
  'an option of itself': { anyOf: [{ type: 'number' }, { $ref: '#/properties/v' }] },
  'the only option of itself but one': { oneOf: [{ $ref: '#/properties/v' }, { type: 'boolean' }] },
  'an option of its option': { oneOf: [{ type: 'number' }, { anyOf: [{ $ref: '#/properties/v' }, { type: 'null' }] }] },
  'an option of itself with a rule beside it': { minLength: 3, anyOf: [{ type: 'number' }, { $ref: '#/properties/v' }] },
}

function endsInCircles([name, v]: readonly [string, JsonSchema]): Attack {
  return {
    name: `a repair under a union that is ${name}`,
    before: 'fell',
    attempt: () => {
      for (const given of [{ a: 'x' }, [['x']], 'x', { next: { next: [] } }])
        assert.doesNotThrow(() => repairInput({ type: 'object', properties: { v }, required: ['v'] }, { v: given }), JSON.stringify(given))
    },
  }
}

/** Work that is counted in steps and reads: no clock says whether it is bounded. */
export const STEPS_ATTACKS: readonly Attack[] = [
  ...READ_ONCE.map(readOnce),
  ...PATTERNS.flatMap(manyCharactersAStep),
  ...LOOKS.map(boundedLooks),
  ...REVIEWED.map(linearReview),
  ...ALIKE.map(linearNames),
  ...[2, 8].flatMap((options) => [refusedSoon(options), schemaReadOnce(options)]),
  patternsGivenUp,
  ...Object.entries(ALIKE_BY_TYPE).map(schemaReadOncePerType),
  ...[150, 185].map(repairRefusedSoon),
  ...Object.entries(CIRCLES).map(endsInCircles),
]
