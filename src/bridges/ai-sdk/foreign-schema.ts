import type { Schema } from 'ai'
import { isRecord, type JsonSchema } from '../../schema/json-schema.ts'
import { isStandardSchema, type StandardIssue, type StandardResult, type StandardSchema } from '../../schema/standard-schema.ts'
import { jsonSchema } from '../../tool/contract.ts'
import { ConfigurationError } from '../../tool/errors/configuration-error.ts'
import { loadOptional } from '../../tool/import-optional.ts'
import { AI_SCHEMA } from './exact-schema.ts'

interface AiModule {
  readonly asSchema: (schema: unknown) => Schema
}

/** A schema of an AI SDK tool, of any of the kinds that the SDK takes, as one that our tools take. */
export function foreignSchema(given: unknown, role: string): StandardSchema {
  if (isStandardSchema(given)) return isDescribed(given) ? given : standardOf(describedByAi(given), role)
  if (isAiSchema(given)) return standardOf(given, role)
  if (typeof given === 'function') return foreignSchema((given as () => unknown)(), role)
  throw new ConfigurationError(
    'invalid_schema',
    `${role} must be a schema that the AI SDK takes: of zod, of jsonSchema(), or a Standard Schema.`,
  )
}

function isDescribed({ '~standard': { vendor, jsonSchema: described } }: StandardSchema): boolean {
  return described !== undefined || vendor !== 'zod'
}

/** A schema of zod 3, which only the SDK can describe. */
function describedByAi(schema: unknown): Schema {
  return loadOptional<AiModule>('ai', 'to describe schemas of zod 3').asSchema(schema)
}

function isAiSchema(value: unknown): value is Schema {
  return isRecord(value) && (value as Record<symbol, unknown>)[AI_SCHEMA] === true && 'jsonSchema' in value
}

/** Without a validator of its own, a schema is checked as the JSON Schema that it shows. */
function standardOf({ jsonSchema: shown, validate }: Schema, role: string): StandardSchema {
  if (isThenable(shown))
    throw new ConfigurationError('invalid_schema', `${role} is a promise of a JSON Schema. Wait for it, and pass jsonSchema(await it).`)
  const described = jsonSchema(shown as JsonSchema)
  if (validate === undefined) return described
  const judge = (value: unknown): StandardResult<unknown> | Promise<StandardResult<unknown>> => {
    const verdict = validate(value)
    return isThenable(verdict) ? Promise.resolve(verdict).then(resultOf) : resultOf(verdict)
  }
  return { '~standard': { ...described['~standard'], vendor: 'ai-sdk', validate: judge } }
}

type Verdict = Awaited<ReturnType<NonNullable<Schema['validate']>>>

function resultOf(verdict: Verdict): StandardResult<unknown> {
  return verdict.success ? { value: verdict.value } : { issues: issuesOf(verdict.error) }
}

/** The SDK wraps what a library found; the library's own list says it better, and does not repeat the value. */
function issuesOf(error: Error): readonly StandardIssue[] {
  for (const found of [error, error.cause]) {
    const issues: unknown = Array.isArray(found) ? found : isRecord(found) ? found['issues'] : undefined
    if (Array.isArray(issues) && issues.every((each) => isRecord(each) && typeof each['message'] === 'string'))
      return issues as StandardIssue[]
  }
  return [{ message: error.cause instanceof Error ? error.cause.message : error.message }]
}

function isThenable<T>(value: T | PromiseLike<T>): value is PromiseLike<T> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function'
}
