import type { Place } from './place.ts'

/** A unit of a dimension, in whole steps of the smallest one, so that conversions are exact. */
interface Unit {
  readonly name: string
  readonly dimension: string
  readonly steps: number
  readonly words: readonly string[]
}

/** Units of one dimension convert into one another. Months, gigabytes and currencies have no exact length and convert into nothing. */
const UNITS: readonly Unit[] = [
  unit('ms', 'time', 1, 'ms msec msecs millis millisecond milliseconds'),
  unit('s', 'time', 1000, 's sec secs second seconds'),
  unit('min', 'time', 60_000, 'm min mins minute minutes'),
  unit('h', 'time', 3_600_000, 'h hr hrs hour hours'),
  unit('d', 'time', 86_400_000, 'd day days'),
  unit('w', 'time', 604_800_000, 'w wk wks week weeks'),
  unit('mm', 'length', 1, 'mm millimeter millimeters millimetre millimetres'),
  unit('cm', 'length', 10, 'cm centimeter centimeters centimetre centimetres'),
  unit('m', 'length', 1000, 'm meter meters metre metres'),
  unit('km', 'length', 1_000_000, 'km kms kilometer kilometers kilometre kilometres'),
  unit('in', 'imperial length', 1, 'in inch inches'),
  unit('ft', 'imperial length', 12, 'ft foot feet'),
  unit('yd', 'imperial length', 36, 'yd yard yards'),
  unit('mi', 'imperial length', 63_360, 'mi mile miles'),
  unit('mg', 'mass', 1, 'mg milligram milligrams'),
  unit('g', 'mass', 1000, 'g gram grams'),
  unit('kg', 'mass', 1_000_000, 'kg kgs kilo kilos kilogram kilograms'),
  unit('oz', 'imperial mass', 1, 'oz ounce ounces'),
  unit('lb', 'imperial mass', 16, 'lb lbs pound pounds'),
  unit('ml', 'volume', 1, 'ml milliliter milliliters millilitre millilitres'),
  unit('l', 'volume', 1000, 'l liter liters litre litres'),
  unit('mb', 'megabytes', 1, 'mb megabyte megabytes'),
  unit('kb', 'kilobytes', 1, 'kb kilobyte kilobytes'),
  unit('gb', 'gigabytes', 1, 'gb gigabyte gigabytes'),
  unit('c', 'celsius', 1, '°c c celsius'),
  unit('f', 'fahrenheit', 1, '°f f fahrenheit'),
  unit('kmh', 'kilometres an hour', 1, 'km/h kmh kph'),
  unit('mph', 'miles an hour', 1, 'mph mi/h'),
  unit('px', 'pixels', 1, 'px pixel pixels'),
  unit('deg', 'degrees', 1, '° deg degree degrees'),
  unit('bpm', 'beats a minute', 1, 'bpm'),
  unit('months', 'months', 1, 'month months mo'),
  unit('years', 'years', 1, 'y yr yrs year years'),
]

function unit(name: string, dimension: string, steps: number, words: string): Unit {
  return { name, dimension, steps, words: words.split(' ') }
}

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
  'w',
  'y',
  '°',
  'kilo',
  'pound',
  'second',
  'foot',
])
/** Names beside which a letter is a unit: `distance_m`, `timeout_s`. */
const DIMENSIONS = [
  { dimension: 'length', names: /\b(?:distance|length|height|width|depth|radius|altitude|elevation|range)$/ },
  {
    dimension: 'time',
    names:
      /\b(?:timeout|duration|interval|delay|ttl|age|time|wait|period|window|length|runtime|lead|travel|walk|cooldown|transition|fade|grace|elapsed|uptime|downtime|session|meeting|snooze)$/,
  },
  { dimension: 'mass', names: /\b(?:weight|mass|amount)$/ },
  { dimension: 'imperial mass', names: /\b(?:weight|mass)$/ },
  { dimension: 'volume', names: /\b(?:volume|amount)$/ },
  { dimension: 'celsius', names: /\btemp(?:erature)?$/ },
  { dimension: 'fahrenheit', names: /\btemp(?:erature)?$/ },
] as const
const NO_EVIDENCE = /\b(?:at most|at least|up to|maximum|minimum|max|min|defaults?|e\.g\.|for example|such as|older than|within)\b[^.;]*/g

/** The unit of a field: the last word of its name, or the one unit that its description names. A rate has none that a length could have. */
export function unitOf({ words, text, group }: Place): Unit | undefined {
  const last = words.at(-1) ?? ''
  if (
    words.includes('per') ||
    /\bper (?:\w+ )?(?:ms|second|minute|hour|day|week|month|year|km|kilomet|mile|met|kg|kilogram|lit)/.test(text)
  )
    return undefined
  const before = words.slice(0, -1).join(' ')
  const isOf = ({ dimension }: Unit): boolean => DIMENSIONS.some((each) => each.dimension === dimension && each.names.test(before))
  const named = UNITS.find((each) => each.words.includes(last) && (!VAGUE.has(last) || isOf(each)))
  if (named !== undefined) return named
  const told = new Set<Unit>()
  for (const word of text.replace(NO_EVIDENCE, ' ').match(/[a-z°/]+/g) ?? []) {
    const found = VAGUE.has(word) ? undefined : UNITS.find((each) => each.words.includes(word))
    if (found !== undefined) told.add(found)
  }
  const [only] = told
  return told.size === 0 ? (groupUnit(words, group) ?? impliedUnit(words)) : told.size === 1 ? only : undefined
}

const SIDES: ReadonlySet<string> = new Set(['length', 'width', 'height', 'depth', 'x', 'y', 'z'])

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

function impliedUnit(words: readonly string[]): Unit | undefined {
  const names = words.join(' ') === 'heart rate' ? ['heartrate'] : words
  const found = IMPLIED.find(([, measures]) => measures.has(names.at(-1) ?? ''))
  return found === undefined ? undefined : UNITS.find(({ name }) => name === found[0])
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
  const parts = partsOf(text)
  if (parts === undefined) return undefined
  let steps = 0
  let last: number | undefined
  for (const { count, word } of parts) {
    const from = UNITS.find((each) => each.dimension === into.dimension && each.words.includes(word))
    const number = numberIn(count)
    if (from === undefined || number === undefined || from.steps === last) return undefined
    if (parts.length === 1 && from === into) return { value: number, isOwn: true }
    last = from.steps
    steps += number * from.steps
  }
  const value = Number((steps / into.steps).toPrecision(12))
  return Math.abs(value * into.steps - steps) < 1e-6 ? { value, isOwn: false } : undefined
}

interface MeasuredPart {
  readonly count: string
  readonly word: string
}

const LONGEST = 80

/** `1h 30m`, `1 hour and 30 minutes`; undefined for a text with anything else in it. */
export function partsOf(text: string): readonly MeasuredPart[] | undefined {
  if (text.length > LONGEST) return undefined
  const parts: MeasuredPart[] = []
  const part = /\s*(?:(?:,|and)\s)?\s*([+-]?\d[\d.,']*|[a-z]+(?:-[a-z]+)?(?=\s))\s*(°?[a-z]+(?:\/[a-z]+)?|°)\.?/giy
  let end = 0
  while (end < text.length) {
    part.lastIndex = end
    const found = part.exec(text)
    if (found === null) return undefined
    const word = found[2] ?? ''
    // `5M` is five months or millions, `5 Mg` are megagrams.
    if (/^M[a-z]?$/.test(word)) return undefined
    parts.push({ count: found[1] ?? '', word: word.toLowerCase() })
    end = part.lastIndex
  }
  return parts.length === 0 ? undefined : parts
}
