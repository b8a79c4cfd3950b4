import { LIMITS, TRUSTED_DIGITS, WORKING_DIGITS } from './limits.ts'
import { Problem } from './problem.ts'

/** A fraction in lowest terms. `exact` is false from the first rounding on. */
export interface Rational {
  readonly numerator: bigint
  /** Positive. */
  readonly denominator: bigint
  readonly exact: boolean
}

export const ZERO: Rational = { numerator: 0n, denominator: 1n, exact: true }
export const ONE: Rational = { numerator: 1n, denominator: 1n, exact: true }

export function whole(value: bigint | number): Rational {
  return { numerator: BigInt(value), denominator: 1n, exact: true }
}

/** A fraction within the limits: reduced, and rounded where it is not exact or too long to be carried on exactly. */
export function rational(numerator: bigint, denominator: bigint, exact: boolean): Rational {
  if (denominator === 0n) throw new Problem('Division by zero.')
  if (numerator === 0n) return exact ? ZERO : { ...ZERO, exact }
  const reduced = reduce(numerator, denominator, exact)
  const size = magnitude(reduced)
  if (size >= LIMITS.digits) throw tooLarge()
  if (size < -LIMITS.digits) throw tooSmall()
  const long = lengthOf(reduced.numerator) > LIMITS.digits || lengthOf(reduced.denominator) > LIMITS.digits
  return exact && !long ? reduced : approximate(reduced, WORKING_DIGITS)
}

export function tooLarge(): Problem {
  return new Problem(`The number is too large: it has more than ${LIMITS.digits} digits before the point.`)
}

export function tooSmall(): Problem {
  return new Problem(`The number is too small: it is not zero, but has more than ${LIMITS.digits} zeros after the point.`)
}

function reduce(numerator: bigint, denominator: bigint, exact: boolean): Rational {
  const sign = denominator < 0n ? -1n : 1n
  const divisor = denominator === 1n ? 1n : greatestCommonDivisor(magnitudeOf(numerator), magnitudeOf(denominator))
  return { numerator: (sign * numerator) / divisor, denominator: (sign * denominator) / divisor, exact }
}

function greatestCommonDivisor(a: bigint, b: bigint): bigint {
  let [larger, smaller] = [a, b]
  while (smaller !== 0n) [larger, smaller] = [smaller, larger % smaller]
  return larger
}

export function magnitudeOf(value: bigint): bigint {
  return value < 0n ? -value : value
}

function lengthOf(value: bigint): number {
  return String(magnitudeOf(value)).length
}

/** The exponent of the number in scientific notation: 2 for 149.99, -1 for 0.5. Zero has none. */
export function magnitude({ numerator, denominator }: Rational): number {
  const top = magnitudeOf(numerator)
  const exponent = lengthOf(top) - lengthOf(denominator)
  const [left, right] = exponent < 0 ? [top * tenTo(-exponent), denominator] : [top, denominator * tenTo(exponent)]
  return left < right ? exponent - 1 : exponent
}

export function tenTo(exponent: number): bigint {
  return 10n ** BigInt(exponent)
}

/** A number as `coefficient * 10^-scale`, rounded half away from zero. */
export function scaled({ numerator, denominator }: Rational, scale: number): bigint {
  const [top, bottom] = scale < 0 ? [numerator, denominator * tenTo(-scale)] : [numerator * tenTo(scale), denominator]
  const half = numerator < 0n ? -bottom : bottom
  return (2n * top + half) / (2n * bottom)
}

/** So many significant digits of a number; no longer exact. */
function approximate(value: Rational, digits: number): Rational {
  if (value.numerator === 0n) return { ...value, exact: false }
  const scale = digits - 1 - magnitude(value)
  const coefficient = scaled(value, scale)
  return scale < 0 ? reduce(coefficient * tenTo(-scale), 1n, false) : reduce(coefficient, tenTo(scale), false)
}

/** A rounded number without the noise of its last digits, before it is cut to a whole one. */
export function settled(value: Rational): Rational {
  return value.exact ? value : approximate(value, TRUSTED_DIGITS)
}

/** Whether a rounded number counts as zero beside a number that it was computed from. */
export function vanishes(small: Rational, beside: Rational): boolean {
  return !small.exact && (small.numerator === 0n || magnitude(small) < magnitude(beside) - TRUSTED_DIGITS)
}

export function add(a: Rational, b: Rational): Rational {
  const exact = a.exact && b.exact
  const sum = rational(a.numerator * b.denominator + b.numerator * a.denominator, a.denominator * b.denominator, exact)
  if (exact || a.numerator === 0n || b.numerator === 0n) return sum
  return vanishes(sum, magnitude(a) > magnitude(b) ? a : b) ? { ...ZERO, exact } : sum
}

export function negate(a: Rational): Rational {
  return { ...a, numerator: -a.numerator }
}

export function subtract(a: Rational, b: Rational): Rational {
  return add(a, negate(b))
}

export function multiply(a: Rational, b: Rational): Rational {
  return rational(a.numerator * b.numerator, a.denominator * b.denominator, a.exact && b.exact)
}

export function divide(a: Rational, b: Rational): Rational {
  return rational(a.numerator * b.denominator, a.denominator * b.numerator, a.exact && b.exact)
}

/** What is left of `a` after as many whole `b` as go into it; it has the sign of `a`. */
export function remainder(a: Rational, b: Rational): Rational {
  return subtract(a, multiply(b, truncate(divide(a, b))))
}

export function truncate(a: Rational): Rational {
  const { numerator, denominator, exact } = settled(a)
  return rational(numerator / denominator, 1n, exact)
}

export function floor(a: Rational): Rational {
  const { numerator, denominator, exact } = settled(a)
  const below = numerator < 0n && numerator % denominator !== 0n ? 1n : 0n
  return rational(numerator / denominator - below, 1n, exact)
}

export function absolute(a: Rational): Rational {
  return { ...a, numerator: magnitudeOf(a.numerator) }
}

/** Negative, zero or positive, as for a sort. */
export function compare(a: Rational, b: Rational): number {
  const difference = a.numerator * b.denominator - b.numerator * a.denominator
  return difference === 0n ? 0 : difference < 0n ? -1 : 1
}

export function isWhole({ denominator }: Rational): boolean {
  return denominator === 1n
}

export function isBelow(a: Rational, b: bigint | number): boolean {
  return compare(a, whole(b)) < 0
}
