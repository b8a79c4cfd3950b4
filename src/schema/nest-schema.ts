import { dereference, isRecord, type JsonSchema, mapSubschemas, someSubschema } from './json-schema.ts'

/** Where a schema stands inside another one. */
export interface Nesting {
  readonly around: (inner: JsonSchema) => JsonSchema
  /** Leads from the outer schema to the inner one, such as `/properties/input`. */
  readonly pointer: string
}

/**
 * A schema inside another one. References count from the root: definitions move up to it, and what pointed at the schema points at where it
 * stands now. A schema with an `$id` is a root of its own and stays as it is.
 */
export function nestSchema(schema: JsonSchema, { around, pointer }: Nesting): JsonSchema {
  if (typeof schema['$id'] === 'string') return around(schema)
  const nested = redirected(schema, (reference) => {
    if (reference !== '#' && !reference.startsWith('#/')) return reference
    return /^#\/(\$defs|definitions)\//.test(reference) ? reference : `#${pointer}${reference.slice(1)}`
  })
  const { $defs: _defs, definitions: _definitions, $schema: _dialect, ...inner } = nested
  return { ...around(inner), ...definitionsOf(nested) }
}

function definitionsOf({ $defs, definitions }: JsonSchema): JsonSchema {
  return { ...($defs === undefined ? {} : { $defs }), ...(definitions === undefined ? {} : { definitions }) }
}

/** The schema with every reference inside it changed. */
export function redirected(schema: JsonSchema, to: (reference: string) => string): JsonSchema {
  const inside = mapSubschemas(schema, (subschema) => redirected(subschema, to))
  const { $ref } = schema
  return typeof $ref === 'string' ? { ...inside, $ref: to($ref) } : inside
}

const PLAIN: Nesting = { around: (value) => value, pointer: '' }

/** The schema of a list of such items, or of entries in which such values stand. */
export function listSchema(item: JsonSchema, { around, pointer }: Nesting = PLAIN): JsonSchema {
  return nestSchema(item, { around: (inner) => ({ type: 'array', items: around(inner) }), pointer: `/items${pointer}` })
}

/** The schema of the items of a list; undefined where the schema of the list has none. */
export function itemSchema(list: JsonSchema): JsonSchema | undefined {
  const { items } = dereference(list['$ref'], list) ?? list
  return isRecord(items) ? { ...definitionsOf(list), ...items } : undefined
}

interface EmbeddedSchemas {
  readonly schemas: readonly JsonSchema[]
  /** For the root of the schema that they stand in. */
  readonly root: JsonSchema
}

/** Schemas made fit to stand side by side inside another one: one with references moves to the definitions of the root, whole. */
export function embedSchemas(given: readonly JsonSchema[]): EmbeddedSchemas {
  const $defs: Record<string, JsonSchema> = {}
  const schemas = given.map((schema, index): JsonSchema => {
    if (typeof schema['$id'] === 'string' || !someSubschema(schema, ({ $ref }) => isLocal($ref))) return schema
    const name = `branch_${index + 1}`
    const place = `#/$defs/${name}`
    $defs[name] = redirected(schema, (reference) => (isLocal(reference) ? `${place}${reference.slice(1)}` : reference))
    return { $ref: place }
  })
  return { schemas, root: Object.keys($defs).length === 0 ? {} : { $defs } }
}

function isLocal(reference: unknown): boolean {
  return typeof reference === 'string' && reference.startsWith('#')
}
