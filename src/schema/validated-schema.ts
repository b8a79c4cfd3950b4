import { isRecord, type JsonSchema, mapSubschemas } from './json-schema.ts'

const validated = new WeakMap<JsonSchema, JsonSchema>()
const admitted = new WeakMap<JsonSchema, JsonSchema>()

/** The schema of a value that has been validated: a field with a default may be missing before, and is there afterwards. */
export function afterValidation(schema: JsonSchema): JsonSchema {
  return kept(validated, schema, () => (mentionsDefault(schema) ? filled(schema) : schema))
}

/** The schema of an input that has passed the door, which drops undeclared fields too. */
export function afterDoor(schema: JsonSchema): JsonSchema {
  return kept(admitted, schema, () => closed(afterValidation(schema)))
}

/** The same schema gives the same one again: what is compared with it need not be compared twice. */
function kept(known: WeakMap<JsonSchema, JsonSchema>, schema: JsonSchema, make: () => JsonSchema): JsonSchema {
  let made = known.get(schema)
  if (made === undefined) {
    made = make()
    known.set(schema, made)
  }
  return made
}

/** Says yes too often, but at once: a field may have that name. */
function mentionsDefault(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (Array.isArray(value)) return value.some(mentionsDefault)
  for (const key in value) if (key === 'default' || mentionsDefault((value as Record<string, unknown>)[key])) return true
  return false
}

/** Schemas that hold only sometimes, or not at all. */
const SOMETIMES = ['anyOf', 'dependentSchemas', 'else', 'if', 'not', 'oneOf', 'then']

/** With these beside them, the listed fields may not be all that are declared. */
const DECLARES_MORE = ['$ref', 'additionalProperties', 'allOf', 'patternProperties', 'unevaluatedProperties', ...SOMETIMES]

function filled(schema: JsonSchema): JsonSchema {
  const inside = always(schema, filled)
  const { properties, required } = schema
  if (!isRecord(properties)) return inside
  const present = Object.keys(properties).filter((name) => isRecord(properties[name]) && 'default' in properties[name])
  return { ...inside, required: [...new Set([...(Array.isArray(required) ? required : []), ...present])] }
}

/** Where it cannot be read off at once that a schema declares no more, it stays open. */
function closed(schema: JsonSchema): JsonSchema {
  const inside = 'allOf' in schema ? schema : always(schema, closed)
  const isClosed = isRecord(schema['properties']) && !DECLARES_MORE.some((keyword) => keyword in schema)
  return isClosed ? { ...inside, additionalProperties: false } : inside
}

/** Changes the schemas inside that hold in any case. Definitions may be referred to from where they hold only sometimes. */
function always(schema: JsonSchema, change: (schema: JsonSchema) => JsonSchema): JsonSchema {
  const left = [...SOMETIMES, '$defs', 'definitions'].filter((keyword) => keyword in schema).map((keyword) => [keyword, schema[keyword]])
  return { ...mapSubschemas(schema, change), ...Object.fromEntries(left) }
}
