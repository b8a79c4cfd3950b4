import { createRequire } from 'node:module'
import type { Ajv, ErrorObject, ValidateFunction } from 'ajv'
import { ConfigurationError } from '../errors/configuration-error.ts'
import { type JsonSchema, isRecord } from './json-schema.ts'
import type { StandardIssue, StandardResult, StandardSchema } from './standard-schema.ts'

const require = createRequire(import.meta.url)

type Constructor = new (options: object) => Ajv

const OPTIONS = { allErrors: true, strict: false, useDefaults: true, validateFormats: false, ownProperties: true, logger: false }
const engines = new Map<string, Ajv>()

/** ajv is loaded when the first JSON Schema is met: a root import stays light. */
function engineFor(schema: JsonSchema): Ajv {
  const dialect = typeof schema['$schema'] === 'string' && schema['$schema'].includes('draft-07') ? 'ajv' : 'ajv/dist/2020.js'
  let engine = engines.get(dialect)
  if (engine === undefined) {
    const { default: Engine } = require(dialect) as { default: Constructor }
    engine = new Engine(OPTIONS)
    engines.set(dialect, engine)
  }
  return engine
}

/** A validator that applies defaults to a copy, so that a caller's object is never written to. */
export function compileJsonSchema(schema: JsonSchema, role: string): (value: unknown) => StandardResult<unknown> {
  let validate: ValidateFunction
  try {
    validate = engineFor(schema).compile({ ...schema })
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new ConfigurationError('invalid_schema', `${role} is not a valid JSON Schema: ${why}`, { cause })
  }
  return (value) => {
    const copy = structuredClone(value)
    return validate(copy) ? { value: copy } : { issues: (validate.errors ?? []).map(toIssue) }
  }
}

/**
 * Gives a raw JSON Schema a TypeScript type of your choice.
 * @example
 * const Point = jsonSchema<{ x: number }>({ type: 'object', properties: { x: { type: 'number' } }, required: ['x'] })
 */
export function jsonSchema<T>(schema: JsonSchema): StandardSchema<T, T> {
  const validate = compileJsonSchema(schema, 'jsonSchema')
  const describe = (): Record<string, unknown> => ({ ...schema })
  return {
    '~standard': {
      version: 1,
      vendor: 'json-schema',
      validate: validate as (value: unknown) => StandardResult<T>,
      jsonSchema: { input: describe, output: describe },
    },
  }
}

function toIssue(error: ErrorObject): StandardIssue {
  const path = error.instancePath.split('/').slice(1).map(unescapePointer)
  const params: unknown = error.params
  const missing = isRecord(params) ? params['missingProperty'] : undefined
  if (typeof missing === 'string') return { message: 'is missing', path: [...path, missing] }
  const allowed = isRecord(params) ? params['allowedValues'] : undefined
  const detail = Array.isArray(allowed) ? `: ${allowed.map((each) => JSON.stringify(each)).join(', ')}` : ''
  return { message: `${error.message ?? 'is invalid'}${detail}`, path }
}

function unescapePointer(segment: string): string {
  return segment.replaceAll('~1', '/').replaceAll('~0', '~')
}
