import type { JsonSchema } from '../json-schema.ts'
import { matches } from './judge.ts'
import { largest, smallest } from './keywords.ts'

/** The numbers that a case allows. */
export interface NumberRange {
  readonly min: number
  readonly max: number
  /** The bounds themselves are not allowed. */
  readonly isAboveMin: boolean
  readonly isBelowMax: boolean
  readonly isInteger: boolean
  readonly steps: readonly number[]
}

/** What all parts together say of numbers. */
export function numberRange(parts: readonly JsonSchema[]): NumberRange {
  const steps = parts.flatMap(({ multipleOf }) => (typeof multipleOf === 'number' ? [multipleOf] : []))
  const isInteger = parts.some(namesInteger) || steps.some(Number.isInteger)
  const above = largest(parts, 'exclusiveMinimum', -Infinity)
  const below = smallest(parts, 'exclusiveMaximum')
  const least = largest(parts, 'minimum', -Infinity)
  const most = smallest(parts, 'maximum')
  const isAboveMin = above > -Infinity && above >= least
  const isBelowMax = below < Infinity && below <= most
  if (!isInteger) return { min: Math.max(above, least), max: Math.min(below, most), isAboveMin, isBelowMax, isInteger, steps }
  const min = isAboveMin ? Math.floor(above) + 1 : Math.ceil(least)
  const max = isBelowMax ? Math.ceil(below) - 1 : Math.floor(most)
  return { min, max, isAboveMin: false, isBelowMax: false, isInteger, steps }
}

function namesInteger({ type }: JsonSchema): boolean {
  return type === 'integer' || (Array.isArray(type) && type.includes('integer') && !type.includes('number'))
}

/** All numbers of one range are in the other. */
export function coversNumbers(wide: NumberRange, narrow: NumberRange): boolean {
  if (wide.isInteger && !narrow.isInteger) return false
  if (narrow.min < wide.min || (narrow.min === wide.min && wide.isAboveMin && !narrow.isAboveMin)) return false
  if (narrow.max > wide.max || (narrow.max === wide.max && wide.isBelowMax && !narrow.isBelowMax)) return false
  return wide.steps.every((step) => (step === 1 && narrow.isInteger) || narrow.steps.some((each) => isMultipleOf(each, step)))
}

/** Fractions are compared as they stand: their multiples are rounded. */
function isMultipleOf(step: number, of: number): boolean {
  return step === of || (Number.isInteger(step) && Number.isInteger(of) && step % of === 0)
}

/** No number is in both ranges. */
export function areApart(one: NumberRange, other: NumberRange): boolean {
  return isBelow(one, other) || isBelow(other, one)
}

function isBelow(one: NumberRange, other: NumberRange): boolean {
  return one.max < other.min || (one.max === other.min && (one.isBelowMax || other.isAboveMin))
}

const MAX_INTEGERS = 64

/** All numbers of a range of few integers; undefined for others. */
export function integersIn({ min, max, isInteger }: NumberRange): readonly number[] | undefined {
  return isInteger && max - min < MAX_INTEGERS ? Array.from({ length: Math.max(0, max - min + 1) }, (_, index) => min + index) : undefined
}

/** Numbers at and around the places where ranges begin, end and step: where they differ, one of these most likely shows it. */
export function tellingNumbers(ranges: readonly NumberRange[]): readonly number[] {
  const bounds = ranges.flatMap(({ min, max }) => [min, max]).filter(Number.isFinite)
  const marks = [...new Set([0, ...bounds])].toSorted((a, b) => a - b)
  const around = marks.flatMap((mark, index) => {
    const next = marks[index + 1]
    return [mark, mark + 1, mark - 1, mark + 0.5, mark - 0.5, ...(next === undefined ? [] : [(mark + next) / 2])]
  })
  const steps = ranges.flatMap((range) => range.steps)
  const stepped = steps.flatMap((step) => around.flatMap((near) => [Math.floor(near / step) * step, (Math.floor(near / step) + 1) * step]))
  return [...new Set([...around, ...stepped])]
}

/** What a range asks of a number that is not in it, in words. */
export function numberRule(range: NumberRange, number: number): string {
  const { min, max, isAboveMin, isBelowMax, isInteger, steps } = range
  if (isInteger && !Number.isInteger(number)) return 'only integers are taken'
  if (number < min || (number === min && isAboveMin)) return `${isAboveMin ? 'only more than' : 'at least'} ${min} is taken`
  if (number > max || (number === max && isBelowMax)) return `${isBelowMax ? 'only less than' : 'at most'} ${max} is taken`
  return steps.length === 0 ? 'it is not taken' : `only multiples of ${steps.join(' and ')} are taken`
}

/** The strings that a case allows. */
export interface TextRange {
  readonly least: number
  readonly most: number
  readonly patterns: readonly string[]
  readonly formats: readonly string[]
}

/** What all parts together say of strings. */
export function textRange(parts: readonly JsonSchema[]): TextRange {
  return {
    least: largest(parts, 'minLength', 0),
    most: smallest(parts, 'maxLength'),
    patterns: textsOf(parts, 'pattern'),
    formats: textsOf(parts, 'format'),
  }
}

/** The strings that are given: a pattern that the empty string does not match promises a character. */
export function givenTextRange(parts: readonly JsonSchema[]): TextRange {
  const range = textRange(parts)
  return range.least === 0 && range.patterns.some((pattern) => matches(pattern, '') === 'no') ? { ...range, least: 1 } : range
}

function textsOf(parts: readonly JsonSchema[], keyword: string): readonly string[] {
  return parts.flatMap((part) => (typeof part[keyword] === 'string' ? [part[keyword]] : []))
}

/** Which lengths it has is known, and that any string of such a length will do. */
export function isPlainText({ patterns, formats }: TextRange): boolean {
  return patterns.length === 0 && formats.length === 0
}

/** All lengths of one range are in the other. */
export function coversLengths(wide: TextRange, narrow: TextRange): boolean {
  return wide.least <= narrow.least && narrow.most <= wide.most
}

/** No string has a length of both. */
export function areApartInLength(one: TextRange, other: TextRange): boolean {
  return one.least > other.most || other.least > one.most
}

/** The first pattern or format that is asked for and not promised, in words. */
export function missingPromise(asked: TextRange, given: TextRange): string | undefined {
  const pattern = asked.patterns.find((each) => !given.patterns.includes(each))
  if (pattern !== undefined) return `the pattern ${pattern}`
  const format = asked.formats.find((each) => !given.formats.includes(each))
  return format === undefined ? undefined : `the format '${format}'`
}
