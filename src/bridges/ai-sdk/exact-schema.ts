import type { JSONSchema7, Schema } from 'ai'
import type { JsonSchema } from '../../schema/json-schema.ts'

/** By this registered symbol the AI SDK knows a schema of any copy of itself; so nothing of it has to be loaded here. */
export const AI_SCHEMA = Symbol.for('vercel.ai.schema')

/** Shows a JSON Schema to the model as it is, in a copy: the AI SDK and its providers may write to it. Every value passes: the door validates it, and its error tells the model what is wrong. */
export function exactSchema<T>(schema: JsonSchema): Schema<T> {
  const made = {
    [AI_SCHEMA]: true,
    _type: undefined,
    jsonSchema: structuredClone(schema) as JSONSchema7,
    validate: (value: unknown) => ({ success: true, value }),
  }
  return made as unknown as Schema<T>
}
