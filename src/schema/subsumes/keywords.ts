import { isRecord, type JsonSchema } from '../json-schema.ts'

/** The types of JSON values as bits, so that a set of them is a number. An integer is a number. */
export const NULL = 1
export const BOOLEAN = 2
export const NUMBER = 4
export const STRING = 8
export const ARRAY = 16
export const OBJECT = 32
/** Every type there is. */
export const ALL_TYPES = 63

const BITS: Readonly<Record<string, number>> = {
  null: NULL,
  boolean: BOOLEAN,
  number: NUMBER,
  integer: NUMBER,
  string: STRING,
  array: ARRAY,
  object: OBJECT,
}

const WORDS: readonly (readonly [type: number, words: string])[] = [
  [STRING, 'a string'],
  [NUMBER, 'a number'],
  [BOOLEAN, 'a boolean'],
  [OBJECT, 'an object'],
  [ARRAY, 'an array'],
  [NULL, 'null'],
]

/** The types that a `type` keyword names. */
export function typesNamed(keyword: unknown): number {
  if (typeof keyword === 'string') return bitOf(keyword)
  if (!Array.isArray(keyword)) return ALL_TYPES
  return keyword.reduce((types: number, each: unknown) => types | (typeof each === 'string' ? bitOf(each) : 0), 0)
}

function bitOf(name: string): number {
  return Object.hasOwn(BITS, name) ? (BITS[name] ?? 0) : 0
}

/** The name of a type, as the `type` keyword has it. */
export function typeName(type: number): string {
  return Object.keys(BITS).find((name) => BITS[name] === type) ?? 'null'
}

/** The type of a value. */
export function typeOf(value: unknown): number {
  if (value === null) return NULL
  if (Array.isArray(value)) return ARRAY
  return bitOf(typeof value)
}

/** `a string or null` */
export function typesInWords(types: number): string {
  return inWords(WORDS.filter(([type]) => (types & type) !== 0).map(([, words]) => words))
}

/** `a, b or c` */
export function inWords(list: readonly string[]): string {
  return list.length < 2 ? list.join('') : `${list.slice(0, -1).join(', ')} or ${list.at(-1) ?? ''}`
}

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
function saysOnly(schema: JsonSchema, keywords: ReadonlySet<string>): boolean {
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

const MAX_LEVELS = 50

/** What plain objects and plain lists say; of anything else nothing is said here. */
const OF_OBJECT: ReadonlySet<string> = new Set(['type', 'properties', 'required', 'additionalProperties'])
const OF_LIST: ReadonlySet<string> = new Set(['type', 'items'])

/** Fits at first sight, as most edges do: plain fields and lists that say the same. Where it is false, a closer look may still find that it fits. */
export function isPlainlyTaken(given: JsonSchema, taken: JsonSchema, level = 0): boolean {
  if (isPlainlyNarrower(given, taken)) return true
  if (given['type'] !== taken['type'] || given['nullable'] === true || level > MAX_LEVELS) return false
  if (taken['type'] === 'object') return saysOnly(taken, OF_OBJECT) && areFieldsTaken(given, taken, level + 1)
  return taken['type'] === 'array' && saysOnly(taken, OF_LIST) && areItemsTaken(given, taken, level + 1)
}

function areItemsTaken({ items: given, prefixItems }: JsonSchema, { items: taken }: JsonSchema, level: number): boolean {
  return isRecord(taken) && isRecord(given) && prefixItems === undefined && isPlainlyTaken(given, taken, level)
}

/** An object that lists its fields drops all others, as long as it is not open to more. */
function areFieldsTaken(given: JsonSchema, taken: JsonSchema, level: number): boolean {
  const { properties: ours, additionalProperties: others } = given
  const { properties: theirs, required = [], additionalProperties = false } = taken
  const promised: unknown = given['required'] ?? []
  if (!isRecord(ours) || !isRecord(theirs) || !Array.isArray(promised) || !Array.isArray(required) || additionalProperties !== false)
    return false
  if (!required.every((key) => promised.includes(key) && Object.hasOwn(theirs, key as string))) return false
  const isBounded = others === false && given['patternProperties'] === undefined
  for (const key in theirs) {
    const field = theirs[key]
    if (!isRecord(field) || ('default' in field && !promised.includes(key))) return false
    const own = Object.hasOwn(ours, key) ? ours[key] : undefined
    if (own === undefined ? !isBounded || promised.includes(key) : !isRecord(own) || !isPlainlyTaken(own, field, level)) return false
  }
  return true
}
