import { isRecord, type JsonSchema } from '../tool/schema/json-schema.ts'
import { ARRAY, NUMBER, OBJECT, STRING } from './subsumes-types.ts'

/** A schema that takes any value. */
export const ANYTHING: JsonSchema = {}

/** A schema that takes no value. */
export const NOTHING: JsonSchema = { not: {} }

/** By type, the keywords that say something about values of that type only. */
const KEYWORDS_OF: ReadonlyMap<number, readonly string[]> = new Map([
  [NUMBER, ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf']],
  [STRING, ['minLength', 'maxLength', 'pattern', 'format']],
  [ARRAY, ['items', 'prefixItems', 'additionalItems', 'minItems', 'maxItems', 'uniqueItems', 'contains', 'unevaluatedItems']],
  [
    OBJECT,
    [
      ...['properties', 'required', 'additionalProperties', 'patternProperties', 'propertyNames', 'minProperties', 'maxProperties'],
      ...['dependentRequired', 'dependentSchemas', 'dependencies', 'unevaluatedProperties'],
    ],
  ],
])

/** Everything that can refuse a value. Other keywords are for readers. */
const ASSERTIONS: ReadonlySet<string> = new Set([
  ...['type', 'enum', 'const', 'allOf', 'anyOf', 'oneOf', 'not', 'if', '$ref', '$dynamicRef', '$recursiveRef'],
  ...Array.from(KEYWORDS_OF.values()).flat(),
])

/** `true` and `false` as schemas like any other. */
export function schemaOf(given: unknown): JsonSchema {
  if (given === false) return NOTHING
  return isRecord(given) ? given : ANYTHING
}

/** The schemas of a list; none where there is no list. */
export function schemasIn(list: unknown): readonly JsonSchema[] {
  return Array.isArray(list) ? list.map(schemaOf) : []
}

/** The schema takes any value. */
export function isAnything(schema: JsonSchema): boolean {
  for (const keyword in schema) if (ASSERTIONS.has(keyword)) return false
  return true
}

/** Nothing but these keywords can refuse a value. */
export function saysOnly(schema: JsonSchema, keywords: ReadonlySet<string>): boolean {
  for (const keyword in schema) if (!keywords.has(keyword) && ASSERTIONS.has(keyword)) return false
  return true
}

const TYPE: ReadonlySet<string> = new Set(['type'])

/** The schema names one type and says no more. */
export function isBareType(schema: JsonSchema): boolean {
  return typeof schema['type'] === 'string' && saysOnly(schema, TYPE)
}

/** The largest number under a keyword, and no less than the floor. */
export function largest(parts: readonly JsonSchema[], keyword: string, floor: number): number {
  let found = floor
  for (const part of parts) if (typeof part[keyword] === 'number' && part[keyword] > found) found = part[keyword]
  return found
}

/** The smallest number under a keyword; infinite where there is none. */
export function smallest(parts: readonly JsonSchema[], keyword: string): number {
  let found = Infinity
  for (const part of parts) if (typeof part[keyword] === 'number' && part[keyword] < found) found = part[keyword]
  return found
}

/** The schema says something that only concerns values of this type. */
export function concerns(schema: JsonSchema, type: number): boolean {
  return KEYWORDS_OF.get(type)?.some((keyword) => keyword in schema) ?? false
}

/** What is true or false of a value by itself, whatever stands beside it. */
const SIMPLE: ReadonlySet<string> = new Set([
  'type',
  'enum',
  'const',
  ...(KEYWORDS_OF.get(NUMBER) ?? []),
  ...(KEYWORDS_OF.get(STRING) ?? []),
])

/** Of these, a larger number asks for more. */
const FLOORS: ReadonlySet<string> = new Set(['minimum', 'exclusiveMinimum', 'minLength'])

/** Of these, a smaller number asks for more. */
const CEILINGS: ReadonlySet<string> = new Set(['maximum', 'exclusiveMaximum', 'maxLength'])

/** The one says all that the other says or more, in the same words, and the other says only simple things: so it is with most fields. */
export function isPlainlyNarrower(narrow: JsonSchema, wide: JsonSchema): boolean {
  if (narrow['nullable'] === true) return false
  for (const keyword in wide) {
    if (!ASSERTIONS.has(keyword)) continue
    if (!SIMPLE.has(keyword) || !saysAsMuch(keyword, narrow[keyword], wide[keyword])) return false
  }
  return true
}

/** Of lists, only those of simple values are compared. */
function saysAsMuch(keyword: string, said: unknown, asked: unknown): boolean {
  if (typeof asked === 'object') return isWithin(said, asked) && (keyword === 'enum' || isWithin(asked, said))
  if (typeof said !== 'number' || typeof asked !== 'number') return said === asked || (asked === 'number' && said === 'integer')
  return said === asked || (FLOORS.has(keyword) && said > asked) || (CEILINGS.has(keyword) && said < asked)
}

function isWithin(few: unknown, many: unknown): boolean {
  return Array.isArray(few) && Array.isArray(many) && few.every((each) => typeof each !== 'object' && many.includes(each))
}
