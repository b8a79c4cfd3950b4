import { isRecord, type JsonSchema } from '../../schema/json-schema.ts'

const FORMATS: ReadonlySet<unknown> = new Set(['email', 'uri', 'date', 'date-time'])

/** The field of a form that asks for a value: what the protocol knows of its schema. Undefined where a form has no such field. The answer is validated by the whole schema. */
export function formField(schema: unknown): JsonSchema | undefined {
  if (!isRecord(schema)) return undefined
  switch (schema['type']) {
    case 'boolean':
      return picked(schema, ['default'])
    case 'number':
    case 'integer':
      return picked(schema, ['minimum', 'maximum', 'default'])
    case 'string':
      return textField(schema)
    case 'array':
      return isChoice(schema['items']) ? picked(schema, ['minItems', 'maxItems', 'items', 'default']) : undefined
    default:
      return undefined
  }
}

function textField(schema: JsonSchema): JsonSchema {
  if (typeof schema['const'] === 'string') return { ...picked(schema, []), enum: [schema['const']] }
  if (isListOf(schema['enum'], isText)) return picked(schema, ['enum', 'enumNames', 'default'])
  if (isListOf(schema['oneOf'], isTitled)) return picked(schema, ['oneOf', 'default'])
  return picked(schema, ['minLength', 'maxLength', 'default', ...(FORMATS.has(schema['format']) ? ['format'] : [])])
}

function picked(schema: JsonSchema, keywords: readonly string[]): JsonSchema {
  return Object.fromEntries(
    ['type', 'title', 'description', ...keywords]
      .filter((keyword) => Object.hasOwn(schema, keyword))
      .map((keyword) => [keyword, schema[keyword]]),
  )
}

/** Several of a list: of texts, or of texts with titles. */
function isChoice(items: unknown): boolean {
  return isRecord(items) && ((items['type'] === 'string' && isListOf(items['enum'], isText)) || isListOf(items['anyOf'], isTitled))
}

function isListOf(value: unknown, is: (each: unknown) => boolean): boolean {
  return Array.isArray(value) && value.length > 0 && value.every(is)
}

function isText(value: unknown): boolean {
  return typeof value === 'string'
}

function isTitled(value: unknown): boolean {
  return isRecord(value) && typeof value['const'] === 'string' && typeof value['title'] === 'string'
}
