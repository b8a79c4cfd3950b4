import type { JsonSchema } from '../json-schema.ts'
import { dayText } from './calendar.ts'
import { type ClockReading, dateReadings, readClock } from './date-readings.ts'
import { isoDuration } from './duration-readings.ts'
import { enumReadings } from './enum-readings.ts'
import { namesThing } from './field-kind.ts'
import { COMMA_GROUPS, currenciesOf, isMinorUnit, moneyText } from './money.ts'
import { singular, someWord } from './name-words.ts'
import type { Place } from './place.ts'
import { gridOf, type NumberReading, numberReadings, numberWord } from './number-readings.ts'
import { formatVariants, patternVariants } from './text-variants.ts'
import { measured, unitOf } from './units.ts'
import type { Misfit } from './walk.ts'

/** A value that a text may stand for. */
export interface Candidate {
  readonly value: unknown
  readonly rule: string
  readonly cost: number
  /** It is more than another notation: a proposal where the field is protected. */
  readonly isGuess?: boolean | undefined
}

/** One way to read a text as a value of a type. Rules are independent of each other: only their costs compare. */
export interface LeafRule {
  readonly into: 'boolean' | 'null' | 'number' | 'string'
  readonly read: (text: string, misfit: Misfit) => readonly Candidate[]
}

export const LEAF_RULES: readonly LeafRule[] = [
  { into: 'number', read: plainNumber },
  { into: 'number', read: listedValue },
  { into: 'number', read: unlessBare(countedNoun) },
  { into: 'number', read: unlessBare(currencyOff) },
  { into: 'number', read: unlessBare(percent) },
  { into: 'number', read: unlessBare(unitOff) },
  { into: 'number', read: epochOfDate },
  { into: 'boolean', read: (text, { place }) => words(text, booleanWords(place), 'boolean word') },
  { into: 'null', read: (text) => words(text, NULLS, 'null word') },
  { into: 'string', read: listedValue },
  { into: 'string', read: asItIs },
  { into: 'string', read: notation },
  { into: 'string', read: patternNotation },
  { into: 'string', read: calendarText },
  { into: 'string', read: instantOfEpoch },
  { into: 'string', read: durationText },
]

/** A number without any sign or word beside it has no unit, noun or currency to take off. */
function unlessBare(read: LeafRule['read']): LeafRule['read'] {
  return (text, misfit) => (/^[\d.,+\s-]*$/.test(text) ? [] : read(text, misfit))
}

const CONSENTS: ReadonlyMap<string, unknown> = new Map([
  ['true', true],
  ['false', false],
  ['yes', true],
  ['no', false],
])
const BOOLEANS: ReadonlyMap<string, unknown> = new Map([
  ...CONSENTS,
  ...([
    ['y', true],
    ['n', false],
    ['1', true],
    ['0', false],
    ['1.0', true],
    ['0.0', false],
    ['t', true],
    ['f', false],
  ] as const),
])
/** Words for the thing that the field is named after. */
const SWITCHES: ReadonlyMap<string, unknown> = new Map([
  ...BOOLEANS,
  ...([
    ['on', true],
    ['off', false],
    ['enabled', true],
    ['disabled', false],
  ] as const),
])
/** Names of switches that turn something off: there `off` may mean the switch or the thing. */
const NEGATIVE: ReadonlySet<string> = new Set(
  'no not non without disable disabled disables deactivate deactivated inactive off skip exclude excluded ignore suppress block blocked hide hidden mute muted stop stopped pause paused suspend suspended prevent forbid deny dont'.split(
    ' ',
  ),
)

function booleanWords({ kind, words: names }: Place): ReadonlyMap<string, unknown> {
  if (kind === 'consent') return CONSENTS
  return names.some((word) => NEGATIVE.has(word)) ? BOOLEANS : SWITCHES
}

const NULLS: ReadonlyMap<string, unknown> = new Map([
  ['null', null],
  ['none', null],
  ['nil', null],
])

function words(text: string, meanings: ReadonlyMap<string, unknown>, rule: string): readonly Candidate[] {
  const lower = text.toLowerCase()
  return meanings.has(lower) ? [{ value: meanings.get(lower), rule, cost: 1 }] : []
}

/** Numbers that are names: their zeros and letters count. */
const CODES: ReadonlySet<string> = new Set(['code', 'zip', 'postcode', 'phone', 'extension', 'serial', 'batch', 'lot'])

function numbers(text: string, { node, place, walk: { facts } }: Misfit, decimal = facts.decimal): readonly NumberReading[] {
  const isMoney = place.kind === 'money'
  // `5.00` cents are five cents or five hundred.
  if (isMinorUnit(place) && /[.,]\d{1,2}$/.test(text)) return []
  // In a year the first two digits are missing; a sign before a count may mean `more`.
  if (place.words.includes('year') && /^\d\d$/.test(text)) return []
  if (text.startsWith('+') && isCount(node.schema)) return []
  return numberReadings(text, {
    isOnGrid: gridOf(node.schema),
    decimal,
    isMoney,
    isId: place.kind === 'id' || place.words.some((word) => CODES.has(word)),
  })
}

/** Whether only numbers without a sign are taken. */
function isCount({ minimum, exclusiveMinimum }: JsonSchema): boolean {
  return [minimum, exclusiveMinimum].some((bound) => typeof bound === 'number' && bound >= 0)
}

/** The only number of a text; undefined if there is none or a tie. */
function onlyNumber(text: string, misfit: Misfit, grid = false): number | undefined {
  const { facts } = misfit.walk
  const readings = grid
    ? numbers(text, misfit)
    : numberReadings(text, { isOnGrid: () => true, decimal: facts.decimal, isMoney: false, isId: false })
  const [first] = readings
  return first !== undefined && readings.every(({ value }) => value === first.value) ? first.value : undefined
}

function plainNumber(text: string, misfit: Misfit): readonly Candidate[] {
  const { listed } = misfit.node
  const candidates = numbers(text, misfit).map(({ value, cost }) => ({ value, rule: cost === 1 ? 'number' : 'number notation', cost }))
  return listed === undefined ? candidates : candidates.filter(({ value }) => listed.some((each) => each.value === value))
}

/** `3 nights` for `nights`, `page 2` for `page`, `#42` for `issue_number`. */
function countedNoun(text: string, misfit: Misfit): readonly Candidate[] {
  if (text.length > 60) return []
  const { words: names, text: told } = misfit.place
  const sign = /^#(\d+)$/.exec(text)?.[1]
  if (sign !== undefined) return names.some((word) => NUMBERED.has(word)) ? counted(sign, misfit) : []
  const [, count, noun] = /^(\S+(?:[ ,.]\d{3})*)\s+(\p{L}+)$/u.exec(text) ?? []
  const [, label, number] = /^(\p{L}+)(?:\s+|\s*[:=#]\s*|\s+#)(\d\S*)$/u.exec(text) ?? []
  const nouns = new Set([...names, ...nounsIn(told), ...impliedNouns(misfit)].map(singular))
  if (count !== undefined && noun !== undefined && nouns.has(singular(noun.toLowerCase()))) return counted(count, misfit)
  return label !== undefined && number !== undefined && names.map(singular).includes(singular(label.toLowerCase()))
    ? counted(number, misfit)
    : []
}

const GUESTS: ReadonlySet<string> = new Set(
  'attendee group guest head headcount participant party passenger people person seat traveler traveller'.split(' '),
)

/** The nouns that go without saying: people for a party, stars for a rating that ends at five. */
function impliedNouns({ node, place }: Misfit): readonly string[] {
  if (someWord(place.words, GUESTS)) return ['people', 'person']
  return place.words.includes('rating') && node.schema['maximum'] === 5 ? ['star'] : []
}

const NUMBERED: ReadonlySet<string> = new Set(['id', 'issue', 'no', 'number', 'pr', 'pull', 'ticket'])

function nounsIn(text: string): readonly string[] {
  const after = text.matchAll(/(?:number of|how many|maximum(?: number of)?|count of|limit of)\s+(?:(\w+)\s+)?(\w+)/g)
  return [...after].flatMap(([, one, two]) => [one, two].filter((word) => word !== undefined))
}

function counted(count: string, misfit: Misfit): readonly Candidate[] {
  return numbers(count, misfit).map(({ value }) => ({ value, rule: 'own noun off', cost: 2 }))
}

/** Only the currency that the field or the input names, and never for cents. */
function currencyOff(text: string, misfit: Misfit): readonly Candidate[] {
  const money = moneyText(text)
  const { place, walk } = misfit
  if (money === undefined || isMinorUnit(place)) return []
  const own = currenciesOf(place)
  const known = own.size > 0 ? own : walk.facts.currencies
  const [currency] = known
  if (currency === undefined || known.size > 1 || !money.currencies.includes(currency)) return []
  // No price has three decimals: `$1.500` was written by somebody who groups by dots.
  const isOdd = /^[+-]?[1-9]\d{0,2}\.\d{3}$/.test(money.number)
  const decimal = walk.facts.decimal ?? (COMMA_GROUPS.has(currency) && !isOdd ? '.' : undefined)
  return numbers(money.number, misfit, decimal).map(({ value }) => ({ value, rule: 'currency off', cost: 2 }))
}

function percent(text: string, misfit: Misfit): readonly Candidate[] {
  const count = /^([+-]?[\d.,]+)\s*(?:%|percent|per cent|pct)$/i.exec(text)?.[1]
  const value = count === undefined ? undefined : onlyNumber(count, misfit)
  if (value === undefined) return []
  const { node, place } = misfit
  const { minimum, maximum, type } = node.schema
  const says = `${place.words.join(' ')} ${place.text}`
  const isPercent = /\bpercent|\bpct\b|%|\b0 to 100\b/.test(says) || (maximum === 100 && (type === 'integer' || minimum === 0))
  const isFraction = /\bfraction|\bratio\b|\bprobability\b|\b0(?:\.0)? (?:to|and|-) 1(?:\.0)?\b/.test(says) || maximum === 1
  if (isPercent === isFraction) return []
  return [{ value: isPercent ? value : Number((value / 100).toPrecision(12)), rule: 'percent', cost: 2 }]
}

const LENGTHS: ReadonlySet<string> = new Set(['duration', 'length', 'runtime', 'elapsed'])

/** `PT1H30M` as `1h 30m`, and the `1:30:00` of a length of time likewise. */
function spelledOut(text: string, { words: names }: Place): string {
  const [, ...lengths] = /^P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/i.exec(text) ?? []
  const clock = names.some((word) => LENGTHS.has(word)) ? /^(\d{1,3}):([0-5]\d):([0-5]\d)$/.exec(text) : null
  const counts = clock === null ? lengths : [undefined, ...clock.slice(1).map((count) => String(Number(count)))]
  const parts = counts.flatMap((count, index) =>
    count === undefined || (clock !== null && count === '0') ? [] : [`${count} ${'dhms'[index]}`],
  )
  return parts.length === 0 ? text : parts.join(' ')
}

/** Doses are not converted: a factor of a thousand is too easily wrong. */
function unitOff(text: string, misfit: Misfit): readonly Candidate[] {
  const { place } = misfit
  const unit = place.kind === 'money' ? undefined : unitOf(place)
  const found =
    unit === undefined ? undefined : measured(spelledOut(text, place), unit, (count) => onlyNumber(count, misfit) ?? numberWord(count))
  if (found === undefined || !gridOf(misfit.node.schema)(found.value)) return []
  if (found.isOwn) return [{ value: found.value, rule: 'own unit off', cost: 2 }]
  const isDose = place.kind === 'quantity' || /\bdos(?:e|age)\b|\bmedic/.test(place.text)
  return isDose ? [] : [{ value: found.value, rule: 'unit converted', cost: 3 }]
}

const EPOCH = /\b(?:unix|epoch|posix)\b/

function epochOfDate(text: string, { place, walk }: Misfit): readonly Candidate[] {
  const says = `${place.words.join(' ')} ${place.text}`
  if (!EPOCH.test(says)) return []
  return instants(text, { place, walk }).map((each) => {
    const ms = Date.parse(each)
    return { value: /\bms\b|\bmillis/.test(says) ? ms : ms / 1000, rule: 'epoch of date', cost: 2 }
  })
}

function listedValue(text: string, { node, place }: Misfit): readonly Candidate[] {
  return node.listed === undefined ? [] : enumReadings(text, node.listed, place)
}

/** A text that fits as soon as it is cleaned. */
function asItIs(text: string, { node, value, walk }: Misfit): readonly Candidate[] {
  const isNew = text !== value && node.listed === undefined
  return isNew && walk.fits(node.schema, text) ? [{ value: text, rule: 'text', cost: 0 }] : []
}

function notation(text: string, { node }: Misfit): readonly Candidate[] {
  return node.format === undefined ? [] : formatVariants(text, node.format).map(({ text: value, rule, cost }) => ({ value, rule, cost }))
}

function isPostal({ words: names }: Place): boolean {
  return names.some((word) => /^(?:zip|post|postal|plz)/.test(word))
}

/** Exactly one notation must fit the pattern. */
function patternNotation(text: string, { node, place, walk }: Misfit): readonly Candidate[] {
  if (node.pattern === undefined || node.listed !== undefined || walk.fits(node.schema, text)) return []
  const digits = text.replace(/\D/g, '')
  const isFixed = !walk.fits(node.schema, `${digits}0`) && !walk.fits(node.schema, digits.slice(0, -1))
  for (const group of patternVariants(text, {
    kind: place.kind,
    isName: namesThing(place),
    isVersion: place.words.includes('version'),
    isPostal: isPostal(place),
    isFixed,
  })) {
    const fitting = group.filter((each) => each.text !== text && walk.fits(node.schema, each.text))
    if (fitting.length > 0) return fitting.map(({ text: value, rule, cost }) => ({ value, rule, cost }))
  }
  return []
}

/** Days, times and instants in the notation of ISO 8601. */
function calendarText(text: string, { node, place, walk }: Misfit): readonly Candidate[] {
  const { format, pattern, listed } = node
  if (listed !== undefined || (format === undefined ? pattern === undefined : !CALENDAR.has(format))) return []
  const found = new Set<string>()
  if (format === undefined || format === 'date') for (const each of days(text, { place, walk })) found.add(each)
  if (format === undefined || format === 'date-time') for (const each of instants(text, { place, walk })) found.add(each)
  const clock = format === 'date' || format === 'date-time' ? undefined : readClock(place.words.includes('time') ? withColon(text) : text)
  if (clock !== undefined) for (const each of times(clock, zoneFor(clock, { place, walk }))) found.add(each)
  const fitting = [...found].filter((each) => walk.fits(node.schema, each))
  // Some schemas take instants in UTC only.
  const utc = fitting.length > 0 ? [] : [...found].flatMap(inUtc).filter((each) => walk.fits(node.schema, each))
  return [...fitting, ...utc].map((value) => ({ value, rule: 'date notation', cost: 2 }))
}

/** `0730` as a time of day. */
function withColon(text: string): string {
  return text.replace(/^([01]\d|2[0-3])([0-5]\d)$/, '$1:$2')
}

const CALENDAR: ReadonlySet<string> = new Set(['date', 'date-time', 'time'])

type Where = Pick<Misfit, 'place' | 'walk'>

/** A time that is not midnight would be lost. */
function days(text: string, { place, walk }: Where): readonly string[] {
  return dateReadings(text, { facts: walk.facts, text: place.text })
    .filter(({ clock }) => clock === undefined || /^00:00:00$/.test(clock.text))
    .map(({ day }) => dayText(day))
}

function instants(text: string, where: Where): readonly string[] {
  return dateReadings(text, { facts: where.walk.facts, text: where.place.text }).flatMap(({ day, clock }) => {
    const zone = clock === undefined ? undefined : zoneFor(clock, where)
    return clock === undefined || zone === undefined ? [] : [`${dayText(day)}T${clock.text}${zone}`]
  })
}

/** The zone of the text, else the one that the description or another field names. */
function zoneFor({ zone }: ClockReading, { place, walk }: Where): string | undefined {
  if (zone !== undefined) return zone
  if (/\b(?:utc|gmt)\b/.test(place.text) || place.words.includes('utc')) return 'Z'
  return walk.facts.zone === 'unknown' ? undefined : walk.facts.zone
}

function times({ text, zone }: ClockReading, known: string | undefined): readonly string[] {
  const zoned = known === undefined ? [] : [`${text}${known}`]
  return zone === undefined ? [...zoned, text, text.replace(/:00$/, '')] : zoned
}

function inUtc(text: string): readonly string[] {
  const time = Date.parse(text)
  return Number.isNaN(time) || !text.includes('T') ? [] : [isoInstant(time)]
}

function isoInstant(time: number): string {
  return new Date(time).toISOString().replace('.000Z', 'Z')
}

/** A day, and the hour or the time behind it, without separators. */
const WRITTEN_TIME = /^(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])/

/** Ten digits are seconds, thirteen are milliseconds, unless they begin with a day. */
function instantOfEpoch(text: string, { node }: Misfit): readonly Candidate[] {
  if (node.format !== 'date-time' || !/^(?:\d{10}|\d{13})$/.test(text) || WRITTEN_TIME.test(text)) return []
  return [{ value: isoInstant(Number(text) * (text.length === 10 ? 1000 : 1)), rule: 'epoch', cost: 2 }]
}

function durationText(text: string, misfit: Misfit): readonly Candidate[] {
  if (misfit.node.format !== 'duration') return []
  const value = isoDuration(text, (count) => onlyNumber(count, misfit) ?? numberWord(count))
  return value === undefined ? [] : [{ value, rule: 'duration', cost: 2 }]
}
