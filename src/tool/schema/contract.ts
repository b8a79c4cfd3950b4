import { ConfigurationError } from '../errors/configuration-error.ts'
import { compileJsonSchema } from './compile-json-schema.ts'
import { type JsonSchema, isRecord } from './json-schema.ts'
import { loadOptional } from './load-optional.ts'
import { isStandardSchema, type StandardResult, type StandardSchema } from './standard-schema.ts'

/** A schema of any origin, reduced to what the door needs. The schema itself stays untyped here, so that a tool's variance is not tied to it. */
export interface Contract {
  readonly validate: (value: unknown) => StandardResult<unknown> | Promise<StandardResult<unknown>>
  /** The library drops undeclared fields itself, so that the door need not look for them. */
  readonly strips: boolean
  /** The JSON Schema of what goes in, made on first use. */
  readonly input: JsonSchema
  /** The JSON Schema of what comes out, made on first use. */
  readonly output: JsonSchema
}

type Direction = 'input' | 'output'

/** Vendors whose plain object schemas drop undeclared fields. */
const STRIPPING_VENDORS: ReadonlySet<string> = new Set(['zod', 'valibot'])

class StandardContract implements Contract {
  readonly #schema: StandardSchema
  readonly validate: Contract['validate']
  readonly strips: boolean
  #input: JsonSchema | undefined
  #output: JsonSchema | undefined

  constructor(schema: StandardSchema) {
    this.#schema = schema
    this.validate = schema['~standard'].validate
    this.strips = STRIPPING_VENDORS.has(schema['~standard'].vendor)
  }

  get input(): JsonSchema {
    return (this.#input ??= describe(this.#schema, 'input'))
  }

  get output(): JsonSchema {
    return (this.#output ??= describe(this.#schema, 'output'))
  }
}

/** Accepts a Standard Schema or a raw JSON Schema; anything else is a configuration error. */
export function contractOf(schema: unknown, role: string): Contract {
  if (isStandardSchema(schema)) return new StandardContract(schema)
  if (isRecord(schema)) {
    return { validate: compileJsonSchema(schema, role), strips: false, input: bare(schema), output: bare(schema) }
  }
  throw new ConfigurationError('invalid_schema', `${role} must be a Standard Schema or a JSON Schema object, not ${typeof schema}.`)
}

function describe(schema: StandardSchema, direction: Direction): JsonSchema {
  const { vendor, jsonSchema } = schema['~standard']
  try {
    if (jsonSchema !== undefined) return bare(jsonSchema[direction]({ target: 'draft-2020-12' }))
    if (vendor === 'valibot') return bare(describeValibot(schema, direction))
  } catch (cause) {
    if (cause instanceof ConfigurationError) throw cause
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new ConfigurationError('invalid_schema', `This ${vendor} schema has no JSON Schema for its ${direction}: ${why}`, { cause })
  }
  throw new ConfigurationError(
    'invalid_schema',
    `Schemas of '${vendor}' offer no JSON Schema, so a model could not be told what to send. Use a library that implements ~standard.jsonSchema, or a raw JSON Schema.`,
  )
}

interface ValibotConverter {
  readonly toJsonSchema: (schema: unknown, options: Record<string, unknown>) => Record<string, unknown>
}

function describeValibot(schema: StandardSchema, direction: Direction): JsonSchema {
  const converter = loadOptional<ValibotConverter>('@valibot/to-json-schema', 'to show valibot schemas to a model')
  return converter.toJsonSchema(schema, { target: 'draft-2020-12', typeMode: direction })
}

/** The dialect line says nothing to a model. */
function bare(schema: JsonSchema): JsonSchema {
  const { $schema: _dialect, ...rest } = schema
  return rest
}
