import { dereference, isRecord, type JsonSchema, someSubschema } from './json-schema.ts'

/** The schema of a field inside a value; `isOptional` if the field may not be there. */
interface FieldSchema {
  readonly schema: JsonSchema
  readonly isOptional: boolean
}

/** `missing`: no value of the schema has the field. `unknown`: the schema does not say. */
export type FoundField = FieldSchema | 'missing' | 'unknown'

/** Finds a field of the values of a schema by its path: names of fields, and positions in lists. */
export function fieldSchema(root: JsonSchema, path: readonly (string | number)[]): FoundField {
  let found: FoundField = { schema: root, isOptional: false }
  for (const key of path) {
    const next: FoundField = stepInto(found.schema, key, root)
    if (typeof next === 'string') return next
    found = { schema: next.schema, isOptional: found.isOptional || next.isOptional }
  }
  return path.length === 0 ? found : withDefinitions(found, root)
}

/** A reference to a place that the field has left behind cannot be followed from it. */
function withDefinitions({ schema, isOptional }: FieldSchema, { $defs, definitions }: JsonSchema): FoundField {
  if (someSubschema(schema, ({ $ref }) => typeof $ref === 'string' && !/^#\/(\$defs|definitions)\//.test($ref))) return 'unknown'
  return {
    schema: { ...($defs === undefined ? {} : { $defs }), ...(definitions === undefined ? {} : { definitions }), ...schema },
    isOptional,
  }
}

function stepInto(given: JsonSchema, key: string | number, root: JsonSchema): FoundField {
  const schema = given['$ref'] === undefined ? given : dereference(given['$ref'], root)
  if (schema === undefined) return 'unknown'
  const alternatives = schema['anyOf'] ?? schema['oneOf']
  if (Array.isArray(alternatives))
    return oneOf(alternatives.map((each: unknown) => (isRecord(each) ? stepInto(each, key, root) : 'unknown')))
  return typeof key === 'number' ? itemOf(schema, key) : fieldOf(schema, key)
}

/** A field that some alternatives lack may not be there. */
function oneOf(found: readonly FoundField[]): FoundField {
  if (found.includes('unknown')) return 'unknown'
  const known = found.filter((each): each is FieldSchema => typeof each === 'object')
  const [first] = known
  if (first === undefined) return 'missing'
  const isOptional = known.length < found.length || known.some((each) => each.isOptional)
  return { schema: known.length === 1 ? first.schema : { anyOf: known.map((each) => each.schema) }, isOptional }
}

function fieldOf(schema: JsonSchema, key: string): FoundField {
  const { type, properties, required, additionalProperties, allOf } = schema
  if (isRecord(properties) && Object.hasOwn(properties, key)) {
    const field = properties[key]
    if (!isRecord(field)) return field === false ? 'missing' : 'unknown'
    return { schema: field, isOptional: !(Array.isArray(required) && required.includes(key)) || allOf !== undefined }
  }
  if (isRecord(additionalProperties) && Object.keys(additionalProperties).length > 0)
    return { schema: additionalProperties, isOptional: true }
  if (typeof type === 'string' && type !== 'object') return 'missing'
  const isClosed = additionalProperties === false && schema['patternProperties'] === undefined && allOf === undefined
  return isClosed ? 'missing' : 'unknown'
}

function itemOf({ type, prefixItems, items, minItems }: JsonSchema, index: number): FoundField {
  const isOptional = !(typeof minItems === 'number' && minItems > index)
  const item: unknown = Array.isArray(prefixItems) && index < prefixItems.length ? prefixItems[index] : items
  if (isRecord(item)) return { schema: item, isOptional }
  return item === false || (typeof type === 'string' && type !== 'array') ? 'missing' : 'unknown'
}
