import { isRecord, type JsonSchema } from '../../schema/json-schema.ts'
import { toJsonText } from '../../schema/quote.ts'
import { formField } from './form-field.ts'

/** The form for an answer: a flat object field by field, a single value as one field, anything else as JSON text. */
export function answerForm(schema: JsonSchema): JsonSchema {
  const fields = fieldsOf(schema)
  if (fields !== undefined) return { type: 'object', properties: fields, required: requiredOf(schema) }
  const description = `As JSON that fits ${toJsonText(schema)}`
  return {
    type: 'object',
    properties: { answer: formField(schema) ?? { type: 'string', title: 'Answer', description } },
    required: ['answer'],
  }
}

/** The answer that a form holds; undefined where it holds none. */
export function answerIn(schema: JsonSchema, content: Readonly<Record<string, unknown>>): unknown {
  if (fieldsOf(schema) !== undefined) return content
  const { answer } = content
  if (formField(schema) !== undefined) return answer
  try {
    return typeof answer === 'string' ? (JSON.parse(answer) as unknown) : undefined
  } catch {
    return undefined
  }
}

function fieldsOf({ type, properties }: JsonSchema): JsonSchema | undefined {
  if (type !== 'object' || !isRecord(properties)) return undefined
  const fields = Object.entries(properties).map(([name, schema]) => [name, formField(schema)] as const)
  return fields.every(([, field]) => field !== undefined) ? Object.fromEntries(fields) : undefined
}

function requiredOf({ required }: JsonSchema): readonly unknown[] {
  return Array.isArray(required) ? required : []
}
