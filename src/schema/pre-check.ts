import { boundedResult, TOO_COSTLY, TOO_DEEP } from './compile-json-schema.ts'
import type { Excess } from './excess.ts'
import { compileSchema, isTagged, type SchemaCheck } from './json-schema-engine.ts'
import { dereference, isRecord, type JsonSchema, mapSubschemas, someSubschema } from './json-schema.ts'
import { linearPattern } from './linear-pattern.ts'
import { exceeds, hasLongText, isDeep, isEndless, nodesIn } from './measure.ts'
import type { StandardResult } from './standard-schema.ts'

/** Inputs with fewer values in them are left to the library, unless they are deep. */
const MANY_NODES = 250

/** Whether a value is so large or deep, or a text in it so long, that a library could take long to check it. */
export function needsPreCheck(size: number): boolean {
  return exceeds(size, MANY_NODES)
}

interface Described {
  readonly schema: JsonSchema
  readonly vendor: string
  /** The rules that the JSON Schema does not show. */
  readonly excess: readonly Excess[]
}

/** Libraries that go on in an option of a union when one of its fields does not fit. Others stop at its tag. */
const EXHAUSTIVE: ReadonlySet<string> = new Set(['valibot'])

/** Libraries whose rules beyond the JSON Schema are known. */
const KNOWN: ReadonlySet<string> = new Set(['arktype', 'json-schema', 'valibot', 'zod'])

/**
 * Judges a large or deep value by the structure of its schema before the library does, in bounded steps. A library lists every problem of
 * every option, which takes seconds for 64 KB. Long texts are judged by the patterns on which the engine of JavaScript could take long.
 */
export class PreCheck {
  readonly #schema: JsonSchema
  /** Compiled when it is first needed; null if it cannot be. */
  #check: SchemaCheck | null | undefined
  readonly #multiplies: boolean
  readonly #hasSlowPatterns: boolean
  /** The library takes nothing that the structure refuses. */
  readonly #decides: boolean
  readonly #isExhaustive: boolean

  constructor({ schema, vendor, excess }: Described) {
    this.#multiplies = multiplies(schema)
    this.#decides = KNOWN.has(vendor) && !excess.some(({ takes }) => takes)
    this.#hasSlowPatterns = someSubschema(schema, hasSlowPattern)
    this.#isExhaustive = this.#multiplies && EXHAUSTIVE.has(vendor)
    this.#schema = schema
  }

  /** The problems of the value; undefined where the library decides. */
  refusal(value: unknown, size: number): StandardResult<unknown> | undefined {
    if (isEndless(size)) return this.#multiplies ? TOO_DEEP : undefined
    if (!this.#isCostly(size)) return undefined
    this.#check ??= checkOf(this.#schema)
    if (this.#check === null) return undefined
    const result = boundedResult(this.#check, value, { size, work: 'library' })
    if (result === TOO_COSTLY || (this.#decides && result.issues !== undefined)) return result
    return this.#isExhaustive && !this.#check.isSoonExhausted(value, nodesIn(size)) ? TOO_COSTLY : undefined
  }

  #isCostly(size: number): boolean {
    return nodesIn(size) > MANY_NODES || (this.#multiplies && isDeep(size)) || (this.#hasSlowPatterns && hasLongText(size))
  }
}

function checkOf(schema: JsonSchema): SchemaCheck | null {
  try {
    return compileSchema(structureOf(schema), 'It').check
  } catch {
    return null
  }
}

/** Rules that libraries do not check quite as JSON Schema says. */
const INEXACT = ['default', 'format', 'maxLength', 'minLength', 'multipleOf', 'uniqueItems']

function structureOf(schema: JsonSchema): JsonSchema {
  const { ...structure } = mapSubschemas(schema, structureOf) as Record<string, unknown>
  for (const keyword of INEXACT) delete structure[keyword]
  if (!hasSlowPattern(schema)) delete structure['pattern']
  return decidedByTag(structure)
}

/** Libraries look at the one option of a tagged union that has the tag. */
function decidedByTag(schema: JsonSchema): JsonSchema {
  const { oneOf, ...others } = schema
  const options = Array.isArray(oneOf) ? oneOf.filter(isRecord) : []
  const name = Object.keys(fieldsOf(options[0])).find((each) => options.every((option) => isTagged(fieldsOf(option)[each])))
  if (name === undefined) return schema
  const tagged = options.map((option) => ({ if: { not: onlyWith(name, fieldsOf(option)[name]) }, else: option }))
  return { allOf: [others, onlyWith(name, { anyOf: options.map((option) => fieldsOf(option)[name]) }), ...tagged] }
}

function onlyWith(name: string, field: unknown): JsonSchema {
  return { type: 'object', properties: { [name]: field }, required: [name] }
}

function fieldsOf(schema: JsonSchema | undefined): Readonly<Record<string, unknown>> {
  return isRecord(schema?.['properties']) ? schema['properties'] : {}
}

/** A pattern that a library runs slowly on a long text. Other patterns are left to the library. */
function hasSlowPattern({ pattern }: JsonSchema): boolean {
  try {
    return typeof pattern === 'string' && linearPattern(pattern).isFasterHere
  } catch {
    return false
  }
}

/** Unions inside one another whose ways a library may try all. */
const MOST_NESTED = 3

/** Whether a union can be an option of itself further down, or many stand inside one another: the ways then multiply with each level. */
function multiplies(root: JsonSchema): boolean {
  const open = new Set<JsonSchema>()
  const done = new Set<JsonSchema>()
  let unions = 0
  const visit = (schema: JsonSchema): boolean => {
    if (open.has(schema)) return unions > 0
    if (done.has(schema)) return false
    open.add(schema)
    const isUnion = BRANCHES.some((keyword) => isRecord(schema[keyword]) || (Array.isArray(schema[keyword]) && schema[keyword].length > 1))
    if (isUnion) unions++
    let found = unions > MOST_NESTED
    const look = (part: JsonSchema): JsonSchema => {
      found ||= visit(part)
      return part
    }
    mapSubschemas(schema, look)
    const target = dereference(schema['$ref'], root)
    if (target !== undefined) look(target)
    if (isUnion) unions--
    open.delete(schema)
    done.add(schema)
    return found
  }
  return visit(root)
}

const BRANCHES = ['allOf', 'anyOf', 'if', 'oneOf']
