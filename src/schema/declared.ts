import { isRecord, type JsonSchema } from './json-schema.ts'
import { linearPattern, type Pattern } from './linear-pattern.ts'
import type { ShapeReader } from './shape.ts'

/** The schemas that say something about a value: what it must be in any case, and for each union the options that it could be. */
interface Parts {
  readonly all: readonly JsonSchema[]
  readonly unions: readonly (readonly Parts[])[]
}

/** The rules of a schema for the fields and items of one value. */
class Declared {
  readonly #parts: Parts
  readonly #reader: ShapeReader
  /** By name. */
  readonly #fields = new Map<string, JsonSchema | undefined>()
  /** By the patterns that match. */
  readonly #otherFields = new Map<string, JsonSchema | undefined>()
  #names: Names | undefined
  readonly #items = new Map<number, JsonSchema | undefined>()
  #places: number | undefined
  /** Fields that are not declared do not belong. */
  readonly closed: boolean

  constructor(parts: Parts, reader: ShapeReader) {
    this.#parts = parts
    this.#reader = reader
    this.closed = listsFields(parts) && !isOpen(parts)
  }

  /** All names that no part mentions and that match the same patterns have the same schema. */
  field(name: string): JsonSchema | undefined {
    this.#names ??= namesIn(this.#parts)
    const { mentioned, patterns } = this.#names
    const isMentioned = mentioned.has(name)
    const fields = isMentioned ? this.#fields : this.#otherFields
    const key = isMentioned ? name : this.#matchesOf(name, patterns)
    if (fields.has(key)) return fields.get(key)
    const declared = joined(this.#parts, (part) => fieldOf(part, name, this.#reader), this.#reader)
    if (fields.size < MOST_KEPT) fields.set(key, declared)
    return declared
  }

  /** The numbers of the patterns that match a name, as a text. */
  #matchesOf(name: string, patterns: Names['patterns']): string {
    let matches = ''
    for (let index = 0; index < patterns.length; index++) if (isMatch(patterns[index], name, this.#reader)) matches += `${index},`
    return matches
  }

  /** All items behind those that have a place of their own have the same schema. */
  item(index: number): JsonSchema | undefined {
    this.#places ??= placesIn(this.#parts)
    const place = Math.min(index, this.#places)
    if (!this.#items.has(place)) {
      const declared = joined(this.#parts, (part) => itemOf(part, place), this.#reader)
      this.#items.set(place, declared)
    }
    return this.#items.get(place)
  }
}

/** Names may match patterns in many combinations. */
const MOST_KEPT = 500

const known = new WeakMap<ShapeReader, WeakMap<JsonSchema, Map<string, Declared>>>()

/** The rules for a value that decides between the options of unions. The same options give the same rules again. */
export function declaredFor(value: unknown, schema: JsonSchema, reader: ShapeReader): Declared {
  let ofReader = known.get(reader)
  if (ofReader === undefined) known.set(reader, (ofReader = new WeakMap()))
  let ofSchema = ofReader.get(schema)
  if (ofSchema === undefined) ofReader.set(schema, (ofSchema = new Map()))
  const choice = Array.isArray(value) && !reader.comparesLists ? 'list' : choiceFor(value, schema, reader)
  let declared = ofSchema.get(choice)
  if (declared === undefined) {
    declared = new Declared(partsFor(value, schema, reader), reader)
    if (ofSchema.size < MOST_KEPT) ofSchema.set(choice, declared)
  }
  return declared
}

/** The options that the value could be, as a text. */
function choiceFor(value: unknown, schema: JsonSchema, reader: ShapeReader, within: readonly JsonSchema[] = []): string {
  const { all, unions } = reader.read(schema)
  if (unions.length === 0) return ''
  const here = [...within, ...all]
  const chosen = unions.map((options) =>
    newOptions(options, value, { reader, here }).map((option) => `${reader.numberOf(option)}${choiceFor(value, option, reader, here)}`),
  )
  return `(${chosen.map((options) => options.join()).join('|')})`
}

/** The options that the value could be, without those around them: a union that is an option of itself says nothing new. */
function newOptions(
  options: readonly JsonSchema[],
  value: unknown,
  { reader, here }: { readonly reader: ShapeReader; readonly here: readonly JsonSchema[] },
): readonly JsonSchema[] {
  return reader.candidates(options, value).filter((option) => !reader.read(option).all.some((each) => here.includes(each)))
}

function partsFor(value: unknown, schema: JsonSchema, reader: ShapeReader, within: readonly JsonSchema[] = []): Parts {
  const { all, unions } = reader.read(schema)
  if (unions.length === 0) return { all, unions: [] }
  const here = [...within, ...all]
  return {
    all,
    unions: unions.map((options) => newOptions(options, value, { reader, here }).map((option) => partsFor(value, option, reader, here))),
  }
}

/** The rules of all parts for one field or item, as one schema; undefined if there are none. */
function joined({ all, unions }: Parts, of: (part: JsonSchema) => readonly JsonSchema[], reader: ShapeReader): JsonSchema | undefined {
  const certain = all.flatMap(of)
  for (const options of unions) {
    reader.meter.spend(options.length)
    const anyOf = options.map((option) => joined(option, of, reader)).filter((each) => each !== undefined)
    const one = reader.join('anyOf', anyOf)
    if (one !== undefined) certain.push(one)
  }
  return reader.join('allOf', certain)
}

function fieldOf(part: JsonSchema, key: string, reader: ShapeReader): readonly JsonSchema[] {
  reader.meter.spend(1)
  const found = [...named(part['properties'], key), ...matching(part['patternProperties'], key, reader)]
  const other = part['additionalProperties']
  if (found.length === 0 && isRecord(other) && Object.keys(other).length > 0) found.push(other)
  for (const branch of branchesOf(part)) found.push(...fieldOf(branch, key, reader))
  const { required } = part
  return found.length === 0 && Array.isArray(required) && required.includes(key) ? [ANYTHING] : found
}

/** One object, so that it is the same schema each time. */
const ANYTHING: JsonSchema = {}

/** Schemas that hold only sometimes; they may declare fields all the same. */
function branchesOf(part: JsonSchema): readonly JsonSchema[] {
  const dependent = isRecord(part['dependentSchemas']) ? Object.values(part['dependentSchemas']) : []
  return [part['if'], part['then'], part['else'], ...dependent].filter(isRecord)
}

function hasField(properties: unknown, key: string): properties is Record<string, unknown> {
  return isRecord(properties) && Object.hasOwn(properties, key)
}

function named(properties: unknown, key: string): JsonSchema[] {
  if (!hasField(properties, key)) return []
  const declared = properties[key]
  return isRecord(declared) ? [declared] : declared === false ? [] : [ANYTHING]
}

function matching(patterns: unknown, key: string, reader: ShapeReader): JsonSchema[] {
  if (!isRecord(patterns)) return []
  return Object.entries(patterns).flatMap(([pattern, declared]) =>
    isMatch(patternOf(pattern), key, reader) ? [isRecord(declared) ? declared : ANYTHING] : [],
  )
}

/** A pattern that cannot be run may match. */
function isMatch(pattern: Pattern | undefined, name: string, { meter }: ShapeReader): boolean {
  return pattern === undefined || pattern.test(name, meter)
}

function patternOf(source: string): Pattern | undefined {
  try {
    return linearPattern(source)
  } catch {
    return undefined
  }
}

function itemOf(part: JsonSchema, index: number): readonly JsonSchema[] {
  const prefix = part['prefixItems']
  const item: unknown = Array.isArray(prefix) && index < prefix.length ? prefix[index] : part['items']
  return isRecord(item) ? [item] : []
}

/** The names that the parts of a schema tell apart. */
interface Names {
  readonly mentioned: ReadonlySet<string>
  /** Undefined for a pattern that cannot be run. */
  readonly patterns: readonly (Pattern | undefined)[]
}

function namesIn(parts: Parts): Names {
  const mentioned = new Set<string>()
  const patterns = new Set<string>()
  const open = partsIn(parts)
  for (const part of open) {
    const { properties, required, patternProperties } = part
    for (const name of isRecord(properties) ? Object.keys(properties) : []) mentioned.add(name)
    for (const name of Array.isArray(required) ? required : []) mentioned.add(String(name))
    for (const pattern of isRecord(patternProperties) ? Object.keys(patternProperties) : []) patterns.add(pattern)
    open.push(...branchesOf(part))
  }
  return { mentioned, patterns: Array.from(patterns, patternOf) }
}

function partsIn({ all, unions }: Parts): JsonSchema[] {
  return [...all, ...unions.flat().flatMap(partsIn)]
}

/** How many items have a place of their own. */
function placesIn({ all, unions }: Parts): number {
  const own = all.map(({ prefixItems }) => (Array.isArray(prefixItems) ? prefixItems.length : 0))
  return Math.max(0, ...own, ...unions.flat().map(placesIn))
}

/** Nothing is undeclared where no part lists fields. */
function listsFields({ all, unions }: Parts): boolean {
  return all.some((part) => isRecord(part['properties'])) || unions.some((options) => options.length > 0 && options.every(listsFields))
}

/** Nor where a part is open to more. */
function isOpen({ all, unions }: Parts): boolean {
  return all.some((part) => OPENINGS.some((keyword) => (part[keyword] ?? false) !== false)) || unions.flat().some(isOpen)
}

const OPENINGS = ['additionalProperties', 'unevaluatedProperties']
