import { isRecord, type JsonSchema } from '../../schema/json-schema.ts'
import { hashOf } from '../../tool/journal/hash.ts'
import { embedSchemas } from './embed-schemas.ts'

/** Keywords of an object schema whose conjunction with another can be written as one object. */
const MERGED: ReadonlySet<string> = new Set(['type', 'properties', 'required', 'additionalProperties', 'description', 'title'])

/**
 * What fits all of the schemas. Objects become one object with the fields of all, which models read best; what cannot be written so is an
 * `allOf`. A branch drops the fields of the others, so a schema that refuses further fields does not refuse theirs.
 */
export function conjunction(given: readonly JsonSchema[]): JsonSchema {
  const distinct = withoutRepeats(given)
  const [only, ...more] = distinct
  if (only === undefined || more.length === 0) return only ?? {}
  const { schemas, root } = embedSchemas(distinct)
  return schemas.every(isPlainObject) ? mergedObject(schemas) : { allOf: schemas.map(opened), ...root }
}

/** Tools that share a schema give the very same one: then there is nothing to compare. */
function withoutRepeats(given: readonly JsonSchema[]): readonly JsonSchema[] {
  const objects = [...new Set(given)]
  return objects.length < 2 ? objects : [...new Map(objects.map((schema) => [hashOf(schema), schema])).values()]
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
  const [only, ...more] = new Map(fields.toReversed().map((field) => [hashOf({ ...field, description: '', title: '' }), field])).values()
  return only === undefined || more.length === 0 ? (only ?? {}) : { allOf: [only, ...more].toReversed() }
}
