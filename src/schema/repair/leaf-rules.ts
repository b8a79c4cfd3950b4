import { calendarNumber, calendarText, epochOfDate, instantOfEpoch, isDated, isEpoch, monthText, shownDay } from './calendar-rules.ts'
import { booleanWords } from './boolean-words.ts'
import { dayText } from './calendar.ts'
import { clockRange } from './clock-range.ts'
import { explainedCode, markedValue, worldCode } from './code-rules.ts'
import { coordinate } from './coordinate-rule.ts'
import { dateReadings } from './date-readings.ts'
import { isoDuration } from './duration-readings.ts'
import { enumReadings } from './enum-readings.ts'
import { namesThing } from './field-kind.ts'
import { isResultCount } from './clamp.ts'
import { codeOff, currencyOff, thousands } from './money-rules.ts'
import { withoutNameSign } from './name-sign.ts'
import { singular, someWord } from './name-words.ts'
import type { Candidate, LeafRule } from './leaf-rule.ts'
import type { Place } from './place.ts'
import { numbers, onlyNumber } from './field-numbers.ts'
import { gridOf } from './number-readings.ts'
import { numberWord } from './number-words.ts'
import { spelledOut, withoutEvery } from './length-text.ts'
import { isMark } from './marks.ts'
import { ordinalIn } from './ordinal-in.ts'
import { asShown } from './shown-case.ts'
import { fixedNotations } from './pattern-notations.ts'
import { inTemplate, withOneSeparator } from './pattern-template.ts'
import { withoutRate } from './rate-units.ts'
import { formatVariants, patternVariants } from './text-variants.ts'
import { isOfBytes, letterUnit, measured, unitOf } from './units.ts'
import type { Unit } from './unit-table.ts'
import { isZoneName } from './zone-offset.ts'
import type { SchemaNode } from './schema-node.ts'
import type { Misfit } from './walk.ts'

export const LEAF_RULES: readonly LeafRule[] = [
  { into: 'number', read: plainNumber },
  { into: 'number', read: listedValue },
  { into: 'number', read: unlessBare(countedNoun) },
  { into: 'number', read: unlessBare(currencyOff) },
  { into: 'number', read: unlessBare(codeOff) },
  { into: 'number', read: unlessBare(thousands) },
  { into: 'number', read: unlessBare(percent) },
  { into: 'number', read: unlessBare(unitOff) },
  { into: 'number', read: unlessBare(rateOff) },
  { into: 'number', read: epochOfDate },
  { into: 'number', read: calendarNumber },
  { into: 'number', read: outOfMost },
  { into: 'number', read: coordinate },
  { into: 'boolean', read: (text, { place }) => words(text, booleanWords(place), 'boolean word') },
  { into: 'null', read: (text) => words(text, NULLS, 'null word') },
  { into: 'string', read: listedValue },
  { into: 'string', read: asItIs },
  { into: 'string', read: notation },
  { into: 'string', read: patternNotation },
  { into: 'string', read: worldCode },
  { into: 'string', read: explainedCode },
  { into: 'string', read: markedValue },
  { into: 'string', read: clockRange },
  { into: 'string', read: calendarText },
  { into: 'string', read: monthText },
  { into: 'string', read: shownDay },
  { into: 'string', read: instantOfEpoch },
  { into: 'string', read: durationText },
]

/** A number without any sign or word beside it has no unit, noun or currency to take off. */
function unlessBare(read: LeafRule['read']): LeafRule['read'] {
  return (text, misfit) => (/^[\d.,+\s-]*$/.test(text) ? [] : read(text, misfit))
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

function plainNumber(text: string, misfit: Misfit): readonly Candidate[] {
  const { listed } = misfit.node
  const candidates = numbers(text, misfit).map(({ value, cost }) => ({ value, rule: cost === 1 ? 'number' : 'number notation', cost }))
  return listed === undefined ? candidates : candidates.filter(({ value }) => listed.some((each) => each.value === value))
}

/** `3 nights` for `nights`, `page 2` for `page`, `#42` for `issue_number`. */
function countedNoun(text: string, misfit: Misfit): readonly Candidate[] {
  if (text.length > 60) return []
  const { words: names, text: told } = misfit.place
  const numbered = numberedNoun(text, misfit)
  const age = names.at(-1) === 'age' ? /^(\d{1,3})\s?y\/?o$/i.exec(text)?.[1] : undefined
  const bare = numbered ?? age ?? factorIn(text, names) ?? idBehindPrefix(text, misfit) ?? partyOf(text, names)
  if (bare !== undefined) return counted(bare, misfit)
  const sign = /^#(\d+)$/.exec(text)?.[1]
  if (sign !== undefined) return names.some((word) => NUMBERED.has(word)) ? counted(sign, misfit) : []
  const ordinal = ordinalIn(text, names)
  if (ordinal !== undefined) return counted(ordinal, misfit)
  const [, count, noun] = /^(\S+(?:[ ,.]\d{3})*|\d+ \(\p{L}+\))\s+(\p{L}+)\.?$/u.exec(text) ?? /^(\d+)(\p{L}{3,})$/u.exec(text) ?? []
  const [, label, number] = /^(\p{L}+)(?:\s+|\s*[:=#]\s*|\s+#)(\d\S*|[a-z]+(?:-[a-z]+)?)$/iu.exec(text) ?? []
  if (noun !== undefined && isOfBytes(noun)) return []
  // `90 min` are minutes, and no minimum.
  const nouns = new Set(
    [...names.filter((word) => word !== 'min' && word !== 'max'), ...nounsIn(told), ...impliedNouns(misfit)].map(singular),
  )
  // `5 months` are a length of time, and no month.
  const isLength = noun !== undefined && CALENDAR.has(names.at(-1) ?? '') && singular(noun.toLowerCase()) !== noun.toLowerCase()
  if (count !== undefined && noun !== undefined && !isLength && nouns.has(singular(noun.toLowerCase()))) return counted(count, misfit)
  return label !== undefined && number !== undefined && names.map(singular).includes(singular(label.toLowerCase()))
    ? counted(number, misfit)
    : []
}

const YEARS: ReadonlySet<string> = new Set(['month', 'quarter', 'week', 'year'])
const CALENDAR: ReadonlySet<string> = new Set([...YEARS, 'day', 'hour', 'weekday'])

/** `S02` for a season and `p. 3` for a page: the number of one thing behind the beginning of its name. */
function numberedNoun(text: string, { node, place }: Misfit): string | undefined {
  const [, letters = '', number] = /^(\p{L}{1,6})(?:\.?\s?|#)0*(\d{1,6})$/u.exec(text) ?? []
  const last = place.words.at(-1) ?? ''
  const isNumbered =
    node.schema['type'] === 'integer' &&
    place.kind === 'plain' &&
    singular(last) === last &&
    !SCALES.has(last) &&
    unitOf(place) === undefined
  return number !== undefined && isNumbered && last.startsWith(letters.toLowerCase()) ? number : undefined
}

/** `E1042` and `EMP-1042` for the number of an employee: the beginning of a word of its name before the id of a thing. */
function idBehindPrefix(text: string, { node, place }: Misfit): string | undefined {
  const [, letters = '', number] = /^(\p{L}{1,12})[-_ #:]?([1-9]\d{0,14})$/u.exec(text) ?? []
  const isId = node.schema['type'] === 'integer' && place.kind === 'id'
  return number !== undefined && isId && place.words.some((word) => word !== 'id' && word.startsWith(letters.toLowerCase()))
    ? number
    : undefined
}

/** Names of scales of which some count upwards and others downwards. */
const SCALES: ReadonlySet<string> = new Set(['grade', 'level', 'priority', 'rating', 'severity'])

const FACTORS: ReadonlySet<string> = new Set(['factor', 'magnification', 'multiplier', 'scale', 'scaling', 'speed', 'zoom'])

/** `1.5x` for a factor. */
function factorIn(text: string, names: readonly string[]): string | undefined {
  const [, behind, before] = /^(\d+(?:\.\d+)?)\s?[x×]$|^[x×]\s?(\d+(?:\.\d+)?)$/i.exec(text) ?? []
  const last = names.at(-1) ?? ''
  return FACTORS.has(last) ? (behind ?? before) : last === 'qty' || last === 'quantity' ? behind : undefined
}

/** The greatest number that the field takes. */
function mostOf({ schema, listed = [] }: SchemaNode): number | undefined {
  const { maximum } = schema
  const taken = listed.map(({ value }) => value).filter((value) => typeof value === 'number')
  return typeof maximum === 'number' ? maximum : taken.length === 0 ? undefined : Math.max(...taken)
}

/** `4/5` and `4 out of 5` where five is the most. */
function outOfMost(text: string, misfit: Misfit): readonly Candidate[] {
  const stars = /^(★+)☆*$/u.exec(text)?.[1]
  if (stars !== undefined) return text.length === mostOf(misfit.node) || !text.includes('☆') ? counted(String(stars.length), misfit) : []
  const [, count, most] = /^(\d+(?:\.\d+)?|[a-z]+)\s*(?:\/|out of|of)\s*(\d+|[a-z]+)(?:\s+stars)?$/i.exec(text) ?? []
  const bound = most === undefined ? undefined : (numberWord(most) ?? Number(most))
  const isMost = bound !== undefined && bound > 1 && mostOf(misfit.node) === bound && isMark(misfit.place)
  return isMost && count !== undefined ? numbers(count, misfit).map(({ value }) => ({ value, rule: 'out of the most', cost: 2 })) : []
}

const GUESTS: ReadonlySet<string> = new Set(
  'attendee group guest head headcount participant party passenger people person portion seat serving traveler traveller'.split(' '),
)

/** `party of 4` for guests, and the `250m` of a cluster for millicores. */
function partyOf(text: string, names: readonly string[]): string | undefined {
  if (names.at(-1) === 'millicores') return /^(\d+)m$/.exec(text)?.[1]
  return someWord(names, GUESTS) ? /^(?:a )?(?:party|group|table) (?:of|for) (\d{1,3}|[a-z]+)$/i.exec(text)?.[1] : undefined
}

/** The nouns that go without saying: people for a party, stars for a rating that ends at five. */
function impliedNouns({ node, place }: Misfit): readonly string[] {
  if (someWord(place.words, GUESTS)) return ['people', 'person', 'pax']
  if (place.words.includes('pages')) return ['pp', 'pg', 'pgs']
  if (isResultCount(place)) return ['result', 'item', 'row', 'record', 'hit', 'match', 'entry']
  return place.words.includes('rating') && mostOf(node) === 5 ? ['star'] : []
}

const NUMBERED: ReadonlySet<string> = new Set(['id', 'issue', 'no', 'number', 'pr', 'pull', 'ticket'])

/** What is counted: `number of pieces`, or `Pieces to move`. */
function nounsIn(text: string): readonly string[] {
  const first = /^(\w+)\b/.exec(text)?.[1] ?? ''
  const after = text.matchAll(/(?:number of|how many|maximum(?: number of)?|count of|limit of)\s+(?:(\w+)\s+)?(\w+)/g)
  const told = [...after].flatMap(([, one, two]) => [one, two].filter((word) => word !== undefined))
  return singular(first) === first ? told : [first, ...told]
}

function counted(count: string, misfit: Misfit): readonly Candidate[] {
  return numbers(count, misfit).map(({ value }) => ({ value, rule: 'own noun off', cost: 2 }))
}

function percent(text: string, misfit: Misfit): readonly Candidate[] {
  const count = /^([+-]?[\d.,]+|[a-z]+(?:[ -][a-z]+)?)\s*(?:%|percent|per cent|pct)$/i.exec(text)?.[1]
  const value = count === undefined ? undefined : (onlyNumber(count, misfit) ?? numberWord(count))
  if (value === undefined) return []
  const { node, place } = misfit
  const { minimum, maximum, type } = node.schema
  const says = `${place.words.join(' ')} ${place.text}`
  const isPercent =
    /\bpercent|\bpct\b|%|\b0 to 100\b/.test(says) || (maximum === 100 && (type === 'integer' || minimum === 0) && !isResultCount(place))
  const isFraction = /\bfraction|\bratio\b|\bprobability\b|\b0(?:\.0)? (?:to|and|-) 1(?:\.0)?\b/.test(says) || maximum === 1
  const shown = shownScale(place.text)
  // A description of a fraction may speak of percent; one that ends at 1 is no percentage.
  if (shown === 'both' || (shown === undefined && isPercent === isFraction && maximum !== 1)) return []
  const isWhole = maximum !== 1 && (shown === undefined ? isPercent : shown === 'percent')
  return [{ value: isWhole ? value : Number((value / 100).toPrecision(12)), rule: 'percent', cost: 2 }]
}

/** What `0.25 for 25%` or `25 = 25 %` in a description shows; undefined without such an example. */
function shownScale(text: string): 'both' | 'fraction' | 'percent' | undefined {
  const scales = new Set<'fraction' | 'percent'>()
  for (const [, number, percentage] of text.matchAll(
    /(?<![\d.])(\d*\.?\d+)\s*(?:=|->|for|means|is|represents)\s*(\d+(?:\.\d+)?)\s?(?:%|percent)/g,
  )) {
    if (Number(number) === Number(percentage)) scales.add('percent')
    else if (Math.abs(Number(number) * 100 - Number(percentage)) < 1e-9) scales.add('fraction')
  }
  const [scale, ...more] = scales
  return more.length === 0 ? scale : 'both'
}

/** Doses are not converted: a factor of a thousand is too easily wrong. */
function unitOff(text: string, misfit: Misfit): readonly Candidate[] {
  const { place } = misfit
  const unit =
    place.kind === 'money' || isEpoch(place) || YEARS.has(place.words.at(-1) ?? '') ? undefined : (unitOf(place) ?? letterUnit(text, place))
  const found =
    unit === undefined
      ? undefined
      : measured(
          spelledOut(withoutEvery(text, place), place, unit.name === 's'),
          unit,
          (count) => onlyNumber(count, misfit) ?? numberWord(count),
        )
  if (found === undefined || !gridOf(misfit.node.schema)(found.value)) return otherScale(text, unit, misfit)
  if (found.isOwn) return [{ value: found.value, rule: 'own unit off', cost: 2 }]
  const isDose =
    (place.kind === 'quantity' && !isWeighed(place)) || DOSES.test(`${place.words.join(' ')} ${place.text} ${misfit.walk.about}`)
  return isDose ? [] : [{ value: found.value, rule: 'unit converted', cost: 3 }]
}

const DOSES = /\bdos(?:e|age|ing)s?\b|\bmedic|\bdrugs?\b|\bprescri|\bpatient/

/** An amount whose name ends with a unit of everyday goods is no number of pieces and no dose. */
function isWeighed({ words: names }: Place): boolean {
  return ['g', 'grams', 'kg', 'l', 'ml', 'litres', 'liters'].includes(names.at(-1) ?? '')
}

/** `68°F` in degrees Celsius, where the result is exact. */
function otherScale(text: string, unit: Unit | undefined, misfit: Misfit): readonly Candidate[] {
  const [, count = '', scale = ''] = /^([+-]?\d{1,4})\s?(?:°\s?|degrees\s)?(C|F|Celsius|Fahrenheit)$/i.exec(text) ?? []
  const from = scale.charAt(0).toLowerCase()
  if (count === '' || unit === undefined || unit.name === from || (unit.name !== 'c' && unit.name !== 'f')) return []
  const value = from === 'f' ? ((Number(count) - 32) * 5) / 9 : (Number(count) * 9) / 5 + 32
  return Number.isInteger(value) && gridOf(misfit.node.schema)(value) ? [{ value, rule: 'unit converted', cost: 3 }] : []
}

/** `12 l/min` for `flow_l_min`. Nothing is converted. */
function rateOff(text: string, misfit: Misfit): readonly Candidate[] {
  const count = withoutRate(text, misfit.place)
  const value = count === undefined ? undefined : onlyNumber(count, misfit)
  return value === undefined || !gridOf(misfit.node.schema)(value) ? [] : [{ value, rule: 'own unit off', cost: 2 }]
}

/** The value, also beside the thing that the tool is about: `sick leave` for the kind of `request_leave`. */
function listedValue(text: string, { node, place, walk }: Misfit): readonly Candidate[] {
  if (node.listed === undefined) return toldNumber(text, { node, place })
  const own = enumReadings(text, node.listed, place)
  const thing = /^[a-z][\w.]*[_.]([a-z]{3,})(?=[\s:]|$)/.exec(walk.about)?.[1]
  const [, bare, noun = ''] = /^(\S.*)\s(\p{L}+)$/u.exec(text) ?? []
  const isAbout = bare !== undefined && thing !== undefined && singular(noun.toLowerCase()) === singular(thing)
  return own.length > 0 || !isAbout ? own : enumReadings(bare, node.listed, place).filter(({ cost }) => cost <= 2)
}

const MOST_STEPS = 20

/** The number of a small scale that the description gives a name: `1 = low, 2 = medium, 3 = high`. */
function toldNumber(text: string, { node, place }: Pick<Misfit, 'node' | 'place'>): readonly Candidate[] {
  const { type, minimum, maximum } = node.schema
  if (type !== 'integer' || typeof minimum !== 'number' || typeof maximum !== 'number' || place.text === '') return []
  if (maximum - minimum >= MOST_STEPS || !/^\p{L}/u.test(text)) return []
  const scale = Array.from({ length: maximum - minimum + 1 }, (_each, index) => ({ value: minimum + index, labels: [] }))
  return enumReadings(text, scale, place).filter(({ rule }) => rule === 'enum label')
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

const CODE: ReadonlySet<string> = new Set(
  'sql command cmd script expression statement regex formula cron selector xpath jsonpath'.split(' '),
)

/** Names that people chose for themselves, as they chose to write them. */
const LOGINS: ReadonlySet<string> = new Set(['handle', 'login', 'nickname', 'user', 'username'])

const SYMBOLS: ReadonlySet<string> = new Set(['airport', 'code', 'stock', 'symbol', 'ticker'])

/** Exactly one notation must fit the pattern. */
function patternNotation(text: string, { node, place, walk }: Misfit): readonly Candidate[] {
  if (node.pattern === undefined || node.listed !== undefined || walk.fits(node.schema, text)) return []
  const digits = text.replace(/\D/g, '')
  const isCode = place.words.some((word) => CODE.has(word))
  const isZone = place.words.some((word) => word === 'timezone' || word === 'tz')
  const days = new Set(dateReadings(text, { facts: walk.facts, text: '' }).map(({ day }) => dayText(day)))
  const isFixed = !walk.fits(node.schema, `${digits}0`) && !walk.fits(node.schema, digits.slice(0, -1))
  for (const group of patternVariants(text, {
    kind: place.kind,
    isName: namesThing(place),
    isVersion: place.words.includes('version'),
    isDay: days.size > 0 && !isDated(place),
    isOpenDay: days.size > 1,
    isSlug: place.words.includes('slug'),
    isSymbol: place.words.some((word) => SYMBOLS.has(word)),
    isSigned: withoutNameSign(text, place.words) !== undefined,
    isCode,
    isSmall: place.kind === 'id' && !someWord(place.words, LOGINS) && !/[A-Z]-[A-Z]|\\[wSDWp]|(?<!\\)\.|\[\^/.test(node.pattern),
    isCron: place.words.includes('cron'),
    isPostal: isPostal(place),
    isNumbered: place.words.includes('code'),
    isBase64: node.schema['contentEncoding'] === 'base64' || place.words.includes('base64') || /\bbase64\b/.test(place.text),
    isFixed,
  })) {
    const fitting = group.filter((each) => each.text !== text && walk.fits(node.schema, each.text) && (!isZone || isZoneName(each.text)))
    // Where the letters may stay as they are, their case is no second question.
    const kept = fitting.filter((each) => lettersOf(each.text) === lettersOf(text))
    const own = kept.length > 0 ? kept : fitting
    const shown = own.length > 1 ? asShown(own, node) : own
    if (shown.length > 0) return shown.map(({ text: value, rule, cost }) => ({ value, rule, cost }))
  }
  if (place.kind === 'path' || isCode) return []
  // The mode of a file is octal, which a zero before it says.
  const isOctal = /\boctal\b/.test(place.text) && /^(?:0o)?[0-7]{3}$/.test(text) && walk.fits(node.schema, `0${text.slice(-3)}`)
  if (isOctal) return [{ value: `0${text.slice(-3)}`, rule: 'octal notation', cost: 2 }]
  const whole = days.size === 0 ? separated(text, { node, place, walk }) : undefined
  if (whole !== undefined) return [{ value: whole, rule: 'separators', cost: 3 }]
  return fixedNotations(text, (each) => walk.fits(node.schema, each)).map((value) => ({ value, rule: 'pattern notation', cost: 2 }))
}

function lettersOf(text: string): string {
  return text.replace(/\P{L}/gu, '')
}

/** The text with the separators that the pattern has and the writer left out, if there is one way only to set them. */
function separated(text: string, { node, place, walk }: Pick<Misfit, 'node' | 'place' | 'walk'>): string | undefined {
  const bare = place.kind === 'recipient' ? text.replace(/[()\s.-]/g, '') : text
  const shaped = inTemplate(bare, node.pattern ?? '')
  const cased = [shaped, shaped?.toUpperCase(), shaped?.toLowerCase()].find((each) => each !== undefined && walk.fits(node.schema, each))
  if (cased !== undefined || place.kind === 'recipient') return cased
  const [only, ...more] = new Set([text, text.toUpperCase()].flatMap(withOneSeparator).filter((each) => walk.fits(node.schema, each)))
  return more.length === 0 ? only : undefined
}

const LENGTH_TEXTS = ['PT1H', 'PT5M', 'PT30S', 'P1D']
const WORDS = ['a', 'name', 'NAME']

function durationText(text: string, misfit: Misfit): readonly Candidate[] {
  const { node, walk } = misfit
  const isLength =
    node.format === 'duration' || (node.pattern !== undefined && LENGTH_TEXTS.some((each) => walk.matches(node.pattern ?? '', each)))
  if (!isLength || node.listed !== undefined || (node.format === undefined && WORDS.some((each) => walk.fits(node.schema, each)))) return []
  const value = isoDuration(text, (count) => onlyNumber(count, misfit) ?? numberWord(count))
  return value === undefined ? [] : [{ value, rule: 'duration', cost: 2 }]
}
