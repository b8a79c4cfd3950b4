import { isPlainRecord, isRecord, type JsonSchema } from './json-schema.ts'
import { ShapeReader } from './shape.ts'

const MAX_DEPTH = 200

const readers = new WeakMap<JsonSchema, ShapeReader>()

/**
 * Drops fields that the schema does not declare, and nulls where it allows none, at every level that can be read off the schema.
 * The value is copied only where something is dropped; one that is nested too deeply is left as it is.
 */
export function dropUndeclared(value: unknown, schema: JsonSchema): unknown {
  let reader = readers.get(schema)
  if (reader === undefined) {
    reader = new ShapeReader(schema)
    readers.set(schema, reader)
  }
  try {
    return drop(value, schema, { reader, depth: 0 })
  } catch (error) {
    if (error === TOO_DEEP) return value
    throw error
  }
}

/** A value that refers to itself has no bottom: the first way down that is too long ends the search. */
const TOO_DEEP = new RangeError('too deep')

interface Level {
  readonly reader: ShapeReader
  readonly depth: number
}

function drop(value: unknown, schema: JsonSchema, level: Level): unknown {
  if (level.depth > MAX_DEPTH) throw TOO_DEEP
  if (Array.isArray(value)) return dropInItems(value, schema, level)
  return isPlainRecord(value) ? dropInFields(value, schema, level) : value
}

function dropInItems(value: readonly unknown[], schema: JsonSchema, level: Level): readonly unknown[] {
  const parts = partsFor(value, schema, level.reader)
  const next: Level = { reader: level.reader, depth: level.depth + 1 }
  let items: unknown[] | undefined
  for (const [index, item] of value.entries()) {
    if (typeof item !== 'object' || item === null) continue
    const declared = joined(parts, (part) => itemOf(part, index))
    const kept = declared === undefined ? item : drop(item, declared, next)
    if (kept !== item) (items ??= [...value])[index] = kept
  }
  return items ?? value
}

function dropInFields(value: Readonly<Record<string, unknown>>, schema: JsonSchema, level: Level): Readonly<Record<string, unknown>> {
  const { reader } = level
  const parts = partsFor(value, schema, reader)
  const closed = isClosed(parts)
  const next: Level = { reader, depth: level.depth + 1 }
  const kept: [string, unknown][] = []
  let changed = false
  for (const key of Object.keys(value)) {
    const field = value[key]
    const declared = joined(parts, (part) => fieldOf(part, key))
    if (declared === undefined ? closed : field === null && !reader.allowsNull(declared)) {
      changed = true
      continue
    }
    const clean = declared === undefined || typeof field !== 'object' || field === null ? field : drop(field, declared, next)
    changed ||= clean !== field
    kept.push([key, clean])
  }
  return changed ? Object.fromEntries(kept) : value
}

/** The schemas that say something about a value: what it must be in any case, and for each union the options that it could be. */
interface Parts {
  readonly all: readonly JsonSchema[]
  readonly unions: readonly (readonly Parts[])[]
}

/** A union that is an option of itself says nothing new. */
function partsFor(value: unknown, schema: JsonSchema, reader: ShapeReader, within: readonly JsonSchema[] = []): Parts {
  const { all, unions } = reader.read(schema)
  if (unions.length === 0) return { all, unions: [] }
  const here = [...within, ...all]
  return {
    all,
    unions: unions.map((options) =>
      reader
        .candidates(options, value)
        .filter((option) => !reader.read(option).all.some((each) => here.includes(each)))
        .map((option) => partsFor(value, option, reader, here)),
    ),
  }
}

/** What all parts say of one field or item, as one schema; undefined where none says anything. */
function joined({ all, unions }: Parts, of: (part: JsonSchema) => readonly JsonSchema[]): JsonSchema | undefined {
  const certain = all.flatMap(of)
  for (const options of unions) {
    const anyOf = options.map((option) => joined(option, of)).filter((each) => each !== undefined)
    if (anyOf.length > 0) certain.push({ anyOf })
  }
  return certain.length > 1 ? { allOf: certain } : certain[0]
}

function fieldOf(part: JsonSchema, key: string): readonly JsonSchema[] {
  const found = [...named(part['properties'], key), ...matching(part['patternProperties'], key)]
  const other = part['additionalProperties']
  if (found.length === 0 && isRecord(other) && Object.keys(other).length > 0) found.push(other)
  for (const branch of branchesOf(part)) found.push(...fieldOf(branch, key))
  const { required } = part
  return found.length === 0 && Array.isArray(required) && required.includes(key) ? [{}] : found
}

/** Schemas that hold only sometimes; they may declare fields all the same. */
function branchesOf(part: JsonSchema): readonly JsonSchema[] {
  const dependent = isRecord(part['dependentSchemas']) ? Object.values(part['dependentSchemas']) : []
  return [part['if'], part['then'], part['else'], ...dependent].filter(isRecord)
}

function named(properties: unknown, key: string): JsonSchema[] {
  if (!isRecord(properties) || !Object.hasOwn(properties, key)) return []
  const declared = properties[key]
  return isRecord(declared) ? [declared] : declared === false ? [] : [{}]
}

function matching(patterns: unknown, key: string): JsonSchema[] {
  if (!isRecord(patterns)) return []
  return Object.entries(patterns).flatMap(([pattern, declared]) => (isMatch(pattern, key) ? [isRecord(declared) ? declared : {}] : []))
}

function isMatch(pattern: string, key: string): boolean {
  try {
    return new RegExp(pattern, 'u').test(key)
  } catch {
    return true
  }
}

function itemOf(part: JsonSchema, index: number): readonly JsonSchema[] {
  const prefix = part['prefixItems']
  const item: unknown = Array.isArray(prefix) && index < prefix.length ? prefix[index] : part['items']
  return isRecord(item) ? [item] : []
}

/** Nothing is undeclared where no part lists fields, or where one is open to more. */
function isClosed(parts: Parts): boolean {
  return listsFields(parts) && !isOpen(parts)
}

function listsFields({ all, unions }: Parts): boolean {
  return all.some((part) => isRecord(part['properties'])) || unions.some((options) => options.length > 0 && options.every(listsFields))
}

function isOpen({ all, unions }: Parts): boolean {
  return all.some((part) => OPENINGS.some((keyword) => (part[keyword] ?? false) !== false)) || unions.flat().some(isOpen)
}

const OPENINGS = ['additionalProperties', 'unevaluatedProperties']
