import { isRecord, type JsonSchema, mapSubschemas } from '../json-schema.ts'
import { looksLikeJson, looseJson } from './loose-json.ts'
import { nameForm, nameWords } from './name-words.ts'

export type DateOrder = 'day-first' | 'month-first'

/** The evidence of a whole input: its other fields say how its writer writes. */
export interface InputFacts {
  /** The order of the dates with this separator; `25.12.2024` says nothing about `03/04/2024`. */
  readonly orders: ReadonlyMap<string, DateOrder>
  /** The decimal sign; undefined if none is seen, or both. */
  readonly decimal: ',' | '.' | undefined
  /** The offset of a fixed zone, `Z` for UTC; undefined if none or another is named. */
  readonly zone: string | undefined
  /** The name of the only zone that is named, where its offset depends on the day. */
  readonly zoneName: string | undefined
  /** The currencies that fields of the schema name. */
  readonly currencies: ReadonlySet<string>
  /** A field says that what is sent is JSON, and none says that it is something else. */
  readonly sendsJson: boolean
  /** The codes of what is counted that fields of the schema name: `ETH` of `asset`. */
  readonly codes: ReadonlySet<string>
}

const MOST_VALUES = 2000
const DEEPEST = 40

/** Collects the evidence in one pass. Only fields that the schema knows tell a currency or a zone. */
export function inputFacts(schema: JsonSchema, given: unknown): InputFacts {
  const seen = new Seen(namesIn(schema))
  seen.visit(given, '', 0)
  return seen
}

class Seen implements InputFacts {
  readonly orders = new Map<string, DateOrder>()
  readonly currencies = new Set<string>()
  readonly codes = new Set<string>()
  readonly #known: ReadonlySet<string>
  readonly #conflicts = new Set<string>()
  readonly #decimals = new Set<',' | '.'>()
  readonly #zones = new Set<string>()
  readonly #zoneNames = new Set<string>()
  readonly #media = new Set<string>()
  #left = MOST_VALUES

  constructor(known: ReadonlySet<string>) {
    this.#known = known
  }

  get sendsJson(): boolean {
    return this.#media.size > 0 && [...this.#media].every((each) => /^application\/(?:[\w.-]+\+)?json$/.test(each))
  }

  get decimal(): ',' | '.' | undefined {
    return this.#decimals.size === 1 ? [...this.#decimals][0] : undefined
  }

  get zone(): string | undefined {
    return this.#zones.size === 1 ? [...this.#zones][0] : undefined
  }

  get zoneName(): string | undefined {
    const [name] = this.#zoneNames
    return this.#zoneNames.size === 1 && this.#zones.size === 1 ? name : undefined
  }

  visit(value: unknown, key: string, depth: number): void {
    if (--this.#left < 0 || depth > DEEPEST) return
    if (typeof value === 'string') this.#note(value, key, depth)
    else if (Array.isArray(value)) for (const each of value) this.visit(each, key, depth + 1)
    else if (isRecord(value)) for (const name of Object.keys(value)) this.visit(value[name], name, depth + 1)
  }

  #note(text: string, key: string, depth: number): void {
    if (looksLikeJson(text)) {
      const inside = looseJson(text)
      if (inside !== undefined) this.visit(inside.value, key, depth + 1)
      return
    }
    if (text.length > 100) return
    this.#noteDate(text)
    const decimal = /^\s*-?\d+([.,])(?:\d{1,2}|\d{4,})\s*\D{0,4}$/.exec(text)?.[1]
    if (decimal === ',' || decimal === '.') this.#decimals.add(decimal)
    const words = nameWords(key)
    if (nameForm(key) === 'contenttype') this.#media.add(text.toLowerCase().split(';', 1)[0]?.trim() ?? '')
    if (words.includes('locale')) this.#noteLocale(text)
    if (!this.#known.has(nameForm(key))) return
    if (/^[a-z]{2,5}$/i.test(text) && words.some((word) => COUNTED.has(word))) this.codes.add(text.toUpperCase())
    if (words.includes('currency') && /^[a-z]{3}$/i.test(text)) this.currencies.add(text.toUpperCase())
    if (words.includes('timezone') || words.includes('zone') || words.includes('tz')) this.#noteZone(text)
  }

  #noteDate(text: string): void {
    const date = /^\D{0,12}(\d{1,2})([./-])(\d{1,2})\2\d{4}\b/.exec(text)
    if (date === null) return
    const [, first, separator = '', second] = date
    const isDayFirst = Number(first) > 12
    if (isDayFirst !== Number(second) > 12) this.#order(separator, isDayFirst ? 'day-first' : 'month-first')
  }

  #order(separator: string, order: DateOrder): void {
    const known = this.orders.get(separator)
    if ((known !== undefined && known !== order) || this.#conflicts.has(separator)) {
      this.orders.delete(separator)
      this.#conflicts.add(separator)
    } else this.orders.set(separator, order)
  }

  #noteLocale(text: string): void {
    if (/^en[-_]us$/i.test(text)) this.#order('/', 'month-first')
    else if (/^[a-z]{2}[-_][a-z]{2}$/i.test(text) && !/[-_](?:us|ca|ph)$/i.test(text)) this.#order('/', 'day-first')
  }

  /** Zones whose clocks are turned tell no offset without the day. */
  #noteZone(text: string): void {
    if (/^(?:utc|gmt|z|etc\/utc|etc\/gmt)$/i.test(text)) this.#zones.add('Z')
    else if (/^[+-]\d\d:\d\d$/.test(text)) this.#zones.add(text)
    else this.#zones.add(FIXED.get(text.toLowerCase()) ?? 'unknown')
    if (/^[a-z]+\/[a-z_]+$/i.test(text)) this.#zoneNames.add(text)
  }
}

/** Names of what an amount is given in. */
const COUNTED: ReadonlySet<string> = new Set('asset base coin currency from source token unit uom'.split(' '))

/** IANA zones without summer time. */
const FIXED: ReadonlyMap<string, string> = new Map([
  ['asia/tokyo', '+09:00'],
  ['asia/seoul', '+09:00'],
  ['asia/shanghai', '+08:00'],
  ['asia/singapore', '+08:00'],
  ['asia/hong_kong', '+08:00'],
  ['asia/kolkata', '+05:30'],
  ['asia/dubai', '+04:00'],
  ['america/phoenix', '-07:00'],
  ['africa/nairobi', '+03:00'],
  ['africa/lagos', '+01:00'],
  ['australia/brisbane', '+10:00'],
])

const names = new WeakMap<JsonSchema, ReadonlySet<string>>()

/** The names of all fields in a schema, in one spelling. */
function namesIn(schema: JsonSchema): ReadonlySet<string> {
  let known = names.get(schema)
  if (known === undefined) {
    const found = new Set<string>()
    const look = (each: JsonSchema): JsonSchema => {
      if (isRecord(each['properties'])) for (const name of Object.keys(each['properties'])) found.add(nameForm(name))
      mapSubschemas(each, look)
      return each
    }
    look(schema)
    known = found
    names.set(schema, known)
  }
  return known
}
