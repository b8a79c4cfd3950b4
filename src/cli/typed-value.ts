import type { JsonSchema } from '../schema/json-schema.ts'
import { choicesOf, typesOf } from './schema-choices.ts'

const NUMBER = /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/

/**
 * The value that a text on the command line stands for. A text stays a text wherever the schema takes one. What does not fit stays a text too,
 * and the tool says what is wrong with it.
 */
export function typedValue(text: string, schema: unknown, root: JsonSchema): unknown {
  const choices = choicesOf(schema, root)
  const types = typesOf(choices)
  if (types.has('string')) return text
  if (types.size === 0) return json(text, text)
  if ((types.has('number') || types.has('integer')) && NUMBER.test(text)) return Number(text)
  if (types.has('boolean') && (text === 'true' || text === 'false')) return text === 'true'
  if (types.has('null') && text === 'null') return null
  const parsed = /^\s*[[{]/.test(text) ? json(text, undefined) : undefined
  if (Array.isArray(parsed) ? types.has('array') : parsed !== undefined && types.has('object')) return parsed
  return types.has('array') ? [typedValue(text, itemSchema(choices), root)] : text
}

function itemSchema(choices: readonly JsonSchema[]): unknown {
  return choices.find(({ items }) => items !== undefined)?.['items'] ?? { type: 'string' }
}

function json(text: string, otherwise: unknown): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return otherwise
  }
}
