import { numberWord } from './number-words.ts'
import type { Place } from './place.ts'
import { type Unit, UNITS } from './unit-table.ts'

/** Letters that are units in a text and more often something else in a name. */
const VAGUE: ReadonlySet<string> = new Set([
  'c',
  'd',
  'f',
  'g',
  'h',
  'in',
  'l',
  'm',
  'min',
  'oz',
  's',
  't',
  'us',
  'v',
  'w',
  'y',
  'a',
  'k',
  'bar',
  'cl',
  'db',
  'ha',
  'pt',
  'tb',
  '°',
  'kilo',
  'pound',
  'second',
  'foot',
  'tag',
  'std',
])
/** Names beside which a letter is a unit: `distance_m`, `timeout_s`. */
const DIMENSIONS = [
  { dimension: 'length', names: /\b(?:distance|length|height|width|depth|radius|altitude|elevation|range)$/ },
  {
    dimension: 'time',
    names:
      /\b(?:timeout|duration|interval|delay|ttl|age|time|wait|period|window|length|runtime|lead|travel|walk|cooldown|transition|fade|crossfade|grace|elapsed|uptime|downtime|session|meeting|snooze|eta|prep|cooking|drive|ride|commute|break|call|latency|response|buffer|lifetime|expiry|retention|exposure|shutter|polling|refresh|heartbeat|idle|timer|countdown|deadline|warmup|rest)$/,
  },
  { dimension: 'mass', names: /\b(?:weight|mass|amount)$/ },
  { dimension: 'imperial mass', names: /\b(?:weight|mass)$/ },
  { dimension: 'volume', names: /\b(?:volume|amount)$/ },
  { dimension: 'power', names: /\b(?:power|load|wattage)$/ },
  { dimension: 'voltage', names: /\bvoltage$/ },
  { dimension: 'current', names: /\bcurrent$/ },
  { dimension: 'area', names: /\b(?:area|size)$/ },
  { dimension: 'pressure', names: /\bpressure$/ },
  { dimension: 'decibels', names: /\b(?:gain|level|volume|threshold)$/ },
  { dimension: 'terabytes', names: /\b(?:size|disk|storage|capacity)$/ },
  { dimension: 'points', names: /\b(?:size|font)$/ },
  { dimension: 'kelvin', names: /\btemp(?:erature)?$/ },
  { dimension: 'celsius', names: /\btemp(?:erature)?$/ },
  { dimension: 'fahrenheit', names: /\btemp(?:erature)?$/ },
] as const
/** Words behind which a number with another unit may stand. `Maximum wait in seconds` has no number and tells the unit. */
const NO_EVIDENCE =
  /\b(?:(?:at most|at least|up to|e\.g\.|for example|such as|older than|within)\b|(?:maximum|minimum|max|min|defaults?)\b(?=(?: is| of| to)?\W*\d))[^.;]*/g

/** The unit of a field: the last word of its name, or the one unit that its description names. A rate has none that a length could have. */
export function unitOf({ words, text: given, group }: Place): Unit | undefined {
  const text = withRates(given)
  const last = words.at(-1) ?? ''
  if (
    words.includes('per') ||
    /\bper (?:\w+ )?(?:ms|second|minute|hour|day|week|month|year|km|kilomet|mile|met|kg|kilogram|lit)/.test(text)
  )
    return undefined
  const before = words.slice(0, -1).join(' ')
  const isOf = ({ dimension }: Unit): boolean => DIMENSIONS.some((each) => each.dimension === dimension && each.names.test(before))
  const [named, ...others] = UNITS.filter((each) => each.words.includes(last) && (!VAGUE.has(last) || isOf(each)))
  // `length_m` is in metres or in minutes.
  const meant =
    others.length === 0 ? named : [named, ...others].find((each) => each?.words.some((word) => word.length > 2 && text.includes(word)))
  if (meant !== undefined || others.length > 0) return meant
  const told = new Set<Unit>()
  for (const word of withAreas(text.replace(NO_EVIDENCE, ' ')).match(/[a-z°µμ/]+(?:[23](?![a-z\d]))?/g) ?? []) {
    const found = VAGUE.has(word) ? undefined : UNITS.find((each) => each.words.includes(word))
    if (found !== undefined) told.add(found)
  }
  // A letter behind `in`, with which a sentence ends, is the unit that the name ends with.
  const letter = /\bin ([a-z])(?=[.,;)]|$)/.exec(text)?.[1]
  const lettered = letter === last ? UNITS.filter((each) => each.words.includes(last)) : []
  if (lettered.length === 1) for (const each of lettered) told.add(each)
  // `Degrees Celsius` is one unit.
  if (told.size > 1) for (const each of told) if (each.name === 'deg') told.delete(each)
  const [only] = told
  return told.size === 0
    ? (groupUnit(words, group) ?? (/\brad(?:ian)?s?\b/.test(text) ? undefined : impliedUnit(words, group)))
    : told.size === 1
      ? only
      : undefined
}

const SIDES: ReadonlySet<string> = new Set('length width height depth x y z min max minimum maximum from to least most value'.split(' '))

/** `dimensions_cm.width` is in centimetres. */
function groupUnit(words: readonly string[], group: readonly string[]): Unit | undefined {
  const last = group.at(-1) ?? ''
  return SIDES.has(words.join(' ')) && !VAGUE.has(last) ? UNITS.find((each) => each.words.includes(last)) : undefined
}

/** Names of measures that are written in one unit only, or in pixels by everybody who writes a unit. None of them converts. */
const IMPLIED: readonly (readonly [unit: string, names: ReadonlySet<string>])[] = [
  ['deg', new Set('latitude longitude lat lon lng angle bearing heading azimuth rotation tilt'.split(' '))],
  ['bpm', new Set(['pulse', 'heartrate', 'tempo'])],
  ['px', new Set(['width', 'height'])],
  ['years', new Set(['age'])],
]

const FONTS: ReadonlySet<string> = new Set(['font', 'style', 'text'])

function impliedUnit(words: readonly string[], group: readonly string[]): Unit | undefined {
  if (words.at(-1) === 'size' && [...words, ...group].some((word) => FONTS.has(word))) return UNITS.find(({ name }) => name === 'pt')
  const names = words.join(' ') === 'heart rate' ? ['heartrate'] : words
  const found = IMPLIED.find(([, measures]) => measures.has(names.at(-1) ?? ''))
  const unit = found === undefined ? undefined : UNITS.find(({ name }) => name === found[0])
  return unit === undefined ? undefined : { ...unit, isImplied: true }
}

/** `step_s` is in seconds where the value has a unit of time: the last letter of a name and the value tell each other. */
export function letterUnit(text: string, { words }: Place): Unit | undefined {
  const last = words.at(-1) ?? ''
  if (words.length < 2 || !/^[a-z]$/.test(last) || words.includes('per')) return undefined
  const dimensions = (partsOf(text) ?? []).map(
    ({ word }) => new Set(UNITS.filter((each) => word.length > 1 && each.words.includes(word)).map(({ dimension }) => dimension)),
  )
  const [only, ...more] = UNITS.filter(
    (each) => each.words.includes(last) && dimensions.length > 0 && dimensions.every((known) => known.has(each.dimension)),
  )
  return more.length === 0 ? only : undefined
}

export interface Measured {
  readonly value: number
  /** The unit of the text is the one of the field. */
  readonly isOwn: boolean
}

/**
 * The number of a text such as `1h 30m` in the unit of a field. Undefined where a part has no unit of that dimension. The result of a
 * conversion is exact or undefined.
 */
export function measured(text: string, into: Unit, numberIn: (text: string) => number | undefined): Measured | undefined {
  const parts = partsOf(withScale(text, into))
  if (parts === undefined) return undefined
  let steps = 0
  let last: number | undefined
  for (const { count, word } of parts) {
    const from = UNITS.find((each) => each.dimension === into.dimension && each.words.includes(word))
    if (into.isImplied === true && from?.name !== into.name) return undefined
    const number = numberIn(count)
    if (from === undefined || number === undefined || from.steps === last) return undefined
    if (parts.length === 1 && from.name === into.name) return { value: number, isOwn: true }
    last = from.steps
    steps += number * from.steps
  }
  const value = Number((steps / into.steps).toPrecision(12))
  return Math.abs(value * into.steps - steps) <= 1e-9 * Math.abs(steps) ? { value, isOwn: false } : undefined
}

/** `21 degrees Celsius` as `21 celsius`. Degrees alone are those of the field. */
function withScale(given: string, { name, dimension }: Unit): string {
  // Where programs are run, `512Mi` are mebibytes.
  const text = dimension === 'bytes' ? given.replace(/(?<=\d)\s?([KMGT]i)$/, ' $1B') : given
  if (name !== 'c' && name !== 'f') return text
  return text.replace(/\s*(?:degrees?|deg\.?|°)(?:\s*(celsius|fahrenheit|[cf]))?$/i, (_all, scale?: string) => ` ${scale ?? name}`)
}

/** `MBps` are bytes in a second, eight times as much as the bits of `Mbps`. */
export function isOfBytes(word: string): boolean {
  return /^[KMGTkmg]B(?:ps|\/s)$/.test(word)
}

/** `an hour`, `1h15` and `50 square meters` as a number and a unit. */
function spelled(text: string): string {
  return withRates(text)
    .replace(/^an? (?=(?:hour|minute|second|day|week|month|year)$)/i, '1 ')
    .replace(/^half an? (?=(?:hour|minute|second|year)$)/i, '0.5 ')
    .replace(/^(?:an?|one) (hour|minute|day|week|month|year) and a half$/i, '1.5 $1')
    .replace(/^([a-z]+) and a half (?=[a-z]+$)/i, (all, count: string) => halfMore(count) ?? all)
    .replace(/^(\d+) (?:and a half|1[/\u2044]2) (?=[a-z]+$)/i, '$1.5 ')
    .replace(/^(?:(three)|a|one)?\s?quarters? (?:of )?an (?=hour$)/i, (_all, three?: string) => (three === undefined ? '0.25 ' : '0.75 '))
    .replace(/^an? fortnight$/i, '2 weeks')
    .replace(
      /^(?:(\d{1,6}) )?([1-9])\u2044([248]) ?(?=[a-z])/i,
      (_all, whole = '0', over: string, under: string) => `${Number(whole) + Number(over) / Number(under)} `,
    )
    .replace(/^(\d)\s?m\s?(\d\d)$/i, '$1m $2cm')
    .replace(/(?<=^\d{1,3} ?(?:years?|yrs?|months?|weeks?|days?)) old$/i, '')
    .replace(/^(\d{1,3})\s?h\s?([0-5]\d)$/i, '$1h $2m')
    .replace(/^(\d{1,3}):([0-5]\d)\s?(?:h|hrs?|hours?)$/i, '$1h $2m')
    .replace(/^(?:minus|negative)\s+(?=\d)/i, '-')
    .replace(/(?<=^\d{1,3}) (?=\d{3}\s?[a-z])/i, '')
    .replace(/\bsq(?:uare\b|\.|\b).*$/i, withAreas)
}

function halfMore(count: string): string | undefined {
  const number = numberWord(count)
  return number === undefined ? undefined : `${number + 0.5} `
}

/** Rates that are units of their own. */
const RATES: readonly (readonly [rate: RegExp, sign: string])[] = [
  [/\bbeats (?:per|a) minute\b/gi, 'bpm'],
  [/\brevolutions (?:per|a) minute\b/gi, 'rpm'],
  [/\bframes (?:per|a) second\b/gi, 'fps'],
  [/\b(?:km|kilomet(?:er|re)s?) (?:per|an) hour\b/gi, 'km/h'],
  [/\bmiles (?:per|an) hour\b/gi, 'mph'],
  [/\bmet(?:er|re)s (?:per|a) second\b/gi, 'm/s'],
]

function withRates(text: string): string {
  return RATES.reduce((told, [rate, sign]) => told.replace(rate, sign), text)
}

/** Square metres and feet by their signs. */
function withAreas(text: string): string {
  return text
    .replace(
      /\bsq(?:uare\b|\.|\b)\s?(?:(k)(?:ilo)?|(c)(?:enti)?)?m(?:et(?:er|re)s?)?\b/gi,
      (_all, kilo?: string, centi?: string) => `${kilo ?? centi ?? ''}m2`,
    )
    .replace(/\bsq(?:uare\b|\.|\b)\s?(?:ft|feet|foot)\b/gi, 'sqft')
}

interface MeasuredPart {
  readonly count: string
  readonly word: string
}

const LONGEST = 80

/** `1h 30m`, `1 hour and 30 minutes`; undefined for a text with anything else in it. */
export function partsOf(given: string): readonly MeasuredPart[] | undefined {
  if (given.length > LONGEST) return undefined
  const text = spelled(given)
  const parts: MeasuredPart[] = []
  const part = /\s*(?:(?:,|and)\s)?\s*([+-]?\d[\d.,']*|[a-z]+(?:-[a-z]+)?(?=\s))\s*(°?[a-zµμíωΩ]+(?:\/[a-z]+)?(?:[23](?![a-z\d]))?|°)\.?/giy
  let end = 0
  while (end < text.length) {
    part.lastIndex = end
    const found = part.exec(text)
    if (found === null) return undefined
    const word = found[2] ?? ''
    // `5M` is five months or millions, `5 Mg` are megagrams, `5 mHz` is less than one.
    if (/^M[a-z]?$|^[GKT]b$|^m(?:Hz|W)$/.test(word) || isOfBytes(word)) return undefined
    parts.push({ count: found[1] ?? '', word: word === 'B' ? 'bytes' : word.toLowerCase() })
    end = part.lastIndex
  }
  return parts.length === 0 ? undefined : parts
}
