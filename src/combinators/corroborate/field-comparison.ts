import { isPlainRecord, isSameJson } from '../../schema/json-schema.ts'
import { MAX_DEPTH } from '../../schema/private-copy.ts'
import { quote } from '../../schema/quote.ts'
import { checkChoice } from '../../tool/check-given.ts'
import { ConfigurationError } from '../../tool/errors/configuration-error.ts'
import { checkOptionNames, optionNames } from '../../tool/option-names.ts'

/** How the values of a field are compared. Without a tolerance they must be the same. */
export interface FieldComparison {
  /** Numbers agree if they differ by this at most. Not together with `withinShare`. */
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
  if (within !== undefined && withinShare !== undefined)
    throw new ConfigurationError('invalid_option', `'within' and 'withinShare' of ${what} cannot be used together.`)
}

/** Whether two values of a field agree. Two kinds of values never do; a big integer is a number. */
export function agree(a: unknown, b: unknown, comparison: FieldComparison): boolean {
  if (isNumeric(a) && isNumeric(b)) return areNear(a, b, comparison)
  const { alike } = comparison
  if (typeof a === 'string' && typeof b === 'string') return a === b || (alike !== undefined && likeness(a, b) >= alike)
  return isSame(a, b)
}

type Numeric = number | bigint

function isNumeric(value: unknown): value is Numeric {
  return typeof value === 'number' || typeof value === 'bigint'
}

/** An infinity agrees with itself only, and NaN with nothing. */
function areNear(a: Numeric, b: Numeric, { within = 0, withinShare = 0 }: FieldComparison): boolean {
  // oxlint-disable-next-line eqeqeq -- compares a number with a big integer, without rounding either
  if (a == b) return true
  const [one, other] = [Number(a), Number(b)]
  if (!Number.isFinite(one) || !Number.isFinite(other)) return false
  const largest = Math.max(Math.abs(one), Math.abs(other))
  // The rounding of binary numbers: 0.3 and 0.1 + 0.2 are within 0. Whole numbers are not rounded.
  const rounding = Number.isInteger(one) && Number.isInteger(other) ? 0 : Number.EPSILON * largest
  const difference = typeof a === 'bigint' && typeof b === 'bigint' ? Math.abs(Number(a - b)) : Math.abs(one - other)
  const most = Math.max(within, withinShare * largest) + rounding
  return most > 0 && difference <= most
}

/**
 * As JSON, except that a value which is none, such as NaN or an invalid date, is not the same as another such value. Nor is one that contains
 * itself.
 */
function isSame(a: unknown, b: unknown, depth = 0): boolean {
  if (depth > MAX_DEPTH) return false
  if (isNumeric(a) && isNumeric(b)) return areNear(a, b, {})
  if (a instanceof Date && b instanceof Date) return a.getTime() === b.getTime()
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && Array.from<unknown>(a).every((each, index) => isSame(each, b[index], depth + 1))
  if (!isPlainRecord(a) || !isPlainRecord(b)) return isSameJson(a, b)
  const keys = Object.keys(a)
  return keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && isSame(a[key], b[key], depth + 1))
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
