import { fieldPlace } from './place.ts'
import { isReading } from './reading.ts'
import { pairsOfEnds } from './range-ends.ts'
import type { Misfit } from './walk.ts'

interface Pair extends Omit<Misfit, 'value'> {
  readonly unknown: readonly string[]
  readonly given: ReadonlySet<string>
  readonly value: Readonly<Record<string, unknown>>
}

const MOST_NAMES = 60
/** Where there are fewer fields, nothing says that the two ends are those of this tool. */
const LEAST_FIELDS = 3
const NONE: ReadonlyMap<string, string> = new Map()

/**
 * `from` and `to` for `origin` and `destination`: both ends of something by other words, where the tool has one pair of ends that is not given. Each end must
 * take its value as it is, or in another notation.
 */
export function renamedPair({ unknown, given, value, node, place, walk }: Pair): ReadonlyMap<string, string> {
  const names = Object.keys(node.properties)
  if (unknown.length < 2 || unknown.length > MOST_NAMES || names.length < LEAST_FIELDS || names.length > MOST_NAMES) return NONE
  const [ends, ...more] = pairsOfEnds(unknown)
  if (ends === undefined || more.length > 0) return NONE
  const taken = pairsOfEnds(names.filter((name) => !given.has(name))).filter(({ family }) => family === ends.family)
  const [only, ...others] = taken.filter((pair) => pair.names.every((name, index) => mayTake(name, value[ends.names[index] ?? ''])))
  return only === undefined || others.length > 0 ? NONE : new Map(ends.names.map((key, index) => [key, only.names[index] ?? '']))

  function mayTake(name: string, end: unknown): boolean {
    const schema = node.properties[name] ?? {}
    const { schema: own, format, pattern, listed } = walk.read(schema)
    const isAnyText = format === undefined && pattern === undefined && listed === undefined
    // A day is no place.
    if (isAnyText && typeof end === 'string' && own['type'] === 'string' && /^\d[\d.,:/TZ\s-]*$/.test(end)) return false
    if (walk.fits(schema, end)) return true
    const outcome = walk.fix(schema, end, fieldPlace(place, name, { schema: own, descriptions: walk.descriptions }))
    return isReading(outcome) && outcome.cost <= MOST_COST
  }
}

const MOST_COST = 3
