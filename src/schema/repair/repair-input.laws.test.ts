import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compileJsonSchema } from '../compile-json-schema.ts'
import { isRecord, isSameJson, type JsonSchema } from '../json-schema.ts'
import { repairInput } from './repair-input.ts'

/** A schema with one of its values. */
interface Sample {
  readonly schema: JsonSchema
  readonly value: unknown
}

const NAMES = ['city_name', 'guest_count', 'startDate', 'is_open', 'sort_order', 'tag_list', 'home_address', 'deepLevel']

const scalar: fc.Arbitrary<Sample> = fc.oneof(
  fc.integer({ min: -1_000_000, max: 1_000_000 }).map((value) => ({ schema: { type: 'integer' }, value })),
  fc.integer({ min: -10_000, max: 10_000 }).map((value) => ({ schema: { type: 'number' }, value: value / 4 })),
  fc.boolean().map((value) => ({ schema: { type: 'boolean' }, value })),
  fc.string({ maxLength: 12 }).map((value) => ({ schema: { type: 'string' }, value })),
  fc.constantFrom('newest_first', 'oldest_first').map((value) => ({ schema: { enum: ['newest_first', 'oldest_first'] }, value })),
  fc
    .date({ min: new Date('1990-01-01'), max: new Date('2050-01-01'), noInvalidDate: true })
    .map((date) => ({ schema: { type: 'string', format: 'date' }, value: date.toISOString().slice(0, 10) })),
)

const { sample } = fc.letrec<{ sample: Sample }>((tie) => ({
  sample: fc.oneof(
    { maxDepth: 3 },
    scalar,
    fc.array(scalar, { minLength: 1, maxLength: 1 }).chain(([first]) =>
      fc.integer({ min: 0, max: 4 }).map((count) => ({
        schema: { type: 'array', items: first?.schema ?? {} },
        value: Array.from({ length: count }, () => first?.value),
      })),
    ),
    objectOf(tie('sample')),
  ),
}))

function objectOf(inside: fc.Arbitrary<Sample>): fc.Arbitrary<Sample> {
  return fc.dictionary(fc.constantFrom(...NAMES), inside, { minKeys: 1, maxKeys: 5 }).map((fields) => {
    const entries = Object.entries(fields)
    return {
      schema: {
        type: 'object',
        properties: Object.fromEntries(entries.map(([name, { schema }]) => [name, schema])),
        required: entries.map(([name]) => name),
        additionalProperties: false,
      },
      value: Object.fromEntries(entries.map(([name, { value }]) => [name, value])),
    }
  })
}

const garbage = fc.oneof(fc.jsonValue(), fc.anything({ maxDepth: 3 }), fc.string({ unit: 'binary', maxLength: 200 }))

/** Changes the notation and keeps the meaning. */
const SPOILERS: Readonly<Record<string, (value: unknown) => unknown>> = {
  texts: (value) => (typeof value === 'number' || typeof value === 'boolean' ? String(value) : value),
  json: (value) => (isRecord(value) ? JSON.stringify(value) : value),
  fence: (value) => (isRecord(value) ? `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\`` : value),
  snake: (value) => renamed(value, (key) => key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)),
  camel: (value) => renamed(value, (key) => key.replace(/_([a-z])/g, (_all, letter: string) => letter.toUpperCase())),
  capitals: (value) => renamed(value, (key) => key.replace(/^[a-z]/, (letter) => letter.toUpperCase())),
  envelope: (value) => (isRecord(value) ? { arguments: value } : value),
}

function renamed(value: unknown, rename: (key: string) => string): unknown {
  return isRecord(value) ? Object.fromEntries(Object.entries(value).map(([key, each]) => [rename(key), each])) : value
}

/** Spoils the values on every level by one spoiler, envelopes only at the top. */
function spoilt(value: unknown, name: string, isTop = true): unknown {
  const inside = Array.isArray(value)
    ? value.map((each) => spoilt(each, name, false))
    : isRecord(value)
      ? Object.fromEntries(Object.entries(value).map(([key, each]) => [key, spoilt(each, name, false)]))
      : value
  return name === 'envelope' && !isTop ? inside : (SPOILERS[name]?.(inside) ?? inside)
}

function leavesOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value.flatMap(leavesOf)
  return isRecord(value) ? Object.values(value).flatMap(leavesOf) : [value]
}

/** Letters and digits in order, whatever the case and the signs between them; numbers without leading and trailing zeros. */
function essence(value: unknown): string {
  const text = typeof value === 'number' ? String(value).replace('-', '') : String(value)
  return text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')
}

/** A field that the schema does not know, beside the others. */
function withNote(given: unknown, note: unknown): unknown {
  return isRecord(given) ? { ...given, note } : given
}

const RUNS = { numRuns: 80 }

describe('repairInput', () => {
  test('gives valid values only, or refuses, whatever it is given', () => {
    fc.assert(
      fc.property(objectOf(sample), garbage, ({ schema }, given) => {
        const repair = repairInput(schema, given)
        if (repair.refused) expect(repair.because).not.toBe('')
        else expect(compileJsonSchema(schema, 'it').validate(repair.value).issues).toBeUndefined()
      }),
      RUNS,
    )
  })

  test('returns what was spoilt without loss as it was, or refuses', () => {
    fc.assert(
      fc.property(
        objectOf(sample),
        fc.uniqueArray(fc.constantFrom(...Object.keys(SPOILERS)), { maxLength: 2 }),
        ({ schema, value }, names) => {
          const given = names.reduce((each, name) => spoilt(each, name), value)
          const repair = repairInput(schema, given)
          if (!repair.refused) expect(repair.value).toEqual(value)
        },
      ),
      RUNS,
    )
  })

  test('repairs every spoiler that is alone', () => {
    fc.assert(
      fc.property(objectOf(scalar), fc.constantFrom(...Object.keys(SPOILERS)), ({ schema, value }, name) => {
        expect(repairInput(schema, spoilt(value, name))).toMatchObject({ value })
      }),
      RUNS,
    )
  })

  test('changes nothing in what it is given, and nothing in what it has repaired', () => {
    fc.assert(
      fc.property(objectOf(sample), fc.jsonValue(), fc.constantFrom(...Object.keys(SPOILERS)), ({ schema, value }, extra, name) => {
        const given = withNote(spoilt(value, name), extra)
        const before = structuredClone(given)
        const repair = repairInput(schema, given)
        expect(given).toEqual(before)
        if (repair.refused) return
        expect(repairInput(schema, repair.value)).toEqual({ value: repair.value, changes: [], cost: 0 })
      }),
      RUNS,
    )
  })

  test('invents nothing: every leaf is one of the input in another notation', () => {
    fc.assert(
      fc.property(objectOf(sample), fc.constantFrom(...Object.keys(SPOILERS)), fc.jsonValue(), ({ schema, value }, name, extra) => {
        const given = withNote(spoilt(value, name), extra)
        const repair = repairInput(schema, given)
        if (repair.refused) return
        const source = essence(JSON.stringify(given))
        for (const leaf of leavesOf(repair.value)) {
          const isGiven = leavesOf(given).some((each) => isSameJson(each, leaf))
          expect(isGiven || source.includes(essence(leaf))).toBe(true)
        }
      }),
      RUNS,
    )
  })

  test('costs what its changes cost, and every change says what it changed', () => {
    fc.assert(
      fc.property(objectOf(sample), fc.constantFrom(...Object.keys(SPOILERS)), ({ schema, value }, name) => {
        const repair = repairInput(schema, spoilt(value, name))
        if (repair.refused) return
        expect(repair.cost).toBe(repair.changes.reduce((sum, { cost }) => sum + cost, 0))
        for (const { from, to, cost } of repair.changes) expect(!isSameJson(from, to) && cost > 0).toBe(true)
      }),
      RUNS,
    )
  })
})
