import { isRecord, type JsonSchema } from './json-schema.ts'

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
