import type { ErrorObject } from 'ajv'
import { privateCopy } from './private-copy.ts'
import type { UnionIssue } from './describe-issues.ts'
import { compileSchema } from './json-schema-engine.ts'
import { isRecord, type JsonSchema, unescapePointer } from './json-schema.ts'
import { SchemaError } from './schema-error.ts'
import { isStandardSchema, type StandardIssue, type StandardResult } from './standard-schema.ts'

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
      const copy = privateCopy(value)
      return check(copy) ? { value: copy } : { issues: issuesOf(check.errors ?? []) }
    },
  }
}

function copyOf(schema: JsonSchema, role: string): JsonSchema {
  const field = Object.keys(schema).find((key) => isStandardSchema(schema[key]))
  if (field !== undefined) {
    throw new SchemaError(
      'invalid_schema',
      `${role} is a plain object whose field '${field}' is a schema. Put the fields into an object schema, such as z.object({ ... }).`,
    )
  }
  try {
    return structuredClone(schema)
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new SchemaError('invalid_schema', `${role} is not a valid JSON Schema: ${why}`, { cause })
  }
}

const UNIONS: ReadonlySet<string> = new Set(['anyOf', 'oneOf'])

/** What an engine found, as issues. The failures of a union's options are gathered under the union. */
function issuesOf(errors: readonly ErrorObject[]): readonly StandardIssue[] {
  return gather(
    errors.filter(({ keyword }) => keyword !== 'if'),
    '',
  )
}

function gather(errors: readonly ErrorObject[], base: string): readonly StandardIssue[] {
  const unions = errors.filter(isFailedUnion)
  const outermost = unions.filter(({ schemaPath }) => !unions.some((other) => isWithin(schemaPath, other.schemaPath)))
  const inside = (error: ErrorObject): boolean => outermost.some(({ schemaPath }) => isWithin(error.schemaPath, schemaPath))
  return errors
    .filter((error) => !inside(error))
    .map((error) => (outermost.includes(error) ? unionIssue(error, errors, base) : toIssue(error, base)))
}

/** A `oneOf` of which two options fit has no failure of an option to show. */
function isFailedUnion({ keyword, params }: ErrorObject): boolean {
  return UNIONS.has(keyword) && !(isRecord(params) && Array.isArray(params['passingSchemas']))
}

function isWithin(schemaPath: string, union: string): boolean {
  return schemaPath.startsWith(`${union}/`)
}

function unionIssue(union: ErrorObject, errors: readonly ErrorObject[], base: string): UnionIssue {
  const options = new Map<string, ErrorObject[]>()
  for (const error of errors) {
    if (!isWithin(error.schemaPath, union.schemaPath) || !error.instancePath.startsWith(union.instancePath)) continue
    const option = error.schemaPath.slice(union.schemaPath.length + 1).split('/')[0] ?? ''
    options.set(option, [...(options.get(option) ?? []), error])
  }
  return { ...toIssue(union, base), errors: Array.from(options.values(), (each) => gather(each, union.instancePath)) }
}

/** Paths of the failures inside a union are counted from the union. */
function toIssue(error: ErrorObject, base: string): StandardIssue & { readonly code: string } {
  const path = error.instancePath.slice(base.length).split('/').slice(1).map(unescapePointer)
  const params: Record<string, unknown> = isRecord(error.params) ? error.params : {}
  const missing = params['missingProperty']
  const code = CODES[error.keyword] ?? error.keyword
  if (typeof missing === 'string') return { code, message: 'is missing', path: [...path, missing] }
  const allowed = params['allowedValues'] ?? ('allowedValue' in params ? [params['allowedValue']] : undefined)
  const detail = Array.isArray(allowed) ? `: ${allowed.map((each) => JSON.stringify(each)).join(', ')}` : ''
  return { code, message: `${error.message ?? 'is invalid'}${detail}`, path }
}

/** The words by which `describeIssues` knows what rules an option out. */
const CODES: Readonly<Record<string, string>> = { const: 'invalid_value', enum: 'invalid_value', type: 'invalid_type' }
