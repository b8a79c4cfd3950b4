import { declaredFor } from './declared.ts'
import { isPlainRecord, type JsonSchema } from './json-schema.ts'
import { MAX_DEPTH } from './measure.ts'
import { ShapeReader } from './shape.ts'

const readers = new WeakMap<JsonSchema, ShapeReader>()

/** The steps of a check have a bound of their own. */
const SHARE = 0.5

/**
 * Drops fields that the schema does not declare, and nulls where it allows none, at every level that can be read off the schema.
 * The value is copied only where something is dropped; one that is nested too deeply is left as it is. Throws TooCostly where too many
 * options of unions would have to be looked at for a value with so many values in it.
 */
export function dropUndeclared(value: unknown, schema: JsonSchema, nodes = 0): unknown {
  let reader = readers.get(schema)
  if (reader === undefined) {
    reader = new ShapeReader(schema)
    readers.set(schema, reader)
  }
  reader.meter.start(nodes, 'own', SHARE)
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

function dropInItems(value: readonly unknown[], schema: JsonSchema, { reader, depth }: Level): readonly unknown[] {
  let declared: ReturnType<typeof declaredFor> | undefined
  const next: Level = { reader, depth: depth + 1 }
  let items: unknown[] | undefined
  for (let index = 0; index < value.length; index++) {
    const item = value[index]
    if (typeof item !== 'object' || item === null) continue
    const itemSchema = (declared ??= declaredFor(value, schema, reader)).item(index)
    const kept = itemSchema === undefined ? item : drop(item, itemSchema, next)
    if (kept !== item) (items ??= [...value])[index] = kept
  }
  return items ?? value
}

function dropInFields(
  value: Readonly<Record<string, unknown>>,
  schema: JsonSchema,
  { reader, depth }: Level,
): Readonly<Record<string, unknown>> {
  const keys = Object.keys(value)
  if (keys.length === 0) return value
  const declared = declaredFor(value, schema, reader)
  const next: Level = { reader, depth: depth + 1 }
  const changes = new Map<string, unknown>()
  for (const key of keys) {
    const field = value[key]
    const fieldSchema = declared.field(key)
    if (fieldSchema === undefined ? declared.closed : field === null && !reader.allows(null, fieldSchema)) changes.set(key, DROPPED)
    else if (fieldSchema !== undefined && typeof field === 'object' && field !== null) {
      const kept = drop(field, fieldSchema, next)
      if (kept !== field) changes.set(key, kept)
    }
  }
  return changes.size === 0 ? value : changed(value, changes)
}

const DROPPED = Symbol('dropped')

function changed(value: Readonly<Record<string, unknown>>, changes: ReadonlyMap<string, unknown>): Record<string, unknown> {
  const kept = Object.keys(value).filter((key) => changes.get(key) !== DROPPED)
  return Object.fromEntries(kept.map((key) => [key, changes.has(key) ? changes.get(key) : value[key]]))
}
