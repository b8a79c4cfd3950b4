import type { Question } from '../bench-output.ts'
import { count, grouped, nothing } from '../outputs/shared.ts'
import type { Random } from '../random.ts'

/** The spellings of how many there are of something: beside its name, or as the answer of a read. */
export function tally(name: string, value: number): string[] {
  return [...grouped(name, value), ...count(value)]
}

/** Something is not there: a read says so, or the text lists everything that is, with its count. */
export function absent(groups: Readonly<Record<string, number>>): Pick<Question, 'answer' | 'instead'> {
  return { answer: [nothing], instead: Object.entries(groups).map(([name, value]) => grouped(name, value)) }
}

export function countBy<T>(list: readonly T[], of: (item: T) => string): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const item of list) counts[of(item)] = (counts[of(item)] ?? 0) + 1
  return counts
}

export function sumBy<T>(list: readonly T[], of: (item: T) => string, measure: (item: T) => number): Record<string, number> {
  const sums: Record<string, number> = {}
  for (const item of list) sums[of(item)] = (sums[of(item)] ?? 0) + measure(item)
  return sums
}

/** The name with the highest measure, and that measure. */
export function mostOf(measures: Readonly<Record<string, number>>): readonly [name: string, value: number] {
  const [first] = Object.entries(measures).toSorted((a, b) => b[1] - a[1])
  if (first === undefined) throw new Error('There is nothing to compare.')
  return first
}

export function lowest<T>(list: readonly T[], of: (item: T) => number): T {
  return list.reduce((best, item) => (of(item) < of(best) ? item : best))
}

export function times<T>(length: number, make: (at: number) => T): T[] {
  return Array.from({ length }, (_, at) => make(at))
}

/** An item past the first tenth and before the last twentieth, where neither the head nor the tail shows it. */
export function inside<T>(random: Random, list: readonly T[]): T {
  return random.pick(list.slice(Math.ceil(list.length * 0.1), Math.floor(list.length * 0.95)))
}

export function round(value: number, digits = 2): number {
  return Number(value.toFixed(digits))
}

/** Whole numbers far apart, most of them small. */
export function skewed(random: Random, low: number, high: number): number {
  return Math.round(low * (high / low) ** (random.next() ** 2))
}

export function day(milliseconds: number): string {
  return new Date(milliseconds).toISOString().slice(0, 10)
}

const syllables = 'ba ce di fo gu ha je ki lo mu na pe ri so tu va we xi yo zu bra cle dri flo gru sta tre plo'.split(' ')

/** A made-up word that nothing else uses. */
export function coined(random: Random, length = 4): string {
  return times(length, () => random.pick(syllables)).join('')
}

const words =
  'the system shall provide access to records that were approved by either party during normal operation and report any change in writing to the office responsible for planning review delivery storage transport insurance maintenance training quality supply energy water safety housing research finance service staff equipment material project budget schedule network customer region product market process standard policy meeting'.split(
    ' ',
  )

/** A sentence of plain words. */
export function filler(random: Random, length = 14): string {
  const text = times(random.int(Math.ceil(length / 2), length), () => random.pick(words)).join(' ')
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
}
