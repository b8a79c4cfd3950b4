import type { _, Ajv, CodeKeywordDefinition, FuncKeywordDefinition, JSONType, KeywordDefinition } from 'ajv'
import { isComposite, jsonKey } from './json-key.ts'
import { isRecord, type JsonSchema } from './json-schema.ts'
import { Meter } from './meter.ts'

/** A keyword of our own: it counts the steps of the schema that holds it. */
const STEP = 'toolwright:step'

/** The most problems that one part of a schema gathers. */
const MOST_ERRORS = 100

/** The check has found enough problems. It carries those that it had. */
export class EnoughErrors extends Error {
  readonly errors: readonly unknown[]

  constructor(errors: readonly unknown[]) {
    super('enough errors')
    this.errors = errors
  }
}

/** Values that are no schemas. */
const DATA: ReadonlySet<string> = new Set(['$vocabulary', 'const', 'default', 'dependentRequired', 'enum', 'examples', 'required', 'type'])
/** Names, and the schema of each. */
const NAMED: ReadonlySet<string> = new Set(['$defs', 'definitions', 'dependencies', 'dependentSchemas', 'patternProperties', 'properties'])

/**
 * The schema with a counter in each schema inside it, in unknown keywords too: a reference may lead there. A schema that fails at once does
 * not reach its counter, so each counts those directly inside it as well.
 */
export function withCounters(schema: JsonSchema): JsonSchema {
  const { ofAny, ofObject } = stepsOf(schema)
  const loops = LOOPS.filter((keyword) => keyword in schema).length
  const counted: Record<string, unknown> = { [STEP]: { ofAny, ofObject, loops } satisfies Steps }
  for (const [keyword, value] of Object.entries(schema)) counted[keyword] = DATA.has(keyword) ? value : inside(value, NAMED.has(keyword))
  return counted
}

/** Keywords that look at each field. */
const LOOPS = ['additionalProperties', 'maxProperties', 'minProperties', 'patternProperties', 'propertyNames', 'unevaluatedProperties']

function inside(value: unknown, areNames: boolean): unknown {
  if (Array.isArray(value)) return value.map((each) => inside(each, false))
  if (!isRecord(value)) return value
  return areNames ? Object.fromEntries(Object.entries(value).map(([name, each]) => [name, inside(each, false)])) : withCounters(value)
}

/** The steps that a schema itself takes for each value, and for each object beside them. */
export function stepsOf(schema: JsonSchema): { readonly ofAny: number; readonly ofObject: number } {
  let ofAny = 1
  let ofObject = 0
  for (const [keyword, value] of Object.entries(schema)) {
    if (keyword === 'required' && Array.isArray(value)) ofObject += value.length
    else if (Array.isArray(value)) ofAny += DATA.has(keyword) ? 0 : value.length
    else if (!isRecord(value)) continue
    else if (keyword === 'dependentRequired') ofObject += Object.values(value).flat().length
    else if (NAMED.has(keyword)) ofObject += Math.ceil(Object.values(value).reduce<number>((sum, each) => sum + stepsPerField(each), 0))
  }
  return { ofAny, ofObject }
}

/** A default is written into each object. A field that is missing takes half a step. */
function stepsPerField(schema: unknown): number {
  return isRecord(schema) && 'default' in schema ? 4 : 0.5
}

/** Gives an engine keywords that compare in linear time, and with `everything` the counter and lengths that count too. */
export function countSteps(engine: Ajv, { code, meter, everything, nameless }: Counting): Ajv {
  const replaced = [
    ruleFor('const', [], (expected) => {
      const isExpected = oneOf([expected], meter)
      const misfit = { message: 'must be equal to constant', params: { allowedValue: expected } }
      return (value) => (isExpected(value) ? undefined : misfit)
    }),
    ruleFor('enum', [], (options) => {
      const isOption = oneOf(options as readonly unknown[], meter)
      const misfit = { message: 'must be equal to one of the allowed values', params: { allowedValues: options } }
      return (value) => (isOption(value) ? undefined : misfit)
    }),
    ruleFor('uniqueItems', ['array'], (isOn) => (items) => (isOn === true ? duplicate(items as readonly unknown[], meter) : undefined)),
    ...(everything ? lengths(meter) : []),
    ...(nameless ? [required, dependentRequired] : []),
  ]
  for (const definition of replaced) engine.removeKeyword(String(definition.keyword)).addKeyword(definition)
  return everything ? engine.addKeyword(counter(code, meter)) : engine
}

type Code = typeof _

interface Counting {
  /** The function by which the engine writes code. */
  readonly code: Code
  readonly meter: Meter
  /** Some check may take more than linear time. */
  readonly everything: boolean
  /** A field with the empty name is required: the engine overlooks it. */
  readonly nameless: boolean
}

const required = ruleFor('required', ['object'], (names) => (value) => missing(names, value))

const dependentRequired = ruleFor('dependentRequired', ['object'], (needs) => (value) => {
  for (const [name, names] of Object.entries(needs as object)) {
    const misfit = Object.hasOwn(value as object, name) ? missing(names, value) : undefined
    if (misfit !== undefined) return misfit
  }
  return undefined
})

function missing(names: unknown, value: unknown): Misfit | undefined {
  const name = (names as readonly string[]).find((each) => !Object.hasOwn(value as object, each))
  return name === undefined ? undefined : { message: `must have required property '${name}'`, params: { missingProperty: name } }
}

function lengths(meter: Meter): readonly KeywordDefinition[] {
  return [
    ruleFor('minLength', ['string'], (least) => {
      const misfit = { message: `must NOT have fewer than ${String(least)} characters`, params: { limit: least } }
      return (text) => (hasFewer(text as string, Number(least), meter) ? misfit : undefined)
    }),
    ruleFor('maxLength', ['string'], (most) => {
      const misfit = { message: `must NOT have more than ${String(most)} characters`, params: { limit: most } }
      return (text) => (hasFewer(text as string, Number(most) + 1, meter) ? undefined : misfit)
    }),
  ]
}

const STEPS_PER_LOOK_UP = 2

/** Looks a value up, whatever the number of the options. */
function oneOf(options: readonly unknown[], meter: Meter): (value: unknown) => boolean {
  const keys = new Set(options.map((each) => (isComposite(each) ? undefined : each)))
  const composites = new Set(options.filter(isComposite).map((each) => jsonKey(each, new Meter())))
  return (value) => {
    meter.spend(STEPS_PER_LOOK_UP)
    return isComposite(value) ? composites.size > 0 && composites.has(jsonKey(value, meter)) : value !== undefined && keys.has(value)
  }
}

/** Reads the number of problems so far off the code around it. */
function counter(code: Code, meter: Meter): CodeKeywordDefinition {
  const count = ({ ofAny, ofObject, loops }: Steps, value: unknown, errors: readonly unknown[] | null): void => {
    let steps = errors === null ? ofAny : ofAny + (errors.length >> 3)
    if (typeof value === 'object' && value !== null) {
      if (Array.isArray(value)) steps += value.length >> 3
      else steps += loops === 0 ? ofObject : ofObject + ((Object.keys(value).length * loops) >> 1)
    }
    meter.spend(steps)
  }
  const gather = (steps: Steps, value: unknown, errors: readonly unknown[] | null): void => {
    if (errors !== null && errors.length > MOST_ERRORS) throw new EnoughErrors(errors)
    count(steps, value, errors)
  }
  return {
    keyword: STEP,
    before: '$ref',
    schemaType: 'object',
    code: ({ gen, data, schema, it: { opts } }) => {
      const call = gen.scopeValue('func', { ref: opts.allErrors === true ? gather : count })
      const steps = gen.scopeValue('schema', { ref: schema })
      gen.code(code`${call}(${steps}, ${data}, vErrors)`)
    },
  }
}

/** The steps for any value, those for an object beside them, and the number of keywords that look at each field. */
interface Steps {
  readonly ofAny: number
  readonly ofObject: number
  readonly loops: number
}

interface Misfit {
  readonly message: string
  readonly params: Record<string, unknown>
}

type Judge = (value: unknown) => Misfit | undefined

type DataValidateFunction = ReturnType<NonNullable<FuncKeywordDefinition['compile']>>

/** The engine reads the problem off the function. */
function ruleFor(name: string, type: JSONType[], compile: (schema: unknown) => Judge): FuncKeywordDefinition {
  return {
    keyword: name,
    ...(type.length === 0 ? {} : { type }),
    errors: true,
    compile: (schema: unknown): DataValidateFunction => {
      const judge = compile(schema)
      const validate: DataValidateFunction = (value: unknown) => {
        const misfit = judge(value)
        validate.errors = misfit === undefined ? [] : [{ keyword: name, ...misfit }]
        return misfit === undefined
      }
      return validate
    },
  }
}

function duplicate(items: readonly unknown[], meter: Meter): Misfit | undefined {
  meter.spend(items.length)
  const simple = new Map<unknown, number>()
  const composite = new Map<unknown, number>()
  for (const [index, item] of items.entries()) {
    const seen = isComposite(item) ? composite : simple
    const key = isComposite(item) ? jsonKey(item, meter) : item
    const before = seen.get(key)
    if (before !== undefined) {
      const message = `must NOT have duplicate items (items ## ${before} and ${index} are identical)`
      return { message, params: { i: index, j: before } }
    }
    seen.set(key, index)
  }
  return undefined
}

const CHARACTERS_PER_STEP = 16

/** A character has one or two units: most texts need not be counted. */
function hasFewer(text: string, least: number, meter: Meter): boolean {
  if (text.length < least) return true
  return text.length < 2 * least && charactersOf(text, meter) < least
}

function charactersOf(text: string, meter: Meter): number {
  meter.spend(1 + Math.floor(text.length / CHARACTERS_PER_STEP))
  let count = text.length
  for (let at = 0; at < text.length; at++) if (isPairAt(text, at)) count--
  return count
}

function isPairAt(text: string, at: number): boolean {
  const first = text.charCodeAt(at)
  if (first < 0xd800 || first > 0xdbff) return false
  const second = text.charCodeAt(at + 1)
  return second >= 0xdc00 && second <= 0xdfff
}
