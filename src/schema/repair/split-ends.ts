import { isRecord } from '../json-schema.ts'
import { nameWords, singular } from './name-words.ts'
import { fieldPlace } from './place.ts'
import { isReading } from './reading.ts'
import { pairsOfEnds } from './range-ends.ts'
import type { Misfit } from './walk.ts'

interface Split extends Omit<Misfit, 'value'> {
  readonly unknown: readonly string[]
  readonly given: ReadonlySet<string>
  readonly value: Readonly<Record<string, unknown>>
}

interface Parts {
  readonly key: string
  readonly parts: readonly (readonly [name: string, value: unknown])[]
}

/** Where there are fewer fields, nothing says that the two are meant. */
const LEAST_FIELDS = 3
const MOST_NAMES = 60
const LONGEST = 60
const MOST_COST = 3

/** Words that say that a name is for both ends. */
const RANGES: ReadonlySet<string> = new Set(['range', 'between', 'window', 'period', 'interval', 'span', 'dates'])
const SIZES: ReadonlySet<string> = new Set(['size', 'dimensions', 'resolution'])

/**
 * The two fields of an unknown one that has both values: the bounds of `price_range: '500-1000'`, the days of `date_range: '2025-01-01 to 2025-01-31'`, width and
 * height of `size: '800x600'`. Neither of the two may be given, both must take their part, and there may be no other such pair.
 */
export function splitEnds({ unknown, given, value, node, place, walk }: Split): readonly Parts[] {
  const names = Object.keys(node.properties)
  if (unknown.length === 0 || unknown.length > MOST_NAMES || names.length < LEAST_FIELDS || names.length > MOST_NAMES) return []
  const free = names.filter((name) => !given.has(name))
  const found = unknown.flatMap((key) => {
    const [pair, ...more] = pairsFor(key, value[key]).filter(({ parts }) => parts.every(([name, part]) => mayTake(name, part)))
    return pair === undefined || more.length > 0 ? [] : [pair]
  })
  return found.length === 1 ? found : []

  function pairsFor(key: string, both: unknown): readonly Parts[] {
    const words = nameWords(key)
    if (words.every((word) => SIZES.has(word))) {
      const sides = sidesOf(both)
      const [width, height] = ['width', 'height'].map((side) => free.filter((name) => nameWords(name).includes(side)))
      const [first, second] = [width?.[0], height?.[0]]
      if (sides === undefined || first === undefined || second === undefined || width?.length !== 1 || height?.length !== 1) return []
      return [{ key, parts: [[first, sides[0]] as const, [second, sides[1]] as const] }]
    }
    const ends = words.some((word) => RANGES.has(word)) ? endsIn(both) : undefined
    if (ends === undefined) return []
    const rest = words.flatMap((word) => (word === 'dates' ? ['date'] : RANGES.has(word) ? [] : [singular(word)]))
    return pairsOfEnds(free).flatMap(({ names: [first, second] }) => {
      const own = new Set([...nameWords(first), ...nameWords(second)].map(singular))
      return rest.every((word) => own.has(word) || ((word === 'date' || word === 'time') && isDay(first)))
        ? [{ key, parts: [[first, ends[0]] as const, [second, ends[1]] as const] }]
        : []
    })
  }

  function isDay(name: string): boolean {
    return walk.read(node.properties[name] ?? {}).format?.startsWith('date') === true
  }

  function mayTake(name: string, part: unknown): boolean {
    const schema = node.properties[name] ?? {}
    if (walk.fits(schema, part)) return true
    const outcome = walk.fix(schema, part, fieldPlace(place, name, { schema: walk.read(schema).schema, descriptions: walk.descriptions }))
    return isReading(outcome) && outcome.cost <= MOST_COST
  }
}

/** The two values of a range, in their order: numbers from the lower to the higher one. */
function endsIn(value: unknown): readonly [unknown, unknown] | undefined {
  const ends = rawEnds(value)
  if (ends === undefined) return undefined
  const [first, second] = ends.map(Number)
  const isOrdered = Number.isNaN(first) || Number.isNaN(second) || Number(first) <= Number(second)
  return isOrdered ? ends : undefined
}

function rawEnds(value: unknown): readonly [unknown, unknown] | undefined {
  if (Array.isArray(value)) return value.length === 2 && value.every(isScalar) ? [value[0], value[1]] : undefined
  if (typeof value !== 'string' || value.length > LONGEST) return undefined
  const [, first, second] =
    /^\s*([\d.]+)\s*(?:-|–|\.\.|\bto\b)\s*([\d.]+)\s*$/.exec(value) ??
    /^\s*(\S+)(?:\s+(?:to|until|through|-|–)\s+|\.\.|\/)(\S+)\s*$/.exec(value) ??
    []
  return first === undefined || second === undefined ? undefined : [first, second]
}

/** Width and height, in this order. */
function sidesOf(value: unknown): readonly [unknown, unknown] | undefined {
  if (isRecord(value)) return undefined
  if (Array.isArray(value)) return value.length === 2 && value.every((each) => typeof each === 'number') ? [value[0], value[1]] : undefined
  const [, width, height] = typeof value === 'string' ? (/^\s*(\d{1,6})\s*[x×*]\s*(\d{1,6})(?:\s*px)?\s*$/i.exec(value) ?? []) : []
  return width === undefined ? undefined : [Number(width), Number(height)]
}

function isScalar(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'number'
}
