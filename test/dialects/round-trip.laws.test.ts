import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { NoEncoding, Refused } from '../../src/schema/dialects/codec.ts'
import { type Dialect, dialect } from '../../src/schema/dialects/dialect.ts'
import { fromDraft07, isDraft07 } from '../../src/schema/from-draft-07.ts'
import type { JsonSchema } from '../../src/schema/json-schema.ts'
import { CORPUS } from './corpus.ts'
import { FOREIGN, MIXED_SCHEMAS } from './mixed-schemas.ts'
import { valuesOf } from './values-of.ts'
import { isFull } from '../fixtures/is-full.ts'

const RUNS = isFull ? 40 : 3
const MIXED_RUNS = isFull ? 1600 : 25
const SEED = 20261116

function validator(schema: unknown): ValidateFunction {
  return new Ajv2020({ strict: false, allErrors: true, ownProperties: true, validateFormats: false, logger: false }).compile(
    schema as object,
  )
}

/** `nullable` is a word of OpenAPI: here as JSON Schema says it. */
function withoutNullable(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutNullable)
  if (typeof schema !== 'object' || schema === null) return schema
  const { nullable, ...rest } = Object.fromEntries(
    Object.entries(schema).map(([keyword, each]) => [keyword, keyword === 'enum' ? each : withoutNullable(each)]),
  )
  return nullable === true ? { anyOf: [rest, { type: 'null' }] } : rest
}

/** Every second one in the usual run; another half each day. */
const today = Math.floor(Date.now() / 86_400_000)
const chosen = [...CORPUS].filter((_, index) => isFull || (index + today) % 2 === 0)
const cases = chosen.map(([name, given]) => {
  const { $schema: line, ...bare } = given
  const schema: JsonSchema = isDraft07(line) ? fromDraft07(bare) : bare
  return { name, schema, given, isValid: validator(schema) }
})

/** Reasons by which a decoder refuses, with the rule of the report that each stands for. */
const REFUSALS: readonly (readonly [RegExp, string])[] = [
  [/repeats the key|cannot be __proto__|names a property/, 'keys'],
  [/before it is not/, 'order'],
]

/** Errors that are named after another keyword than their rule. */
const CAUSES: Readonly<Record<string, string>> = { required: 'else', additionalProperties: 'patternProperties', 'false schema': 'items' }

/** Whether every error is of a rule that moved, or lies in a part that is sent as text, or in a union of such. */
function isExplained(errors: readonly ErrorObject[], { moved }: Dialect): boolean {
  const keywords = new Set(moved.map(({ keyword }) => keyword))
  if (keywords.has('schema')) return true
  const own = errors.filter(({ keyword }) => !['if', 'anyOf', 'oneOf'].includes(keyword))
  // Which of two schemas a value must fit depends on its key, which patterns tell.
  if (keywords.has('patternProperties') && own.some(({ schemaPath }) => /\/(additional|pattern)Properties\//.test(schemaPath))) return true
  return own.length === 0 ? keywords.has('oneOf') : own.some(({ keyword }) => keywords.has(keyword) || keywords.has(CAUSES[keyword] ?? ''))
}

/** Whether a value is decoded to a valid one, or the report says why not. */
function isRead(made: Dialect, value: unknown, isValid: ValidateFunction): boolean {
  try {
    const decoded = made.decode(value)
    return isValid(decoded) === true || isExplained(isValid.errors ?? [], made)
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    return (
      REFUSALS.some(([pattern, keyword]) => pattern.test(error.message) && made.moved.some((each) => each.keyword === keyword)) ||
      /at most one/.test(error.message)
    )
  }
}

/** One node, in an object of its own. */
function around(node: JsonSchema): JsonSchema {
  return { type: 'object', properties: { w: node }, required: ['w'], additionalProperties: false }
}

describe.each([
  { target: 'openai-strict', options: {} },
  { target: 'anthropic-strict', options: {} },
  { target: 'gemini', options: {} },
  { target: 'gemini', options: { nulls: 'type' } },
] as const)('the dialect $target $options', ({ target, options }) => {
  it('decodes all that a model may send to a valid value, or the report says why not', { timeout: 120_000 }, () => {
    const wrong: unknown[] = []
    for (const { name, schema, given, isValid } of cases) {
      const made = dialect(given, target, options)
      if (made.schema === undefined) continue
      const shown = withoutNullable(made.schema) as JsonSchema
      const isSent = validator(shown)
      const sent = valuesOf(shown, shown)
      const property = fc.property(sent, (value) => {
        fc.pre(isSent(value) === true)
        return isRead(made, value, isValid)
      })
      const { failed, counterexample, errorInstance } = fc.check(property, { numRuns: RUNS, seed: SEED })
      if (failed && counterexample !== null)
        wrong.push({ name, counterexample, decoded: attempt(() => made.decode(counterexample[0])), schema, shown, errorInstance })
    }
    expect(wrong).toEqual([])
  })

  it('tells every rule of a mixed schema that it does not express', { timeout: 120_000 }, () => {
    const property = fc.property(MIXED_SCHEMAS, fc.nat(), (node, seed) => {
      const schema = around(node)
      const isValid = validator(schema)
      const made = dialect(schema, target, options)
      const shown = withoutNullable(made.schema) as JsonSchema
      const isSent = validator(shown)
      const sent = fc.sample(valuesOf(shown, shown), { numRuns: 5, seed }).filter((value) => isSent(value) === true)
      expect(sent.filter((value) => !isRead(made, value, isValid))).toEqual([])
    })
    fc.assert(property, { numRuns: MIXED_RUNS, seed: SEED })
  })

  it('reads no value of another kind as a valid one', { timeout: 120_000 }, () => {
    const property = fc.property(MIXED_SCHEMAS, (node) => {
      const schema = around(node)
      const isValid = validator(schema)
      const made = dialect(schema, target, options)
      const isSent = validator(withoutNullable(made.schema))
      const foreign = FOREIGN.map((value) => ({ w: value })).filter((value) => isSent(value) !== true && isValid(value) !== true)
      const read = foreign.flatMap((value) => {
        const decoded = attempt(() => made.decode(value))
        return isValid(decoded) === true ? [{ value, decoded }] : []
      })
      expect(read).toEqual([])
    })
    fc.assert(property, { numRuns: MIXED_RUNS, seed: SEED })
  })

  it('encodes every valid value so that it fits the dialect and decodes to the same', { timeout: 120_000 }, () => {
    const wrong: unknown[] = []
    let tried = 0
    for (const { name, schema, given, isValid } of cases) {
      const made = dialect(given, target, options)
      const shown = made.schema === undefined ? { type: 'object' } : (withoutNullable(made.schema) as JsonSchema)
      const fits = validator(shown)
      const property = fc.property(valuesOf(schema, schema), (value) => {
        fc.pre(isValid(value) === true)
        tried++
        const encoded = made.encode(value)
        expect(fits(encoded) === true ? 'fits' : { encoded, errors: fits.errors }).toBe('fits')
        expect(made.decode(encoded)).toEqual(value)
      })
      const { failed, counterexample, errorInstance, numRuns } = fc.check(property, { numRuns: RUNS, seed: SEED, maxSkipsPerRun: 300 })
      if (failed)
        wrong.push({ name, counterexample, numRuns, error: errorInstance instanceof Error ? errorInstance.message : errorInstance })
    }
    expect(wrong).toEqual([])
    expect(tried).toBeGreaterThan(cases.length * RUNS * 0.9)
  })
})

describe('the dialect mcp', () => {
  it('judges as the original does under 2020-12, and takes every valid value under draft-07', { timeout: 120_000 }, () => {
    const wrong: unknown[] = []
    for (const { name, schema, given, isValid } of cases) {
      const { schema: shown } = dialect(given, 'mcp')
      const [now, before] = [
        validator(shown),
        new Ajv({ strict: false, ownProperties: true, validateFormats: false, logger: false }).compile(shown ?? {}),
      ]
      const { failed, counterexample } = fc.check(
        fc.property(
          fc.oneof(
            valuesOf(schema, schema),
            fc.array(fc.oneof(fc.string(), fc.integer())).map((list) => ({ a: list })),
          ),
          (value) => {
            const valid = isValid(value) === true
            return valid === (now(value) === true) && (!valid || before(value) === true)
          },
        ),
        { numRuns: RUNS, seed: SEED },
      )
      if (failed) wrong.push({ name, counterexample, shown })
    }
    expect(wrong).toEqual([])
  })
})

function attempt(run: () => unknown): unknown {
  try {
    return run()
  } catch (error) {
    if (error instanceof Refused || error instanceof NoEncoding) return error.message
    throw error
  }
}
