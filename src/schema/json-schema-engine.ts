import type { Ajv, ErrorObject, ValidateFunction } from 'ajv'
import { countSteps, EnoughErrors, stepsOf, withCounters } from './counted-keywords.ts'
import { fromDraft07, isDraft07 } from './from-draft-07.ts'
import { isComposite } from './json-key.ts'
import { isRecord, type JsonSchema, mapSubschemas, someSubschema } from './json-schema.ts'
import { hasLazyDefinitions, withLazyDefinitions } from './lazy-definitions.ts'
import { linearPattern } from './linear-pattern.ts'
import { Meter, TooCostly, type Work } from './meter.ts'
import { privateCopy } from './private-copy.ts'
import { excerpt, quote } from './quote.ts'
import { SchemaError } from './schema-error.ts'
import packages from './schema-packages.cjs'

const OPTIONS = { strict: false, useDefaults: true, validateFormats: false, ownProperties: true, logger: false }

/** An engine of its own for every schema: two tools may then use the same `$id`, and a tool that is dropped takes its schema along. */
const BARE = { ...OPTIONS, meta: false, validateSchema: false }

const LONGEST_REASON = 300

type Dialect = 'draft-07' | '2019-09' | '2020-12'

/** By dialect, the engine that judges schemas. It keeps none. */
const judges = new Map<Dialect, Ajv>()

interface CompiledSchema {
  readonly check: SchemaCheck
  /** In the words of 2020-12, without the dialect line, which says nothing to a model. */
  readonly description: JsonSchema
}

/** When the definitions of a schema are compiled: at once, or, where the schema is known to be valid, when a value first reaches them. */
export type Compiling = 'at once' | 'on use'

/** Compiles a schema by the rules of its dialect; an invalid schema is a SchemaError. */
export function compileSchema(schema: JsonSchema, role: string, when: Compiling = 'at once'): CompiledSchema {
  const dialect = dialectOf(schema, role)
  const { $schema: _dialect, ...bare } = schema
  // Outside: an engine that cannot be loaded is no fault of the schema.
  const judge = judgeOf(dialect)
  try {
    if (judge.validateSchema(bare) === false) throw new Error(judge.errorsText(judge.errors, { dataVar: 'schema' }))
    if (someSubschema(bare, declaresPrototype)) throw new Error("a field cannot be named '__proto__'")
    const description = dialect === 'draft-07' ? fromDraft07(bare) : bare
    return { description, check: new SchemaCheck(description, dialect === 'draft-07' ? '2020-12' : dialect, when) }
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new SchemaError('invalid_schema', `${role} is not a valid JSON Schema: ${excerpt(why, LONGEST_REASON)}`, { cause })
  }
}

function declaresPrototype({ properties }: JsonSchema): boolean {
  return isRecord(properties) && Object.hasOwn(properties, '__proto__')
}

function dialectOf({ $schema: line }: JsonSchema, role: string): Dialect {
  if (line === undefined) return '2020-12'
  if (isDraft07(line)) return 'draft-07'
  if (typeof line === 'string') {
    if (line.includes('2019-09')) return '2019-09'
    if (line.includes('2020-12')) return '2020-12'
  }
  throw new SchemaError(
    'invalid_schema',
    `${role} is not a valid JSON Schema: its $schema is ${quote(line)}. Use 2020-12 or draft-07, or leave it out for 2020-12.`,
  )
}

/** Keywords by which several schemas may look at the same value. Without them a check is linear by itself. */
const BRANCHING = [
  ...['$dynamicRef', '$recursiveRef', '$ref', 'allOf', 'anyOf', 'contains', 'dependencies', 'dependentSchemas', 'if', 'not', 'oneOf'],
  ...['patternProperties', 'propertyNames', 'unevaluatedItems', 'unevaluatedProperties'],
]

/** A copy of the value with its defaults, or its problems. */
export type Checked =
  | { readonly value: unknown; readonly errors?: undefined }
  | {
      readonly errors: readonly ErrorObject[]
      /** The first problem and all that belongs to it, where the search for more was cut. */
      readonly first?: readonly ErrorObject[] | undefined
    }

/** The most errors that are looked at. The last one of the first problem names the whole. */
const MOST_ERRORS = 5000
const MOST_OF_FIRST = 300

/** The share of the steps for all problems. The first one may take them all. */
const SHARE_OF_ALL = { own: 0.25, library: 0.5 } as const

/** Checks values by a schema in a bounded number of steps. */
export class SchemaCheck {
  readonly #schema: JsonSchema
  readonly #dialect: Dialect
  readonly #meter = new Meter()
  /** Whether several schemas inside may look at the same value, so that the check could take more than linear time. */
  readonly #branches: boolean
  /** Whether a check writes defaults into the value. */
  readonly #fillsIn: boolean
  /** Whether definitions are compiled when a value first reaches them. */
  readonly #isLazy: boolean
  /** Looks for all problems. If the schema branches, it gives up when there are too many. */
  readonly #all: ValidateFunction
  /** Stops at the first problem. Compiled when the other has given up for the first time. */
  #first: ValidateFunction | undefined

  constructor(schema: JsonSchema, dialect: Dialect, when: Compiling = 'at once') {
    this.#schema = schema
    this.#dialect = dialect
    this.#branches = someSubschema(schema, branches) && (someSubschema(schema, repeats) || weightOf(schema) > MOST_ONCE)
    this.#fillsIn = someSubschema(schema, (each) => 'default' in each)
    this.#isLazy = when === 'on use' && hasLazyDefinitions(schema)
    this.#all = this.#compile(true)
  }

  /** The steps of the last check. */
  get steps(): number {
    return this.#meter.spent
  }

  /**
   * Gives a private copy, unless a library is to judge the value afterwards. Throws TooCostly where it cannot be said in time whether the
   * value fits.
   */
  check(value: unknown, nodes: number, work: Work): Checked {
    const own = work === 'library' && !this.#fillsIn ? value : privateCopy(value)
    this.#meter.start(nodes, work, SHARE_OF_ALL[work])
    let found: readonly unknown[]
    try {
      if (this.#all(own)) return { value: own }
      const errors = this.#all.errors ?? []
      return errors.length > MOST_ERRORS ? { errors: errors.slice(0, MOST_ERRORS), first: errors.slice(0, 1) } : { errors }
    } catch (error) {
      if (!(error instanceof EnoughErrors) && !(error instanceof TooCostly)) throw error
      found = error instanceof EnoughErrors ? error.errors : []
    }
    this.#meter.start(nodes, work)
    return this.#checkFirst(this.#fillsIn ? privateCopy(value) : own, found as readonly ErrorObject[])
  }

  /** Whether a library that looks for all problems of all options can do so in time. The value is not changed. */
  isSoonExhausted(value: unknown, nodes: number): boolean {
    this.#meter.start(nodes, 'library')
    try {
      this.#all(this.#fillsIn ? privateCopy(value) : value)
      return true
    } catch (error) {
      if (error instanceof EnoughErrors || error instanceof TooCostly) return false
      throw error
    }
  }

  #checkFirst(own: unknown, errors: readonly ErrorObject[]): Checked {
    this.#first ??= this.#compile(false, tagsFirst(this.#schema))
    return this.#first(own) ? { value: own } : { errors, first: (this.#first.errors ?? []).slice(-MOST_OF_FIRST) }
  }

  /** A schema that refers to the schema of schemas needs the slower engine that knows it. */
  #compile(allErrors: boolean, schema = this.#schema): ValidateFunction {
    try {
      return this.#engine({ ...BARE, allErrors }, schema)
    } catch (error) {
      if (error instanceof Error && 'missingRef' in error) return this.#engine({ ...OPTIONS, allErrors }, schema)
      throw error
    }
  }

  #engine(options: object, schema: JsonSchema): ValidateFunction {
    const { default: Engine } = packages[this.#dialect]()
    const everything = this.#branches
    const engine = new Engine({ ...options, code: { regExp: this.#regExp } })
    // Otherwise the engine tries all options of a union to learn which fields they evaluate, though nothing asks for them.
    if (!JSON.stringify(this.#schema).includes('"unevaluated')) Object.assign(engine.opts, { unevaluated: false })
    const nameless = someSubschema(this.#schema, requiresNameless)
    if (everything || nameless) countSteps(engine, { code: packages['draft-07']()._, meter: this.#meter, everything, nameless })
    const counted = everything ? withCounters(schema) : schema
    return engine.compile(this.#isLazy ? withLazyDefinitions(engine, counted, packages['draft-07']()._) : counted)
  }

  /** The engine tells patterns apart by their text. */
  readonly #regExp = Object.assign(
    (source: string): object => {
      const pattern = linearPattern(source)
      return { test: (text: string) => pattern.test(text, this.#meter), toString: () => source }
    },
    { code: 'linearPattern' },
  )
}

/** Under names that the input chooses, each error repeats a name that may be long: they are counted too. */
function branches(schema: JsonSchema): boolean {
  const { items, additionalProperties } = schema
  if (compares(schema) || isRecord(additionalProperties) || BRANCHING.some((keyword) => keyword in schema)) return true
  return isRecord(items) && weightOf(items) > MOST_OF_ITEM
}

/** Without these, each rule is applied once at most. */
const REPEATING = [
  ...['$dynamicRef', '$recursiveRef', '$ref', 'additionalItems', 'contains', 'items', 'patternProperties', 'propertyNames'],
  ...['unevaluatedItems', 'unevaluatedProperties'],
]

function repeats(schema: JsonSchema): boolean {
  return compares(schema) || isRecord(schema['additionalProperties']) || REPEATING.some((keyword) => keyword in schema)
}

/** The most rules that are applied once and not counted. */
const MOST_ONCE = 200
/** The most rules of an item that are not counted. */
const MOST_OF_ITEM = 64
/** Each missing field is a problem of its own. */
const WEIGHT_OF_FIELD = 3

function weightOf(schema: JsonSchema): number {
  const { ofAny, ofObject } = stepsOf(schema)
  let weight = ofAny + WEIGHT_OF_FIELD * ofObject
  mapSubschemas(schema, (subschema) => {
    weight += weightOf(subschema)
    return subschema
  })
  return weight
}

function requiresNameless({ required, dependentRequired }: JsonSchema): boolean {
  return [required, ...Object.values(isRecord(dependentRequired) ? dependentRequired : {})].some(
    (names) => Array.isArray(names) && names.includes(''),
  )
}

/** An option of a union is then left at its tag, before the levels below it are looked at. */
function tagsFirst(schema: JsonSchema): JsonSchema {
  const inside = mapSubschemas(schema, tagsFirst)
  const { properties } = inside
  if (!isRecord(properties)) return inside
  const [tags, others] = [true, false].map((isTag) => Object.entries(properties).filter(([, field]) => isTagged(field) === isTag))
  return { ...inside, properties: Object.fromEntries([...(tags ?? []), ...(others ?? [])]) }
}

/** Whether a field takes listed values only. */
export function isTagged(field: unknown): boolean {
  return isRecord(field) && ('const' in field || 'enum' in field)
}

const LONGEST_LIST = 50

/** Schemas that compare values in ways that the engine does slowly, or by calling methods of the input. */
function compares({ uniqueItems, const: constant, enum: options }: JsonSchema): boolean {
  if (uniqueItems === true || isComposite(constant)) return true
  return Array.isArray(options) && (options.length > LONGEST_LIST || options.some(isComposite))
}

function judgeOf(dialect: Dialect): Ajv {
  let judge = judges.get(dialect)
  if (judge === undefined) {
    const { default: Engine } = packages[dialect]()
    judge = new Engine({ ...OPTIONS, allErrors: true })
    judges.set(dialect, judge)
  }
  return judge
}
