import { cleanText, plainForm } from './clean-text.ts'
import { decodedTexts } from './decode-text.ts'
import type { JsonSchema } from '../json-schema.ts'
import { nameForm, nameWords, singular } from './name-words.ts'
import { americanSpelling } from './spelling.ts'
import { areNear, deletions, isOneSlip } from './one-slip.ts'
import type { SchemaNode } from './schema-node.ts'
import { UNITS } from './unit-table.ts'

/** A field that a key may stand for. */
interface KeyMatch {
  readonly name: string
  readonly rule: string
  readonly cost: number
}

/** `near`: it is close to several fields, or to one in an unsafe way, and is therefore neither taken nor dropped. */
export type KeyReading = KeyMatch | 'near' | undefined

/**
 * Finds the field that an unknown key stands for: by its spelling, its title, the order of its words, or one slip. All are looked up in
 * indexes, so that many keys of a large schema take linear time.
 */
export class KeyIndex {
  readonly #forms: ReadonlyMap<string, readonly string[]>
  readonly #spellings: ReadonlyMap<string, readonly string[]>
  readonly #titles: ReadonlyMap<string, readonly string[]>
  readonly #orders: ReadonlyMap<string, readonly string[]>
  readonly #lists: ReadonlyMap<string, readonly string[]>
  readonly #told: ReadonlyMap<string, readonly string[]>
  readonly #short: ReadonlyMap<string, readonly string[]>
  readonly #states: ReadonlyMap<string, readonly string[]>
  readonly #numbers: ReadonlyMap<string, readonly string[]>
  readonly #measures: ReadonlyMap<string, readonly string[]>
  readonly #meanings: ReadonlyMap<string, readonly string[]>
  readonly #names: readonly string[]
  /** Made for the first key that no other index knows. */
  #slips: ReadonlyMap<string, readonly string[]> | undefined

  constructor({ properties }: SchemaNode) {
    const names = Object.keys(properties)
    this.#names = names
    this.#forms = indexed(names, (name) => [nameForm(name)])
    this.#spellings = indexed(names, (name) => [spelling(name)])
    this.#orders = indexed(names, (name) => [inOrder(nameWords(name))])
    this.#lists = indexed(
      names.filter((name) => properties[name]?.['type'] === 'array'),
      (name) => [inSingular(name)],
    )
    this.#told = indexed(names, (name) => toldNames(properties[name]?.['description']))
    const isBoolean = (name: string): boolean => properties[name]?.['type'] === 'boolean'
    this.#short = indexed(names, (name) => [shortened(nameWords(name), isBoolean(name))])
    this.#states = indexed(names.filter(isBoolean), (name) => [shortened(nameWords(name), true)])
    this.#numbers = indexed(names, (name) => numberForms(name, properties[name] ?? {}))
    this.#meanings = indexed(names, (name) => [meaningOf(nameForm(name))])
    this.#measures = indexed(names, (name) => [withoutUnit(nameWords(name))])
    this.#titles = indexed(names, (name) => {
      const title = properties[name]?.['title']
      return typeof title === 'string' ? [nameForm(title)] : []
    })
  }

  find(key: string): KeyReading {
    const clean = cleanText(plainForm(key))
    const exact = this.#lookUp(clean)
    if (exact !== undefined) return exact
    for (const decoded of decodedTexts(clean)) {
      const found = this.#lookUp(decoded)
      if (found !== undefined && found !== 'near') return { ...found, rule: 'key encoding', cost: 2 }
    }
    return this.#slipOf(clean)
  }

  /** `flight_origin` for the `origin` of `find_flights`, and `city_name` for `city`: words that say nothing. */
  findBeside(key: string, own: ReadonlySet<string>): KeyReading {
    const words = nameWords(key)
    for (let count = 1; count < words.length && isOwn(words[count - 1] ?? '', own); count++) {
      const found = only(this.#forms.get(words.slice(count).join('')), 'key beside the tool', 3)
      if (found !== undefined) return found
    }
    const isNoun = words.length > 1 && NOUNS.has(words.at(-1) ?? '')
    return isNoun ? only(this.#forms.get(words.slice(0, -1).join('')), 'key with a noun', 3) : undefined
  }

  /** `timeout` for `timeout_seconds`, where the value tells its unit itself: `30s`. */
  findMeasure(key: string, value: unknown): KeyReading {
    const isMeasured =
      typeof value === 'string' && value.length <= LONGEST && /^(?:[+-]?\d[\d.,]*\s?[a-z°µ]|P(?:\d|T\d))/i.test(value.trim())
    return isMeasured ? only(this.#measures.get(nameForm(key)), 'key without its unit', 3) : undefined
  }

  #lookUp(key: string): KeyReading {
    const form = nameForm(key)
    if (form === '') return undefined
    const bare = nameForm(key.normalize('NFD').replace(/\p{M}/gu, ''))
    return (
      only(this.#forms.get(form), 'key case', 1) ??
      only(this.#titles.get(form), 'key title', 2) ??
      only(this.#spellings.get(spelling(key)), 'key spelling', 2) ??
      only(this.#told.get(form), 'key as described', 2) ??
      (bare === form ? undefined : only(this.#forms.get(bare), 'key accents', 2)) ??
      (isRelation(nameWords(key)) ? undefined : only(this.#orders.get(inOrder(nameWords(key))), 'key word order', 2)) ??
      this.#abbreviated(nameWords(key)) ??
      only(this.#numbers.get(form), 'key of a number', 3) ??
      only(this.#meanings.get(meaningOf(form)), 'key by its meaning', 3)
    )
  }

  #abbreviated(words: readonly string[]): KeyReading {
    const exact = only(this.#short.get(shortened(words, false)), 'key abbreviation', 2)
    return exact ?? only(this.#states.get(shortened(words, true)), 'key abbreviation', 2)
  }

  #slipOf(key: string): KeyReading {
    const words = nameWords(key)
    const form = words.join('')
    const list = this.#listNamed(form)
    if (form.length > LONGEST) return undefined
    if (form.length < 4) return list === undefined ? undefined : numbered(list)
    this.#slips ??= indexed(this.#names, (name) => {
      const own = nameForm(name)
      return own.length > LONGEST ? [] : deletions(own)
    })
    const near = new Set<string>()
    for (const each of deletions(form)) for (const name of this.#slips.get(each) ?? []) if (areNear(form, nameForm(name))) near.add(name)
    const [first = list] = near
    if (first === undefined) return undefined
    if (near.size <= 1 && (first === list || isOtherNumber(words, nameWords(first)))) return numbered(first)
    return near.size === 1 && isSlipOfOneWord(words, nameWords(first)) ? { name: first, rule: 'key slip', cost: 6 } : 'near'
  }

  /** The list whose name is the plural of the given one. A field for one value is not meant by a plural. */
  #listNamed(form: string): string | undefined {
    const [name, ...more] = this.#lists.get(form) ?? []
    return more.length > 0 ? undefined : name
  }
}

const LONGEST = 64

function isOwn(word: string, own: ReadonlySet<string>): boolean {
  return own.has(word) || own.has(singular(word))
}

/** Nouns behind a name that say no more than that it has a value. */
const NOUNS: ReadonlySet<string> = new Set(['name', 'value', 'text', 'string', 'field', 'param', 'parameter', 'arg', 'argument'])

/** A description that is nothing but another name of the field, and names that it declares: `Search query`, `also called q`. */
function toldNames(description: unknown): readonly string[] {
  if (typeof description !== 'string' || description.length > LONGEST_DESCRIPTION) return []
  const whole = /^(?:the |an? )?([\p{L}\d][\p{L}\d' -]{1,40})\.?$/iu.exec(description.trim())?.[1]
  const declared = [...description.matchAll(DECLARED)].map(([, name = '']) => name)
  return [...(whole === undefined || !isName(whole) ? [] : [whole]), ...declared].map(nameForm)
}

const LONGEST_DESCRIPTION = 300

/** One word may as well be the thing that the field is about: `User` for the id of a user. */
function isName(text: string): boolean {
  const { length } = text.split(/\s+/)
  return length === 2 || length === 3
}

const DECLARED =
  /\b(?:also (?:called|known as|named)|aka|a\.k\.a\.|alias(?:es)?(?: of| for| is)?:?|formerly|previously|same as|synonym(?: of)?:?)\s+["'`]?([\w-]{1,40})["'`]?/gi

const SHORT: Readonly<Record<string, string>> = {
  ...{ maximum: 'max', minimum: 'min', latitude: 'lat', longitude: 'lon', lng: 'lon', long: 'lon', identifier: 'id', operator: 'op' },
  ...{
    query: 'q',
    quantity: 'qty',
    description: 'desc',
    number: 'num',
    amount: 'amt',
    address: 'addr',
    message: 'msg',
    language: 'lang',
    reference: 'ref',
  },
  ...{ telephone: 'phone', tel: 'phone', temperature: 'temp', average: 'avg', percentage: 'percent', pct: 'percent', password: 'pwd' },
  ...{ destination: 'dest', source: 'src', document: 'doc', image: 'img', button: 'btn', configuration: 'config', cfg: 'config' },
  ...{
    minutes: 'min',
    mins: 'min',
    seconds: 'sec',
    secs: 'sec',
    hours: 'hrs',
    milliseconds: 'ms',
    kilograms: 'kg',
    kilometers: 'km',
    dob: 'birthdate',
  },
  ...{
    environment: 'env',
    organization: 'org',
    department: 'dept',
    category: 'cat',
    application: 'app',
    database: 'db',
    repository: 'repo',
  },
}

/** `maximum_results` as `max results`, `number_of_guests` as `num guests`, and a boolean `is_active` as `active`. */
function shortened(words: readonly string[], isBoolean: boolean): string {
  const bare = isBoolean && words.length > 1 && words[0] === 'is' ? words.slice(1) : words
  return (
    bare
      // `minutes` alone is no `min`, which is the least.
      .map((word) => (Object.hasOwn(SHORT, word) && !(bare.length === 1 && /^min(?:ute)?s$/.test(word)) ? SHORT[word] : word))
      .join(' ')
      .replace(/^(?:number of|no of|nr of|num of) /, 'num ')
  )
}

/** Names that forms have for one thing, and no other. */
const MEANINGS: readonly (readonly string[])[] = [
  ['dob', 'dateofbirth', 'birthdate', 'birthday'],
  ['zip', 'zipcode', 'postalcode', 'postcode'],
  ['surname', 'lastname', 'familyname'],
  ['firstname', 'givenname', 'forename'],
  ['phone', 'phonenumber', 'telephone', 'telephonenumber', 'tel', 'phoneno'],
  ['email', 'emailaddress', 'emailaddr'],
  ['ip', 'ipaddress', 'ipaddr'],
]

function meaningOf(form: string): string {
  return MEANINGS.find((forms) => forms.includes(form))?.[0] ?? ''
}

const COUNTED = /^(?:num|number of|no of|nr of|count of) | count$/

/** Other names of a whole number: `guest_count` and `num_guests` for `guests`, `page_number` for `page`. */
function numberForms(name: string, { type }: JsonSchema): readonly string[] {
  const told = nameWords(name).join(' ')
  if (type !== 'integer') return []
  if (told === 'page' || told === 'page number') return ['page', 'pagenumber']
  const last = told.split(' ').at(-1) ?? ''
  const core = told.replace(COUNTED, '')
  const one = singular(core)
  if (core === '' || (core === told && singular(last) === last) || TIMES.has(one.split(' ').at(-1) ?? '')) return []
  const several = one === core ? pluralOf(one) : core
  return [several, `num ${several}`, `number of ${several}`, `${one} count`, `${several} count`].map(nameForm)
}

function pluralOf(word: string): string {
  return /[^aeiou]y$/.test(word) ? `${word.slice(0, -1)}ies` : /(?:s|sh|ch|x)$/.test(word) ? `${word}es` : `${word}s`
}

function spelling(name: string): string {
  return nameWords(name).map(americanSpelling).join(' ')
}

function withoutUnit(words: readonly string[]): string {
  const last = words.at(-1) ?? ''
  return words.length > 1 && UNITS.some((unit) => unit.words.includes(last)) ? words.slice(0, -1).join('') : ''
}

function numbered(name: string): KeyMatch {
  return { name, rule: 'key number', cost: 3 }
}

/** `max_result` for `max_results`: a name of several words of which one is in the singular. One word alone (`tags` for `tag`) may mean several values. */
function isOtherNumber(given: readonly string[], meant: readonly string[]): boolean {
  if (given.length < 2 || given.length !== meant.length) return false
  const different = given.flatMap((word, index) => (word === meant[index] ? [] : [[word, meant[index] ?? ''] as const]))
  return different.every(
    ([one, other]) => singular(one) === singular(other) && !TIMES.has(singular(one)) && one !== 'ids' && other !== 'ids',
  )
}

/** Where one is a point in time and several are a length. */
const TIMES: ReadonlySet<string> = new Set('second minute hour day week month quarter year time'.split(' '))

/** `user_ids` as `userid`; empty for a name that means something else in the singular, or is no plural. */
function inSingular(name: string): string {
  const words = nameWords(name)
  const last = words.at(-1) ?? ''
  const one = last === 'ids' ? 'id' : singular(last)
  return one === last || TIMES.has(one) ? '' : [...words.slice(0, -1), one].join('')
}

function only(names: readonly string[] | undefined, rule: string, cost: number): KeyReading {
  const [name] = names ?? []
  if (names === undefined || name === undefined) return undefined
  return names.length === 1 ? { name, rule, cost } : 'near'
}

function isSlipOfOneWord(given: readonly string[], meant: readonly string[]): boolean {
  if (given.length !== meant.length) return isOneSlip(given.join(''), meant.join(''))
  const different = given.flatMap((word, index) => (word === meant[index] ? [] : [index]))
  const [at] = different
  return different.length === 1 && at !== undefined && isOneSlip(given[at] ?? '', meant[at] ?? '')
}

const RELATIONS: ReadonlySet<string> = new Set('to from per of by in over for vs versus than before after into on at'.split(' '))

/** `eur_to_usd` has the words of `usd_to_eur` and means the opposite. */
function isRelation(words: readonly string[]): boolean {
  return words.slice(1, -1).some((word) => RELATIONS.has(word))
}

function inOrder(words: readonly string[]): string {
  return words.toSorted().join(' ')
}

function indexed(names: readonly string[], keysOf: (name: string) => readonly string[]): ReadonlyMap<string, readonly string[]> {
  const index = new Map<string, string[]>()
  for (const name of names)
    for (const key of keysOf(name)) {
      const known = index.get(key)
      if (known === undefined) index.set(key, [name])
      else if (!known.includes(name)) known.push(name)
    }
  index.delete('')
  return index
}

const indexes = new WeakMap<SchemaNode, KeyIndex>()

export function keyIndexOf(node: SchemaNode): KeyIndex {
  let index = indexes.get(node)
  if (index === undefined) indexes.set(node, (index = new KeyIndex(node)))
  return index
}
