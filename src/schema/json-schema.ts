import { isDeepStrictEqual } from 'node:util'

/** A JSON Schema (2020-12 or draft-07) as plain data. */
export interface JsonSchema {
  readonly [keyword: string]: unknown
}

/** `{ a: 1 }`, not an array and not null. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A record that a literal or a parser made: not an instance of a class. */
export function isPlainRecord(value: unknown): value is Record<string, unknown> {
  if (!isRecord(value)) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

/**
 * Whether two values are the same JSON. Field by field, whatever the fields are called and whether or not the objects have a prototype;
 * instances of classes are compared as Node does.
 */
export function isSameJson(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length && a.every((each, index) => isSameJson(each, b[index]))
  if (!isPlainRecord(a) || !isPlainRecord(b)) return typeof a === 'object' && typeof b === 'object' && isDeepStrictEqual(a, b)
  const keys = Object.keys(a)
  return keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && isSameJson(a[key], b[key]))
}

/** The target of a local reference (`#`, `#/$defs/node`); undefined if it cannot be followed. */
export function dereference(reference: unknown, root: JsonSchema): JsonSchema | undefined {
  if (typeof reference !== 'string' || !/^#(\/|$)/.test(reference)) return undefined
  let node: unknown = root
  for (const part of reference.split('/').slice(1)) {
    const key = unescapePointer(decoded(part))
    if (Array.isArray(node)) node = node[Number(key)]
    else node = isRecord(node) && Object.hasOwn(node, key) ? node[key] : undefined
  }
  return isRecord(node) ? node : undefined
}

/** A segment of a JSON pointer as the key that it stands for. */
export function unescapePointer(segment: string): string {
  return segment.replaceAll('~1', '/').replaceAll('~0', '~')
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

const ONE = [
  'additionalItems',
  'additionalProperties',
  'contains',
  'contentSchema',
  'else',
  'if',
  'items',
  'not',
  'propertyNames',
  'then',
  'unevaluatedItems',
  'unevaluatedProperties',
]
const LIST = ['allOf', 'anyOf', 'items', 'oneOf', 'prefixItems']
const NAMED = ['$defs', 'definitions', 'dependencies', 'dependentSchemas', 'patternProperties', 'properties']

/** The schema with every schema directly inside it replaced. Data (`const`, `enum`, `default`, `examples`) is left alone. */
export function mapSubschemas(schema: JsonSchema, change: (subschema: JsonSchema) => JsonSchema): JsonSchema {
  const changed: Record<string, unknown> = { ...schema }
  const apply = (value: unknown): unknown => (isRecord(value) ? change(value) : value)
  for (const keyword of ONE) if (isRecord(schema[keyword])) changed[keyword] = apply(schema[keyword])
  for (const keyword of LIST) {
    const list = schema[keyword]
    if (Array.isArray(list)) changed[keyword] = list.map(apply)
  }
  for (const keyword of NAMED) {
    const named = schema[keyword]
    if (isRecord(named)) changed[keyword] = Object.fromEntries(Object.entries(named).map(([name, value]) => [name, apply(value)]))
  }
  return changed
}

/** Whether the schema, or one inside it, is so. */
export function someSubschema(schema: JsonSchema, is: (subschema: JsonSchema) => boolean): boolean {
  if (is(schema)) return true
  let found = false
  mapSubschemas(schema, (subschema) => {
    found ||= someSubschema(subschema, is)
    return subschema
  })
  return found
}

/** Keywords without rules for the value. */
const ANNOTATIONS: ReadonlySet<string> = new Set([
  ...['$comment', '$defs', '$id', 'default', 'definitions', 'deprecated'],
  ...['description', 'examples', 'readOnly', 'title', 'writeOnly'],
])

/** The schema takes texts and nothing else. */
export function takesText(schema: JsonSchema): boolean {
  return schema['type'] === 'string'
}

/** The schema takes every text. */
export function takesAnyText(schema: JsonSchema): boolean {
  return takesText(schema) && Object.keys(schema).every((keyword) => keyword === 'type' || ANNOTATIONS.has(keyword))
}

/** A schema that says nothing: it takes anything, or its library cannot say what it takes. */
export function saysNothing(schema: JsonSchema): boolean {
  return Object.keys(schema).every((keyword) => ANNOTATIONS.has(keyword))
}
