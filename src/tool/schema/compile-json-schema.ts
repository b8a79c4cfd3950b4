import { ConfigurationError } from '../errors/configuration-error.ts'
import { compileSchema } from './json-schema-engine.ts'
import { issuesOf } from './json-schema-issues.ts'
import { copyOfData } from './copy-of-data.ts'
import type { JsonSchema } from './json-schema.ts'
import { isStandardSchema, type StandardResult, type StandardSchema } from './standard-schema.ts'

interface CompiledJsonSchema {
  /** Gives a copy, with defaults: neither they nor whoever gets it write to a caller's object. */
  readonly validate: (value: unknown) => StandardResult<unknown>
  /** The schema in the words of 2020-12. */
  readonly description: JsonSchema
}

/** Compiles a raw JSON Schema. Later changes to the author's object do not reach it. */
export function compileJsonSchema(given: JsonSchema, role: string): CompiledJsonSchema {
  const schema = copyOf(given, role)
  const { check, description } = compileSchema(schema, role)
  return {
    description,
    validate: (value) => {
      const copy = copyOfData(value)
      return check(copy) ? { value: copy } : { issues: issuesOf(check.errors ?? []) }
    },
  }
}

/**
 * Gives a raw JSON Schema a TypeScript type of your choice.
 * @example
 * const Point = jsonSchema<{ x: number }>({ type: 'object', properties: { x: { type: 'number' } }, required: ['x'] })
 */
export function jsonSchema<T>(schema: JsonSchema): StandardSchema<T, T> {
  const { validate, description } = compileJsonSchema(schema, 'jsonSchema')
  const describe = (): Record<string, unknown> => structuredClone(description)
  return {
    '~standard': {
      version: 1,
      vendor: 'json-schema',
      validate: validate as (value: unknown) => StandardResult<T>,
      jsonSchema: { input: describe, output: describe },
    },
  }
}

function copyOf(schema: JsonSchema, role: string): JsonSchema {
  const field = Object.keys(schema).find((key) => isStandardSchema(schema[key]))
  if (field !== undefined) {
    throw new ConfigurationError(
      'invalid_schema',
      `${role} is a plain object whose field '${field}' is a schema. Put the fields into an object schema, such as z.object({ ... }).`,
    )
  }
  try {
    return structuredClone(schema)
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new ConfigurationError('invalid_schema', `${role} is not a valid JSON Schema: ${why}`, { cause })
  }
}
