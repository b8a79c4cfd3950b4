import type { ErrorObject } from 'ajv'
import type { UnionIssue } from './describe-issues.ts'
import { compileSchema, type SchemaCheck } from './json-schema-engine.ts'
import { isRecord, type JsonSchema, unescapePointer } from './json-schema.ts'
import { isEndless, MAX_DEPTH, measure, nodesIn } from './measure.ts'
import { TooCostly, type Work } from './meter.ts'
import { SchemaError } from './schema-error.ts'
import { isStandardSchema, type StandardIssue, type StandardResult } from './standard-schema.ts'

interface CompiledJsonSchema {
  /** Gives a copy, with defaults: neither they nor whoever gets it write to a caller's object. */
  readonly validate: (value: unknown, size?: number) => StandardResult<unknown>
  /** The schema in the words of 2020-12. */
  readonly description: JsonSchema
}

/** Compiles a raw JSON Schema. Later changes to the author's object do not reach it. */
export function compileJsonSchema(given: JsonSchema, role: string): CompiledJsonSchema {
  const schema = copyOf(given, role)
  const { check, description } = compileSchema(schema, role)
  return {
    description,
    validate: (value, size = measure(value)) => boundedResult(check, value, { size, work: 'own' }),
  }
}

/** The result of a check in bounded steps. A value that takes more is not accepted. */
export function boundedResult(
  check: SchemaCheck,
  value: unknown,
  { size, work }: { readonly size: number; readonly work: Work },
): StandardResult<unknown> {
  if (isEndless(size)) return TOO_DEEP
  try {
    const checked = check.check(value, nodesIn(size), work)
    if (checked.errors === undefined) return checked
    return { issues: checked.first === undefined ? issuesOf(checked.errors) : cutIssues(checked.errors, checked.first) }
  } catch (error) {
    if (error instanceof TooCostly) return TOO_COSTLY
    throw error
  }
}

/** The answer for a value that cannot be walked through. */
export const TOO_DEEP: StandardResult<unknown> = {
  issues: [{ message: `it is nested too deeply (deeper than ${MAX_DEPTH} levels) or too large to check` }],
}

/** The answer for a value whose check takes too many steps. */
export const TOO_COSTLY: StandardResult<unknown> = {
  issues: [
    { message: 'it is too costly to check: too many options of the schema come into question. Send a smaller or less nested value' },
  ],
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
  return gather(withoutConditions(errors), '')
}

/** A search that was cut in the middle of a union has not looked at all of its options: these errors do not count. */
function cutIssues(errors: readonly ErrorObject[], first: readonly ErrorObject[]): readonly StandardIssue[] {
  const unions = errors.filter(isFailedUnion)
  const isWhole = (error: ErrorObject): boolean => !IN_UNION.test(error.schemaPath) || unions.some((union) => isInside(error, union))
  const whole = errors.filter(isWhole)
  return [...issuesOf(whole.length > 0 ? whole : first), { message: 'there may be more problems' }]
}

const IN_UNION = /\/(?:anyOf|oneOf)\//

/** A failed condition is told by the errors of its branch. */
function withoutConditions(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  return errors.filter(({ keyword }) => keyword !== 'if')
}

/** The engine lists the errors inside a union before the union. */
function gather(errors: readonly ErrorObject[], base: string): readonly StandardIssue[] {
  const issues: StandardIssue[] = []
  const left = [...errors]
  for (let last = left.pop(); last !== undefined; last = left.pop()) {
    if (isFailedUnion(last)) issues.push(unionIssue(last, takeInside(left, last), base))
    else issues.push(toIssue(last, base))
  }
  return issues.toReversed()
}

/** Takes the errors inside a union from the end of a list. They all concern the value of the union. */
function takeInside(left: ErrorObject[], union: ErrorObject): readonly ErrorObject[] {
  let start = left.length
  while (start > 0 && isAt(left[start - 1], union)) start--
  const tail = left.splice(start)
  left.push(...tail.filter((error) => !isInside(error, union)))
  return tail.filter((error) => isInside(error, union))
}

function isAt(error: ErrorObject | undefined, union: ErrorObject): boolean {
  return error !== undefined && `${error.instancePath}/`.startsWith(`${union.instancePath}/`)
}

/** A `oneOf` of which two options fit has no failure of an option to show. */
function isFailedUnion({ keyword, params }: ErrorObject): boolean {
  return UNIONS.has(keyword) && !(isRecord(params) && Array.isArray(params['passingSchemas']))
}

function isInside(error: ErrorObject, union: ErrorObject): boolean {
  return isAt(error, union) && error.schemaPath.startsWith(`${union.schemaPath}/`)
}

function unionIssue(union: ErrorObject, inside: readonly ErrorObject[], base: string): UnionIssue {
  const options = Map.groupBy(inside, ({ schemaPath }) => schemaPath.slice(union.schemaPath.length + 1).split('/')[0])
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
  const detail = Array.isArray(allowed) ? `: ${listOf(allowed)}` : ''
  return { code, message: `${error.message ?? 'is invalid'}${detail}`, path }
}

const LONGEST_LIST = 200

/** Only a part of a long list is shown, so only that part is written. */
function listOf(allowed: readonly unknown[]): string {
  const texts: string[] = []
  let length = 0
  for (const each of allowed) {
    const text = JSON.stringify(each)
    texts.push(text)
    length += text.length + 2
    if (length > LONGEST_LIST) break
  }
  return texts.length < allowed.length ? `${texts.join(', ')} and ${allowed.length - texts.length} more` : texts.join(', ')
}

/** The words by which `describeIssues` knows what rules an option out. */
const CODES: Readonly<Record<string, string>> = { const: 'invalid_value', enum: 'invalid_value', type: 'invalid_type' }
