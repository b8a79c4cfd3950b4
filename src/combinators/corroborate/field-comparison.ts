import { isSameJson } from '../../schema/json-schema.ts'
import { quote } from '../../schema/quote.ts'
import { checkChoice } from '../../tool/check-given.ts'
import { ConfigurationError } from '../../tool/errors/configuration-error.ts'
import { checkOptionNames, optionNames } from '../../tool/option-names.ts'

/** How the values of a field are compared. Without a tolerance they must be the same. */
export interface FieldComparison {
  /** Numbers agree if they differ by this at most. */
  readonly within?: number | undefined
  /** Numbers agree if they differ by this share of the larger one at most: 0.01 is 1 %. */
  readonly withinShare?: number | undefined
  /** Texts agree if they are so alike, from 0 to 1. Case, spaces and punctuation do not count. */
  readonly alike?: number | undefined
  /** A critical conflict must be resolved; a warning is only told. `critical` by default. */
  readonly severity?: 'critical' | 'warning' | undefined
}

const NAMES = optionNames<FieldComparison>({ within: true, withinShare: true, alike: true, severity: true })

export function checkComparison(given: FieldComparison, what: string): void {
  checkOptionNames(given, NAMES, `The options of ${what}`)
  const { within, withinShare, alike, severity } = given
  checkChoice(severity, ['critical', 'warning'], `'severity' of ${what}`)
  for (const [name, number, most] of [
    ['within', within, Infinity],
    ['withinShare', withinShare, 1],
    ['alike', alike, 1],
  ] as const)
    if (number !== undefined && !(typeof number === 'number' && number >= 0 && number <= most))
      throw new ConfigurationError(
        'invalid_option',
        `'${name}' of ${what} must be a number ${most === 1 ? 'from 0 to 1' : 'of at least 0'}, not ${quote(number)}.`,
      )
}

/** Whether two values of a field agree. Two kinds of values never do. */
export function agree(a: unknown, b: unknown, { within, withinShare, alike }: FieldComparison): boolean {
  if (isSameJson(a, b)) return true
  if (typeof a === 'number' && typeof b === 'number') {
    const difference = Math.abs(a - b)
    const least = Math.max(within ?? 0, (withinShare ?? 0) * Math.max(Math.abs(a), Math.abs(b)))
    // The rounding of binary numbers: 0.3 and 0.1 + 0.2 are within 0.
    return difference <= least + Number.EPSILON * Math.max(Math.abs(a), Math.abs(b))
  }
  if (typeof a === 'string' && typeof b === 'string') return alike !== undefined && likeness(a, b) >= alike
  return false
}

/** From 0 to 1: the share of pairs of characters that two texts have in common. */
export function likeness(a: string, b: string): number {
  const [one, other] = [bare(a), bare(b)]
  if (one === other) return 1
  const pairs = pairsOf(one)
  let common = 0
  let count = 0
  for (const [pair, times] of pairsOf(other)) {
    common += Math.min(times, pairs.get(pair) ?? 0)
    count += times
  }
  for (const times of pairs.values()) count += times
  return count === 0 ? 0 : (2 * common) / count
}

function bare(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[\s\p{P}]+/gu, ' ')
    .trim()
}

function pairsOf(text: string): ReadonlyMap<string, number> {
  const pairs = new Map<string, number>()
  for (let at = 0; at + 1 < text.length; at++) {
    const pair = text.slice(at, at + 2)
    pairs.set(pair, (pairs.get(pair) ?? 0) + 1)
  }
  return pairs
}
