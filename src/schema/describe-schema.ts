import { isRecord, type JsonSchema } from './json-schema.ts'
import { SchemaError } from './schema-error.ts'
import packages from './schema-packages.cjs'
import type { StandardSchema } from './standard-schema.ts'

type Direction = 'input' | 'output'

/** The JSON Schema of a schema of another library. What the library cannot say is a SchemaError. */
export function describeExactly(schema: StandardSchema, direction: Direction): JsonSchema {
  const { vendor } = schema['~standard']
  try {
    const described = describe(schema, { direction, exact: true })
    if (described !== undefined) return described
  } catch (cause) {
    if (cause instanceof SchemaError) throw cause
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new SchemaError('invalid_schema', `This ${vendor} schema has no JSON Schema for its ${direction}: ${why}`, { cause })
  }
  throw new SchemaError(
    'invalid_schema',
    `Schemas of '${vendor}' offer no JSON Schema, so a model could not be told what to send. Use a library that implements ~standard.jsonSchema, or a raw JSON Schema.`,
  )
}

/** The same with `{}`, which is anything, in place of what the library cannot say. Never fails. */
export function describeLoosely(schema: StandardSchema, direction: Direction): JsonSchema {
  try {
    return describe(schema, { direction, exact: false }) ?? {}
  } catch {
    return {}
  }
}

interface Wish {
  readonly direction: Direction
  readonly exact: boolean
}

const TARGET = 'draft-2020-12'

function describe(schema: StandardSchema, wish: Wish): JsonSchema | undefined {
  const { vendor, jsonSchema } = schema['~standard']
  if (vendor === 'valibot' && jsonSchema === undefined) return bare(describeValibot(schema, wish))
  if (vendor === 'arktype' && wish.direction === 'input' && offersJsonSchema(schema)) return bare(describeArktype(schema, wish))
  if (jsonSchema === undefined) return undefined
  const libraryOptions = vendor === 'zod' && !wish.exact ? { unrepresentable: 'any' } : undefined
  return bare(jsonSchema[wish.direction]({ target: TARGET, ...(libraryOptions === undefined ? {} : { libraryOptions }) }))
}

/** Plain data, and without the dialect line, which says nothing to a model. */
function bare(schema: JsonSchema): JsonSchema {
  const { $schema: _dialect, ...rest } = JSON.parse(JSON.stringify(schema)) as JsonSchema
  return rest
}

interface ValibotAction {
  readonly kind: string
  readonly type: string
}
interface Conversion {
  readonly jsonSchema: JsonSchema
  readonly errors?: readonly string[] | undefined
}

/** Transformations of a string to a string; all others may change the type. */
const STRING_TRANSFORMATIONS = ['trim', 'trim_start', 'trim_end', 'to_lower_case', 'to_upper_case', 'normalize']

/** A check that JSON Schema has no word for is left out: the tool itself still makes it. */
function describeValibot(schema: StandardSchema, { direction, exact }: Wish): JsonSchema {
  return valibotConverter().toJsonSchema(schema, {
    target: TARGET,
    typeMode: direction,
    overrideAction: ({ valibotAction: { kind, type }, jsonSchema }: Conversion & { valibotAction: ValibotAction }): JsonSchema =>
      direction === 'output' && kind === 'transformation' && !STRING_TRANSFORMATIONS.includes(type) ? {} : jsonSchema,
    overrideSchema: ({ valibotSchema: { type }, jsonSchema, errors }: Conversion & { valibotSchema: ValibotAction }) => {
      if (errors !== undefined && !exact) return {}
      return type === 'loose_object' ? { ...jsonSchema, additionalProperties: {} } : undefined
    },
  })
}

/** An optional package, loaded on first use. */
function valibotConverter(): ReturnType<typeof packages.valibot> {
  const name = '@valibot/to-json-schema'
  try {
    return packages.valibot()
  } catch (cause) {
    throw new SchemaError('missing_package', `Install '${name}' to show valibot schemas to a model: npm install ${name}`, { cause })
  }
}

interface ArktypeSchema {
  readonly toJsonSchema: (options: Readonly<Record<string, unknown>>) => Record<string, unknown>
}

function offersJsonSchema(schema: unknown): schema is ArktypeSchema {
  return typeof schema === 'function' && 'toJsonSchema' in schema && typeof schema.toJsonSchema === 'function'
}

/** The protocol's own method leaves out defaults. */
function describeArktype(schema: ArktypeSchema, { exact }: Wish): JsonSchema {
  const base = (met: unknown): unknown => (isRecord(met) ? (met['base'] ?? {}) : {})
  const refuse = (met: unknown): never => {
    throw new Error(`JSON Schema has no word for this kind of schema: ${isRecord(met) ? String(met['code']) : 'unknown'}.`)
  }
  const none = (): undefined => undefined
  const fallback = { morph: base, predicate: base, defaultValue: none, default: exact ? refuse : base }
  return schema.toJsonSchema({ target: TARGET, fallback })
}
