import { type JsonSchema, isRecord } from './json-schema.ts'

const MAX_DEPTH = 64

/**
 * Drops fields that the schema does not declare, and nulls where it allows none, at every level that can be read off the schema.
 * The value is copied only where something is dropped.
 */
export function dropUndeclared(value: unknown, schema: JsonSchema): unknown {
  return drop(value, schema, schema, 0)
}

function drop(value: unknown, given: unknown, root: JsonSchema, depth: number): unknown {
  const schema = dereference(given, root)
  if (schema === undefined || depth > MAX_DEPTH) return value
  if (Array.isArray(value)) return dropInItems(value, schema, root, depth)
  return isRecord(value) ? dropInFields(value, schema, root, depth) : value
}

function dropInItems(value: unknown[], schema: JsonSchema, root: JsonSchema, depth: number): unknown[] {
  if (!isRecord(schema['items'])) return value
  const items = value.map((item) => drop(item, schema['items'], root, depth + 1))
  return items.some((item, index) => item !== value[index]) ? items : value
}

function dropInFields(value: Record<string, unknown>, schema: JsonSchema, root: JsonSchema, depth: number): Record<string, unknown> {
  const properties = schema['properties']
  if (!isRecord(properties)) return value
  const closed = isClosed(schema)
  const kept: Record<string, unknown> = Object.create(null) as Record<string, unknown>
  let changed = false
  for (const key of Object.keys(value)) {
    const field = value[key]
    const declared = Object.hasOwn(properties, key) ? properties[key] : undefined
    if (declared === undefined ? closed : field === null && !allowsNull(declared, root, 0)) {
      changed = true
      continue
    }
    const next = declared === undefined ? field : drop(field, declared, root, depth + 1)
    changed ||= next !== field
    kept[key] = next
  }
  return changed ? { ...kept } : value
}

/** A schema that composes others may declare fields elsewhere, so that nothing can be called undeclared from here. */
function isClosed(schema: JsonSchema): boolean {
  const open = schema['additionalProperties'] !== undefined && schema['additionalProperties'] !== false
  return !open && !['patternProperties', 'allOf', 'anyOf', 'oneOf', 'if', 'unevaluatedProperties'].some((keyword) => keyword in schema)
}

function allowsNull(given: unknown, root: JsonSchema, depth: number): boolean {
  const schema = dereference(given, root)
  if (schema === undefined || depth > MAX_DEPTH) return true
  if ('const' in schema) return schema['const'] === null
  if (Array.isArray(schema['enum'])) return schema['enum'].includes(null)
  for (const keyword of ['anyOf', 'oneOf'] as const) {
    const options = schema[keyword]
    if (Array.isArray(options)) return options.some((option) => allowsNull(option, root, depth + 1))
  }
  const type = schema['type']
  if (type === undefined) return true
  return Array.isArray(type) ? type.includes('null') : type === 'null'
}

/** Follows `#/...` references; what cannot be followed is left alone. */
function dereference(given: unknown, root: JsonSchema): JsonSchema | undefined {
  let schema = given
  for (let hops = 0; hops < MAX_DEPTH; hops++) {
    if (!isRecord(schema)) return undefined
    const reference: unknown = schema['$ref']
    if (reference === undefined) return schema
    if (typeof reference !== 'string' || !reference.startsWith('#')) return undefined
    schema = reference
      .split('/')
      .slice(1)
      .reduce<unknown>((node, key) => (isRecord(node) && Object.hasOwn(node, key) ? node[key] : undefined), root)
  }
  return undefined
}
