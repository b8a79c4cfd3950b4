import type { ErrorObject } from 'ajv'
import type { UnionIssue } from './describe-issues.ts'
import { type Compiling, compileSchema, type SchemaCheck } from './json-schema-engine.ts'
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
export function compileJsonSchema(given: JsonSchema, role: string, when?: Compiling): CompiledJsonSchema {
  const schema = copyOf(given, role)
  const { check, description } = compileSchema(schema, role, when)
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
  return gather(errors).map((each) => issueOf(each, ''))
}

/** A search that was cut in the middle of a union has not looked at all of its options: these errors do not count. */
function cutIssues(errors: readonly ErrorObject[], first: readonly ErrorObject[]): readonly StandardIssue[] {
  const whole = gather(errors).filter(({ error }) => !IN_UNION.test(error.schemaPath))
  return [...(whole.length > 0 ? whole : gather(first)).map((each) => issueOf(each, '')), { message: 'there may be more problems' }]
}

const IN_UNION = /\/(?:anyOf|oneOf)\//

/** An error, and for a failed union those inside it. */
interface Found {
  readonly error: ErrorObject
  readonly inside: readonly Found[] | undefined
  isInside: boolean
}

/**
 * The engine lists the errors inside a union before the union: each goes into the innermost union around it. A failed condition is told by
 * the errors of its branch.
 */
function gather(errors: readonly ErrorObject[]): readonly Found[] {
  const all: Found[] = []
  /** By the path of a union, the errors inside it that it has not taken yet. */
  const open = new Map<string, Found[]>()
  for (const error of errors) {
    if (error.keyword === 'if') continue
    const found = { error, inside: isFailedUnion(error) ? take(open.get(error.schemaPath) ?? [], error) : undefined, isInside: false }
    all.push(found)
    for (const { index, 0: word } of error.schemaPath.matchAll(UNIONS_AROUND)) {
      const union = error.schemaPath.slice(0, index + word.length)
      const inside = open.get(union)
      if (inside === undefined) open.set(union, [found])
      else inside.push(found)
    }
  }
  return all.filter(({ isInside }) => !isInside)
}

const UNIONS_AROUND = /\/(?:anyOf|oneOf)(?=\/)/g

/** Takes the errors inside a union from the end of a list. They all concern the value of the union. */
function take(open: Found[], union: ErrorObject): readonly Found[] {
  const taken: Found[] = []
  for (let last = open.at(-1); last !== undefined && isAt(last.error, union); last = open.at(-1)) {
    if (!last.isInside) taken.push(last)
    last.isInside = true
    open.pop()
  }
  return taken.toReversed()
}

function isAt({ instancePath }: ErrorObject, union: ErrorObject): boolean {
  const { length } = union.instancePath
  return instancePath.startsWith(union.instancePath) && (instancePath.length === length || instancePath[length] === '/')
}

/** A `oneOf` of which two options fit has no failure of an option to show. */
function isFailedUnion({ keyword, params }: ErrorObject): boolean {
  return UNIONS.has(keyword) && !(isRecord(params) && Array.isArray(params['passingSchemas']))
}

function issueOf({ error, inside }: Found, base: string): StandardIssue | UnionIssue {
  if (inside === undefined) return toIssue(error, base)
  const options = Map.groupBy(inside, (each) => each.error.schemaPath.slice(error.schemaPath.length + 1).split('/')[0])
  return {
    ...toIssue(error, base),
    errors: Array.from(options.values(), (option) => option.map((each) => issueOf(each, error.instancePath))),
  }
}

/** Paths of the failures inside a union are counted from the union. */
function toIssue(error: ErrorObject, base: string): StandardIssue & { readonly code: string } {
  const path = segmentsOf(error.instancePath.slice(base.length))
  const params: Record<string, unknown> = isRecord(error.params) ? error.params : {}
  const missing = params['missingProperty']
  const code = CODES[error.keyword] ?? error.keyword
  if (typeof missing === 'string') return { code, message: 'is missing', path: [...path, missing] }
  const allowed = params['allowedValues'] ?? ('allowedValue' in params ? [params['allowedValue']] : undefined)
  const detail = Array.isArray(allowed) ? `: ${listOf(allowed)}` : ''
  return { code, message: `${error.message ?? 'is invalid'}${detail}`, path }
}

/** Of a JSON pointer. */
function segmentsOf(pointer: string): readonly string[] {
  const segments = pointer.split('/').slice(1)
  return pointer.includes('~') ? segments.map(unescapePointer) : segments
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
