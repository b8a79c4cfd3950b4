import { isSameJson, type JsonSchema } from '../json-schema.ts'
import { excerpt, toJsonText } from '../quote.ts'
import type { Building, Spot } from './building.ts'
import { type Codec, described, NoEncoding, plain } from './codec.ts'
import { keptRules, type Telling } from './moved-rules.ts'

const STRING = ['format', 'pattern', 'minLength', 'maxLength', 'contentEncoding', 'contentMediaType']
const NUMBER = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf']

/** A node with its telling, to which its codec may add. */
export interface Node {
  readonly schema: JsonSchema
  readonly building: Building
  readonly spot: Spot
  readonly telling: Telling
}

/** A text, a number or a truth value. */
export function scalarCodec(type: 'string' | 'number' | 'integer' | 'boolean', { schema, building, telling }: Node): Codec {
  const rules = type === 'boolean' ? {} : keptRules(schema, type === 'string' ? STRING : NUMBER, telling, building)
  return described(plain({ type, ...rules }, fitsType(type)), telling.text)
}

function fitsType(type: string): Codec['fits'] {
  return FITS[type] ?? (() => false)
}

const FITS: Readonly<Record<string, Codec['fits']>> = {
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number',
  integer: (value) => Number.isInteger(value),
  boolean: (value) => typeof value === 'boolean',
}

/** Null and nothing else. */
export function nullCodec({ rules }: Building): Codec {
  const isNull = (value: unknown): boolean => value === null
  if (rules.nulls === 'type') return plain({ type: 'null' }, isNull)
  return {
    schema: { type: 'string', enum: ['null'] },
    isSame: false,
    fits: (value) => value === 'null',
    decode: (value) => (value === 'null' ? null : value),
    encode: (value) => {
      if (value === null) return 'null'
      throw new NoEncoding('The value is not null.')
    },
  }
}

/** Values of one type that are listed. */
export function enumCodec(options: readonly unknown[], { building, telling }: Node): Codec {
  const { report, rules } = building
  const characters = options.reduce<number>((sum, each) => sum + toJsonText(each).length, 0)
  const isLong = options.length > 250 && characters > rules.limits.longEnum
  const isOver = report.enumValues + options.length > rules.limits.enumValues || report.characters + characters > rules.limits.characters
  const hasTextsOnly = rules.textEnums || options.some((each) => typeof each === 'object')
  if (isLong || isOver) {
    telling.move('enum', options)
    const type = hasTextsOnly ? 'string' : typeOf(options)
    return described(hasTextsOnly ? asTexts(options, { type }) : plain({ type }, fitsType(type)), telling.text)
  }
  report.enumValues += options.length
  report.characters += characters
  if (hasTextsOnly) return described(asTexts(options), telling.text)
  const isListed = (value: unknown): boolean => options.includes(value)
  const listed = options.length === 1 ? { const: options[0] } : { enum: options }
  return described(plain({ type: typeOf(options), ...listed }, isListed), telling.text)
}

function typeOf(options: readonly unknown[]): string {
  const [first] = options
  return typeof first === 'number' && options.every((each) => Number.isInteger(each)) ? 'integer' : typeof first
}

const LONGEST_TEXT = 200

/** Listed values of any type as texts, which mean the values. */
function asTexts(options: readonly unknown[], schema?: JsonSchema): Codec {
  const byText = new Map<string, unknown>(options.filter((each) => typeof each === 'string').map((each) => [each, each]))
  for (const each of options) {
    if (typeof each === 'string') continue
    let text = toJsonText(each)
    if (text.length > LONGEST_TEXT) text = `${excerpt(text, LONGEST_TEXT)} #${byText.size + 1}`
    while (byText.has(text)) text = `${text} (${typeof each})`
    byText.set(text, each)
  }
  const textOf = (value: unknown): string | undefined => byText.entries().find(([, each]) => isSameJson(each, value))?.[0]
  return {
    schema: schema ?? { type: 'string', enum: [...byText.keys()] },
    isSame: options.every((each) => typeof each === 'string'),
    fits: (value) => typeof value === 'string' && (schema !== undefined || byText.has(value)),
    decode: (value) => (typeof value === 'string' && byText.has(value) ? byText.get(value) : value),
    encode: (value) => {
      const text = textOf(value)
      if (text === undefined) throw new NoEncoding('The value is not one of those that are listed.')
      return text
    },
  }
}
