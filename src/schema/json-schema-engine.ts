import { createRequire } from 'node:module'
import type { Ajv, SchemaValidateFunction, ValidateFunction } from 'ajv'
import { fromDraft07, isDraft07 } from './from-draft-07.ts'
import { isRecord, isSameJson, type JsonSchema, someSubschema } from './json-schema.ts'
import { excerpt, quote } from './quote.ts'
import { SchemaError } from './schema-error.ts'

const require = createRequire(import.meta.url)

type Constructor = new (options: object) => Ajv

const OPTIONS = { allErrors: true, strict: false, useDefaults: true, validateFormats: false, ownProperties: true, logger: false }

/** An engine of its own for every schema: two tools may then use the same `$id`, and a tool that is dropped takes its schema along. */
const BARE = { ...OPTIONS, meta: false, validateSchema: false }

const LONGEST_REASON = 300

const MODULES = { 'draft-07': 'ajv', '2019-09': 'ajv/dist/2019.js', '2020-12': 'ajv/dist/2020.js' } as const

type Dialect = keyof typeof MODULES

/** By dialect, the engine that judges schemas. It keeps none. */
const judges = new Map<Dialect, Ajv>()

interface CompiledSchema {
  readonly check: ValidateFunction
  /** In the words of 2020-12, without the dialect line, which says nothing to a model. */
  readonly description: JsonSchema
}

/** Compiles a schema by the rules of its dialect; an invalid schema is a SchemaError. */
export function compileSchema(schema: JsonSchema, role: string): CompiledSchema {
  const dialect = dialectOf(schema, role)
  const { $schema: _dialect, ...bare } = schema
  try {
    const judge = judgeOf(dialect)
    if (judge.validateSchema(bare) === false) throw new Error(judge.errorsText(judge.errors, { dataVar: 'schema' }))
    if (someSubschema(bare, declaresPrototype)) throw new Error("a field cannot be named '__proto__'")
    const description = dialect === 'draft-07' ? fromDraft07(bare) : bare
    return { description, check: compileAlone(description, dialect === 'draft-07' ? '2020-12' : dialect) }
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

/** A schema that refers to the schema of schemas needs the slower engine that knows it. */
function compileAlone(schema: JsonSchema, dialect: Dialect): ValidateFunction {
  const Engine = engineOf(dialect)
  const prepare = someSubschema(schema, comparesObjects) ? compareByFields : (engine: Ajv) => engine
  try {
    return prepare(new Engine(BARE)).compile(schema)
  } catch (error) {
    if (error instanceof Error && 'missingRef' in error) return prepare(new Engine(OPTIONS)).compile(schema)
    throw error
  }
}

function judgeOf(dialect: Dialect): Ajv {
  let judge = judges.get(dialect)
  if (judge === undefined) {
    judge = new (engineOf(dialect))(OPTIONS)
    judges.set(dialect, judge)
  }
  return judge
}

/** ajv is loaded when the first JSON Schema is met: a root import stays light. */
function engineOf(dialect: Dialect): Constructor {
  return (require(MODULES[dialect]) as { default: Constructor }).default
}

/** Schemas in which objects and lists are compared with one another. */
function comparesObjects(schema: JsonSchema): boolean {
  const { const: constant, enum: options } = schema
  return schema['uniqueItems'] === true || isComposite(constant) || (Array.isArray(options) && options.some(isComposite))
}

function isComposite(value: unknown): boolean {
  return isRecord(value) || Array.isArray(value)
}

/** Gives an engine a comparison for any JSON: its own calls methods of objects, which may be missing or come from the input. */
function compareByFields(engine: Ajv): Ajv {
  const rules = {
    const: rule('const', (expected, value) =>
      isSameJson(expected, value) ? undefined : { message: 'must be equal to constant', params: { allowedValue: expected } },
    ),
    enum: rule('enum', (options, value) =>
      (options as readonly unknown[]).some((each) => isSameJson(each, value))
        ? undefined
        : { message: 'must be equal to one of the allowed values', params: { allowedValues: options } },
    ),
    uniqueItems: rule('uniqueItems', (isOn, value) => (isOn === true && Array.isArray(value) ? duplicate(value) : undefined)),
  }
  for (const [keyword, validate] of Object.entries(rules)) engine.removeKeyword(keyword).addKeyword({ keyword, validate, errors: true })
  return engine
}

interface Misfit {
  readonly message: string
  readonly params: Record<string, unknown>
}

/** The engine reads what is wrong off the function. */
function rule(keyword: string, judge: (schema: unknown, value: unknown) => Misfit | undefined): SchemaValidateFunction {
  const validate: SchemaValidateFunction = (schema: unknown, value: unknown) => {
    const misfit = judge(schema, value)
    validate.errors = misfit === undefined ? [] : [{ keyword, ...misfit }]
    return misfit === undefined
  }
  return validate
}

/** Items other than objects and lists are looked up; these are compared one with the other. */
function duplicate(items: readonly unknown[]): Misfit | undefined {
  const simple = new Map<unknown, number>()
  const composite: number[] = []
  for (const [index, item] of items.entries()) {
    const before = isComposite(item) ? composite.find((each) => isSameJson(items[each], item)) : simple.get(item)
    if (before !== undefined) {
      const message = `must NOT have duplicate items (items ## ${before} and ${index} are identical)`
      return { message, params: { i: index, j: before } }
    }
    if (isComposite(item)) composite.push(index)
    else simple.set(item, index)
  }
  return undefined
}
