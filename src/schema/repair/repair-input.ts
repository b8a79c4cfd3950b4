import { compileJsonSchema } from '../compile-json-schema.ts'
import { isRecord, type JsonSchema, mapSubschemas, someSubschema } from '../json-schema.ts'
import { isEndless, measure, nodesIn } from '../measure.ts'
import { TooCostly } from '../meter.ts'
import { privateCopy } from '../private-copy.ts'
import { LocalCheck } from './local-check.ts'
import { SchemaWalk } from './fix.ts'
import { inputFacts } from './input-facts.ts'
import { leadsToItself } from './leads-to-itself.ts'
import { type Descriptions, rootPlace } from './place.ts'
import { isReading, type RepairChange } from './reading.ts'
import { NodeReader } from './schema-node.ts'

/** More than the schema says. */
export interface RepairHints {
  /** Descriptions of fields by their paths: `{ 'filter.since': 'A day in UTC' }`. */
  readonly descriptions?: Descriptions | undefined
  /** Name and description of the tool: one that deletes, sends or pays loses no unknown field. */
  readonly about?: string | undefined
  /** The tool's own validation, which judges the repaired value; by default that of the schema. */
  readonly isValid?: ((value: unknown) => boolean) | undefined
}

/** The input in the notation of the schema. Without changes it is the given one. */
export interface RepairedInput {
  readonly value: unknown
  readonly changes: readonly RepairChange[]
  /** The sum of the costs of all changes: the higher, the more was assumed. */
  readonly cost: number
  readonly refused?: undefined
}

/** An input that is not repaired, and why. */
export interface RefusedInput {
  readonly refused: true
  readonly because: string
  /** Changes that only a person may make, since they touch an amount, a recipient, a path or an id. */
  readonly proposals: readonly RepairChange[]
}

/** The outcome of a repair: a repaired input, or a refusal. */
export type InputRepair = RepairedInput | RefusedInput

/** Larger inputs are not repaired. */
const MOST_VALUES = 20_000

/**
 * Repairs an input that does not fit a JSON Schema, without a model: other notations of the same values (`'5'`, `March 5, 2024`, `pageSize`),
 * never other values. Where two repairs are possible, it refuses and says why. A valid input is returned as it is; the given one is never
 * changed.
 * @example
 * const schema = { type: 'object', properties: { limit: { type: 'integer' } }, required: ['limit'] }
 * const repair = repairInput(schema, { Limit: '5' })
 * console.log(repair.refused ? repair.because : repair.value) // { limit: 5 }
 */
export function repairInput(schema: JsonSchema, given: unknown, hints: RepairHints = {}): InputRepair {
  const size = measure(given)
  if (isEndless(size) || nodesIn(size) > MOST_VALUES) return refusal('it is too large or nested too deeply to be repaired')
  const thrown = new Set<unknown>()
  try {
    return repaired(schema, given, { ...hints, ...judgedBy(hints, thrown) })
  } catch (error) {
    // A mistake in the validation of the tool is told as it is.
    if (thrown.has(error)) throw error
    const isCostly = error instanceof TooCostly
    if (!isCostly && !isStackOverflow(error)) throw error
    if (isRecord(schema) && leadsToItself(schema)) return refusal('its schema leads to itself without end')
    return refusal(
      isCostly
        ? 'it is too costly to repair: too many readings come into question'
        : 'it is nested too deeply to be repaired where so many calls are open',
    )
  }
}

/** The validation of the tool, and what it throws. */
function judgedBy({ isValid }: RepairHints, thrown: Set<unknown>): Pick<RepairHints, 'isValid'> {
  if (isValid === undefined) return {}
  const judge = (value: unknown): boolean => {
    try {
      return isValid(value)
    } catch (error) {
      thrown.add(error)
      throw error
    }
  }
  return { isValid: judge }
}

/** A regular expression is compiled when it is first used, and says so in its own way. */
function isStackOverflow(error: unknown): boolean {
  return (error instanceof RangeError || error instanceof SyntaxError) && /call stack|stack overflow/i.test(error.message)
}

function refusal(because: string, proposals: readonly RepairChange[] = []): RefusedInput {
  return { refused: true, because, proposals }
}

function repaired(schema: JsonSchema, given: unknown, { descriptions = {}, about = '', isValid }: RepairHints): InputRepair {
  const { reader, validate } = preparedFor(schema)
  const root = reader.root
  const judge = isValid ?? ((value: unknown): boolean => new LocalCheck(root).fits(root, value) && validate(value))
  if (judge(given)) return { value: given, changes: [], cost: 0 }
  const told = `${about} ${wordsOf(root)}`.trim()
  const own = privateCopy(given)
  const walk = new SchemaWalk({ reader, facts: inputFacts(root, own), descriptions, about: told })
  const place = rootPlace(root, descriptions)
  const first = walk.fix(root, own, place)
  const outcome = isReading(first) && first.changes.length === 0 ? walk.fixWhole(root, own, place) : first
  if (!isReading(outcome)) return refusal(outcome.because, walk.proposals)
  if (!judge(outcome.value)) return refusal('the repaired input is not valid', walk.proposals)
  return outcome
}

function wordsOf({ title, description }: JsonSchema): string {
  return [title, description].filter((each) => typeof each === 'string').join(' ')
}

/**
 * Options that differ by their formats look alike to a validator for which a format is a description. The local check, for which it is a rule,
 * sees that a value fits one of them only.
 */
function withoutChoice(schema: JsonSchema): JsonSchema {
  const changed = mapSubschemas(schema, withoutChoice)
  if (!isOfFormats(changed)) return changed
  const { oneOf, ...rest } = changed
  return { ...rest, anyOf: oneOf }
}

function isOfFormats({ oneOf, anyOf }: JsonSchema): boolean {
  return Array.isArray(oneOf) && anyOf === undefined && oneOf.some((each) => isRecord(each) && each['format'] !== undefined)
}

interface Prepared {
  readonly reader: NodeReader
  readonly validate: (value: unknown) => boolean
}

const prepared = new WeakMap<JsonSchema, Prepared>()

/** Each schema is read and compiled once. */
function preparedFor(schema: JsonSchema): Prepared {
  let known = prepared.get(schema)
  if (known === undefined) {
    const own = isRecord(schema) ? schema : {}
    const { description, validate: judge } = compileJsonSchema(own, 'The schema of repairInput')
    const validate = someSubschema(description, isOfFormats)
      ? compileJsonSchema(withoutChoice(description), 'The schema of repairInput').validate
      : judge
    known = { reader: new NodeReader(description), validate: (value) => validate(value).issues === undefined }
    prepared.set(schema, known)
  }
  return known
}
