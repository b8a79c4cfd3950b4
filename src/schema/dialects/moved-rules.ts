import type { JsonSchema } from '../json-schema.ts'
import { excerpt, toJsonText } from '../quote.ts'
import type { Building, Spot } from './building.ts'
import { isNameOfCheck, writesFormatOut } from './format-pattern.ts'

const LONGEST_VALUE = 600

const WORDS: Readonly<Record<string, (value: unknown) => string>> = {
  minimum: (value) => `at least ${toJsonText(value)}`,
  maximum: (value) => `at most ${toJsonText(value)}`,
  exclusiveMinimum: (value) => `more than ${toJsonText(value)}`,
  exclusiveMaximum: (value) => `less than ${toJsonText(value)}`,
  multipleOf: (value) => `a multiple of ${toJsonText(value)}`,
  minLength: (value) => `at least ${counted(value, 'character')}`,
  maxLength: (value) => `at most ${counted(value, 'character')}`,
  minItems: (value) => `at least ${counted(value, 'item')}`,
  maxItems: (value) => `at most ${counted(value, 'item')}`,
  minProperties: (value) => `at least ${counted(value, 'entry', 'entries')}`,
  maxProperties: (value) => `at most ${counted(value, 'entry', 'entries')}`,
  uniqueItems: () => 'without repeated items',
  pattern: (value) => `matching the pattern ${String(value)}`,
  format: (value) => `in the format ${String(value)}`,
  enum: (value) => `one of ${excerpt(toJsonText(value), LONGEST_VALUE)}`,
  keys: () => 'each key once',
  order: () => 'without gaps',
  items: (value) => (value === false ? 'an empty list' : `items that fit ${excerpt(toJsonText(value), LONGEST_VALUE)}`),
}

function counted(number: unknown, one: string, many = `${one}s`): string {
  return `${toJsonText(number)} ${number === 1 ? one : many}`
}

/** Keywords that say nothing to a model that would help it: the branches of a union are told by themselves. */
const SILENT: ReadonlySet<string> = new Set(['oneOf'])

/** Safe integers are a limit of JavaScript, not of the tool. */
function isNoise(keyword: string, value: unknown): boolean {
  return SILENT.has(keyword) || (typeof value === 'number' && Math.abs(value) === Number.MAX_SAFE_INTEGER)
}

/** The description of one node: the author's text, and what the dialect has no word for. */
export class Telling {
  readonly #building: Building
  readonly #spot: Spot
  readonly #texts: string[] = []
  readonly #rules: string[] = []

  constructor(schema: JsonSchema, building: Building, spot: Spot) {
    this.#building = building
    this.#spot = spot
    const { title, description } = schema
    for (const each of new Set([title, description])) if (typeof each === 'string' && each !== '') this.#texts.push(each)
    if ('default' in schema) this.#texts.push(`Default: ${excerpt(toJsonText(schema['default']), LONGEST_VALUE)}.`)
  }

  /** The rule moves into the description. */
  move(keyword: string, value: unknown, isTold = true): void {
    this.#building.report.moved.push({ keyword, path: this.#spot.path, value })
    if (!isTold || isNoise(keyword, value)) return
    this.#rules.push(WORDS[keyword]?.(value) ?? `${keyword} ${excerpt(toJsonText(value), LONGEST_VALUE)}`)
  }

  say(sentence: string): void {
    this.#texts.push(sentence)
  }

  get text(): string {
    const rules = this.#rules.length === 0 ? [] : [`Must be: ${this.#rules.join('; ')}.`]
    return [...this.#texts, ...rules].map((each) => (/[.!?:]$/.test(each) ? each : `${each}.`)).join(' ')
  }
}

const NOT_PORTABLE = /\(\?(?!:)|\\[1-9kpPuxbBcA-CE-RT-VX-Z]/

/** A pattern that engines of other languages read in the same way. */
function isPortable(pattern: unknown): boolean {
  return typeof pattern === 'string' && !NOT_PORTABLE.test(pattern)
}

/** Of these keywords, those that the dialect takes; the others move. */
export function keptRules(schema: JsonSchema, keywords: readonly string[], telling: Telling, { rules }: Building): JsonSchema {
  const kept: Record<string, unknown> = {}
  for (const keyword of keywords) {
    const value = schema[keyword]
    if (!(keyword in schema) || (keyword === 'format' && isNameOfCheck(value))) continue
    if (isKept(keyword, value, rules) && !(keyword === 'pattern' && 'format' in kept)) kept[keyword] = value
    // Libraries write a format as a long pattern too: the format says it.
    else telling.move(keyword, value, !(keyword === 'pattern' && writesFormatOut(value, schema['format'])))
  }
  return kept
}

function isKept(keyword: string, value: unknown, { keywords, formats, mostMinItems }: Building['rules']): boolean {
  if (!keywords.has(keyword)) return false
  if (keyword === 'pattern') return isPortable(value)
  if (keyword === 'format') return formats.has(String(value))
  return keyword !== 'minItems' || Number(value) <= mostMinItems
}
