import { dereference, isRecord, type JsonSchema } from '../schema/json-schema.ts'

/** References and choices may go round in circles. */
const MOST_DEPTH = 8

/** The schemas that a value may follow: the schema itself, what it refers to, and its alternatives. */
export function choicesOf(schema: unknown, root: JsonSchema, depth = 0): readonly JsonSchema[] {
  if (!isRecord(schema) || depth > MOST_DEPTH) return []
  const target = dereference(schema['$ref'], root)
  const inner = [target, ...['anyOf', 'oneOf', 'allOf'].flatMap((keyword) => listOf(schema[keyword]))]
  return [schema, ...inner.flatMap((each) => choicesOf(each, root, depth + 1))]
}

/** The types that the choices name; empty where they name none, and anything may be meant. */
export function typesOf(choices: readonly JsonSchema[]): ReadonlySet<string> {
  return new Set(
    choices.flatMap(({ type, const: only, enum: several, properties }) => {
      if (type !== undefined) return Array.isArray(type) ? type.map(String) : [String(type)]
      if (properties !== undefined) return ['object']
      return [...(only === undefined ? [] : [only]), ...listOf(several)].map(typeOf)
    }),
  )
}

/** The schema of a field or of an item; undefined where nothing is said of it. */
export function fieldSchema(choices: readonly JsonSchema[], key: string): unknown {
  for (const { properties, items, prefixItems, additionalProperties } of choices) {
    if (isRecord(properties) && Object.hasOwn(properties, key)) return properties[key]
    if (/^\d+$/.test(key)) {
      const item = listOf(prefixItems)[Number(key)] ?? items
      if (isRecord(item)) return item
    }
    if (isRecord(additionalProperties)) return additionalProperties
  }
  return undefined
}

/** The fields that the choices declare. */
export function fieldNames(choices: readonly JsonSchema[]): readonly string[] {
  return [...new Set(choices.flatMap(({ properties }) => (isRecord(properties) ? Object.keys(properties) : [])))]
}

/** Whether fields beyond the declared ones are wanted. */
export function takesMoreFields(choices: readonly JsonSchema[]): boolean {
  const isDeclared = choices.some(({ properties, additionalProperties }) => isRecord(properties) || additionalProperties === false)
  return !isDeclared || choices.some(isOpen)
}

const COMPOSED = ['$ref', 'anyOf', 'oneOf', 'allOf', 'properties', 'additionalProperties', 'const', 'enum', 'required', 'not']

/** It says that more may come, or says nothing of the fields at all. */
function isOpen(choice: JsonSchema): boolean {
  const { additionalProperties: more, patternProperties, type } = choice
  if (more === true || isRecord(more) || patternProperties !== undefined) return true
  return (type === undefined || type === 'object') && !COMPOSED.some((keyword) => choice[keyword] !== undefined)
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

function typeOf(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}
