import { isRecord, isSameJson, type JsonSchema } from './json-schema.ts'
import { embedSchemas } from './nest-schema.ts'

/** Keywords of an object schema whose conjunction with another can be written as one object. */
const MERGED: ReadonlySet<string> = new Set(['type', 'properties', 'required', 'additionalProperties', 'description', 'title'])

/**
 * The schema of a value that several tools take at once. Objects become one object with the fields of all, which models read best; what cannot
 * be written so is an `allOf`. Each tool drops the fields of the others, so a schema that refuses further fields does not refuse theirs.
 */
export function conjunction(given: readonly JsonSchema[]): JsonSchema {
  const different = distinctSchemas(given)
  const [only, ...more] = different
  if (only === undefined || more.length === 0) return only ?? {}
  const { schemas, root } = embedSchemas(different)
  return schemas.every(isPlainObject) ? mergedObject(schemas) : { allOf: schemas.map(opened), ...root }
}

function isPlainObject(schema: JsonSchema): boolean {
  const others = schema['additionalProperties']
  return (
    schema['type'] === 'object' &&
    Object.keys(schema).every((keyword) => MERGED.has(keyword)) &&
    (others === undefined || typeof others === 'boolean' || (isRecord(others) && Object.keys(others).length === 0))
  )
}

function opened(schema: JsonSchema): JsonSchema {
  const { additionalProperties, ...rest } = schema
  return additionalProperties === false ? rest : schema
}

function mergedObject(schemas: readonly JsonSchema[]): JsonSchema {
  const fields = new Map<string, JsonSchema[]>()
  for (const { properties } of schemas) {
    for (const [name, field] of Object.entries(isRecord(properties) ? properties : {})) {
      fields.set(name, [...(fields.get(name) ?? []), isRecord(field) ? field : {}])
    }
  }
  const required = new Set(schemas.flatMap((schema) => (Array.isArray(schema['required']) ? (schema['required'] as string[]) : [])))
  const descriptions = new Set(schemas.map(({ description }) => description).filter((each) => typeof each === 'string'))
  return {
    type: 'object',
    ...(descriptions.size === 0 ? {} : { description: [...descriptions].join(' ') }),
    properties: Object.fromEntries([...fields].map(([name, each]) => [name, mergedField(each)])),
    ...(required.size === 0 ? {} : { required: [...required] }),
    ...(schemas.every(({ additionalProperties }) => additionalProperties === false) ? { additionalProperties: false } : {}),
  }
}

/** Fields that differ in their words alone are one. */
function mergedField(fields: readonly JsonSchema[]): JsonSchema {
  const wordless = (field: JsonSchema): JsonSchema => ({ ...field, description: '', title: '' })
  const [only, ...more] = distinctSchemas(fields.toReversed(), (a, b) => isSameJson(wordless(a), wordless(b)))
  return only === undefined || more.length === 0 ? (only ?? {}) : { allOf: [only, ...more].toReversed() }
}

/** Each schema once, whatever the order of its keywords: where it stood first, as it was written last. */
export function distinctSchemas(
  given: readonly JsonSchema[],
  isSame: (a: JsonSchema, b: JsonSchema) => boolean = isSameJson,
): JsonSchema[] {
  const distinct: JsonSchema[] = []
  for (const schema of given) {
    const index = distinct.findIndex((each) => isSame(each, schema))
    distinct[index === -1 ? distinct.length : index] = schema
  }
  return distinct
}

/** The schema of a value that is of one of the schemas. */
export function unionSchema(given: readonly JsonSchema[]): JsonSchema {
  const { schemas, root } = embedSchemas(given)
  const different = distinctSchemas(schemas)
  const [only] = different
  return { ...(only === undefined || different.length > 1 ? { anyOf: different } : only), ...root }
}

/** The schema of an object with these fields; all of them are required, or none is. */
export function objectSchema(fields: readonly (readonly [name: string, schema: JsonSchema])[], isComplete: boolean): JsonSchema {
  const { schemas, root } = embedSchemas(fields.map(([, schema]) => schema))
  const names = fields.map(([name]) => name)
  const properties = Object.fromEntries(names.map((name, index) => [name, schemas[index]]))
  return { type: 'object', properties, ...(isComplete ? { required: names } : {}), ...root }
}

/** The schema where more is known of the value. It stays the root, since references count from there. */
export function narrowedSchema(schema: JsonSchema, known: JsonSchema): JsonSchema {
  const { allOf } = schema
  return { ...schema, allOf: [...(Array.isArray(allOf) ? allOf : []), known] }
}
