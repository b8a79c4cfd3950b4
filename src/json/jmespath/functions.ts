import { ExactNumber, numberOf, rounded, sourceOf } from '../exact-number.ts'
import { emptyObject, isList, isNumber, isObject, type Json, type JsonObject } from '../json.ts'
import { writeJson } from '../write-json.ts'
import { type Argument, type Evaluation, isEqual, notEvaluated, order, Reference } from './evaluation.ts'

export type ArgumentKind = 'any' | 'number' | 'text' | 'list' | 'object' | 'numbers' | 'texts' | 'expression'

/** The context of a function: the evaluation, and a way to apply an expression argument. */
export interface FunctionCall extends Evaluation {
  readonly apply: (reference: Reference, value: Json) => Json
}

interface JmespathFunction {
  /** The allowed kinds of each argument. */
  readonly takes: readonly (readonly ArgumentKind[])[]
  /** The last may stand there more than once. */
  readonly many?: boolean
  readonly run: (given: readonly Argument[], call: FunctionCall) => Json
}

/** The functions of JMESPath, by name. Their arguments have been checked when they run. */
export const FUNCTIONS: ReadonlyMap<string, JmespathFunction> = new Map<string, JmespathFunction>([
  ['abs', { takes: [['number']], run: ([x]) => numberOf(sourceOf(numberIn(x)).replace('-', '')) }],
  ['avg', { takes: [['numbers']], run: ([x], call) => (listIn(x).length === 0 ? null : total(x, 'avg', call) / listIn(x).length) }],
  ['ceil', { takes: [['number']], run: ([x]) => wholeOr(x, Math.ceil) }],
  ['contains', { takes: [['text', 'list'], ['any']], run: contains }],
  ['ends_with', { takes: [['text'], ['text']], run: ([text, end]) => textIn(text).endsWith(textIn(end)) }],
  ['floor', { takes: [['number']], run: ([x]) => wholeOr(x, Math.floor) }],
  ['join', { takes: [['text'], ['texts']], run: join }],
  ['keys', { takes: [['object']], run: ([object]) => Object.keys(objectIn(object)) }],
  ['length', { takes: [['text', 'list', 'object']], run: ([x]) => lengthOf(x) }],
  ['map', { takes: [['expression'], ['list']], run: ([by, list], call) => listIn(list).map((each) => call.apply(referenceIn(by), each)) }],
  ['max', { takes: [['numbers', 'texts']], run: ([list]) => extreme(listIn(list), listIn(list), 1) }],
  ['max_by', { takes: [['list'], ['expression']], run: ([list, by], call) => extreme(listIn(list), keysBy(list, by, call), 1) }],
  ['merge', { takes: [['object']], many: true, run: merge }],
  ['min', { takes: [['numbers', 'texts']], run: ([list]) => extreme(listIn(list), listIn(list), -1) }],
  ['min_by', { takes: [['list'], ['expression']], run: ([list, by], call) => extreme(listIn(list), keysBy(list, by, call), -1) }],
  ['not_null', { takes: [['any']], many: true, run: (given) => jsonIn(given.find((each) => each !== null)) }],
  ['reverse', { takes: [['text', 'list']], run: ([x]) => (isList(x) ? x.toReversed() : Array.from(textIn(x)).toReversed().join('')) }],
  ['sort', { takes: [['numbers', 'texts']], run: ([list], call) => sorted(listIn(list), call) }],
  ['sort_by', { takes: [['list'], ['expression']], run: ([list, by], call) => sortedBy(listIn(list), keysBy(list, by, call), call) }],
  ['starts_with', { takes: [['text'], ['text']], run: ([text, start]) => textIn(text).startsWith(textIn(start)) }],
  ['sum', { takes: [['numbers']], run: ([x], call) => total(x, 'sum', call) }],
  ['to_array', { takes: [['any']], run: ([x]) => (isList(x) ? x : [jsonIn(x)]) }],
  ['to_number', { takes: [['any']], run: ([x]) => (isNumber(x) ? x : JSON_NUMBER.test(textIn(x)) ? numberOf(textIn(x)) : null) }],
  ['to_string', { takes: [['any']], run: ([x], { budget }) => writeJson(x, budget).text }],
  ['type', { takes: [['any']], run: ([x]) => typeOf(x) }],
  ['values', { takes: [['object']], run: ([object]) => Object.values(objectIn(object)) }],
])

const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/

function numberIn(value: Argument | undefined): number | ExactNumber {
  return isNumber(value) ? value : 0
}

function textIn(value: Argument | undefined): string {
  return typeof value === 'string' ? value : ''
}

function listIn(value: Argument | undefined): readonly Json[] {
  return isList(value) ? value : []
}

function objectIn(value: Argument | undefined): JsonObject {
  return isObject(value) ? value : {}
}

function jsonIn(value: Argument | undefined): Json {
  return value === undefined || value instanceof Reference ? null : value
}

function referenceIn(value: Argument | undefined): Reference {
  return value instanceof Reference ? value : new Reference({ type: 'Current' })
}

/** An exact number without decimals is whole already. */
function wholeOr(value: Argument | undefined, round: (x: number) => number): Json {
  const number = numberIn(value)
  return number instanceof ExactNumber && /^-?\d+$/.test(number.source) ? number : round(rounded(number))
}

function total(value: Argument | undefined, name: string, { warnings }: FunctionCall): number {
  const numbers = listIn(value).filter(isNumber)
  if (numbers.some((each) => each instanceof ExactNumber && !each.isZero))
    warnings.add(`${name}() has rounded the big numbers that it added.`)
  return numbers.reduce<number>((sum, each) => sum + rounded(each), 0)
}

function contains([where, what]: readonly Argument[], { budget }: FunctionCall): Json {
  if (isList(where)) return where.some((each) => isEqual(each, jsonIn(what), budget))
  budget.spendOnText(textIn(where))
  return typeof what === 'string' && textIn(where).includes(what)
}

function join([separator, texts]: readonly Argument[], { budget }: FunctionCall): Json {
  const parts = listIn(texts).map(textIn)
  for (const part of parts) {
    budget.spendOnText(part)
    budget.spendOnText(textIn(separator))
  }
  return parts.join(textIn(separator))
}

function lengthOf(value: Argument | undefined): number {
  if (typeof value === 'string') return Array.from(value).length
  return isList(value) ? value.length : Object.keys(objectIn(value)).length
}

function merge(given: readonly Argument[], { budget }: FunctionCall): Json {
  const merged = emptyObject()
  for (const object of given) {
    const entries = Object.entries(objectIn(object))
    budget.spend(entries.length)
    for (const [key, value] of entries) merged[key] = value
  }
  return merged
}

function keysBy(list: Argument | undefined, by: Argument | undefined, call: FunctionCall): readonly Json[] {
  return listIn(list).map((each) => call.apply(referenceIn(by), each))
}

function typeOf(value: Argument | undefined): string {
  if (isList(value)) return 'array'
  if (isNumber(value)) return 'number'
  return value === null ? 'null' : typeof value
}

/** The first item whose key is the largest, or for -1 the smallest. */
function extreme(items: readonly Json[], keys: readonly Json[], sign: 1 | -1): Json {
  refuseMixed(keys)
  let best = 0
  keys.forEach((key, index) => {
    if (sign * compareKeys(key, keys[best] ?? null) > 0) best = index
  })
  return items[best] ?? null
}

function sorted(items: readonly Json[], evaluation: Evaluation): readonly Json[] {
  return sortedBy(items, items, evaluation)
}

/** Equal keys keep their order. */
function sortedBy(items: readonly Json[], keys: readonly Json[], { budget }: Evaluation): readonly Json[] {
  refuseMixed(keys)
  budget.spend(items.length * Math.ceil(Math.log2(items.length + 1)))
  const indexes = items.map((_, index) => index).toSorted((a, b) => compareKeys(keys[a] ?? null, keys[b] ?? null))
  return indexes.map((index) => items[index] ?? null)
}

function compareKeys(a: Json, b: Json): number {
  return order(a, b) ?? 0
}

function refuseMixed(keys: readonly Json[]): void {
  if (keys.every(isNumber) || keys.every((key) => typeof key === 'string')) return
  throw notEvaluated('what is ordered by must be numbers only or texts only; filter out what has none, such as [?name]')
}
