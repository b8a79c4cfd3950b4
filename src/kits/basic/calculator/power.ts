import { arcSeries, exactRoot, exponentialSeries, fixedLn2, integerRoot } from './fixed-point.ts'
import { LIMITS, WORKING_DIGITS } from './limits.ts'
import { Problem } from './problem.ts'
import {
  compare,
  divide,
  isBelow,
  isWhole,
  magnitude,
  multiply,
  negate,
  ONE,
  rational,
  type Rational,
  scaled,
  tenTo,
  tooLarge,
  tooSmall,
  vanishes,
  whole,
  ZERO,
} from './rational.ts'

/** Roots of a higher degree are never looked for exactly. */
const HIGHEST_DEGREE = 1000n
/** As many as a binary fraction holds. */
const LEADING_DIGITS = 15

/** `base^exponent`, exact where it can be. `0^0` is 1. */
export function power(base: Rational, exponent: Rational): Rational {
  if (isWhole(exponent) && exponent.exact) return wholePower(base, exponent.numerator)
  if (base.numerator === 0n) {
    if (exponent.numerator < 0n) throw new Problem('Division by zero: zero has no negative power.')
    return { ...(exponent.numerator === 0n ? ONE : base), exact: base.exact && exponent.exact }
  }
  if (base.numerator < 0n) return powerOfNegative(base, exponent)
  return exactPower(base, exponent) ?? approximatePower(base, exponent)
}

function powerOfNegative(base: Rational, exponent: Rational): Rational {
  if (!exponent.exact || exponent.denominator % 2n === 0n) {
    throw new Problem('This power of a negative number is not a real number.')
  }
  const result = power(negate(base), exponent)
  return exponent.numerator % 2n === 0n ? result : negate(result)
}

function wholePower(base: Rational, exponent: bigint): Rational {
  if (exponent === 0n) return { ...ONE, exact: base.exact }
  if (base.numerator === 0n) {
    if (exponent < 0n) throw new Problem('Division by zero: zero has no negative power.')
    return base
  }
  const { numerator, denominator, exact } = exponent < 0n ? divide(ONE, base) : base
  const times = exponent < 0n ? -exponent : exponent
  if (denominator === 1n && (numerator === 1n || numerator === -1n)) return { ...whole(times % 2n === 0n ? 1n : numerator), exact }
  const digits = Number(times) * Math.max(decimalSize(numerator), decimalSize(denominator))
  // A power that would be too long is judged by its logarithm, before anything is multiplied; the margin is above what the estimate errs by.
  if (exact && digits <= 2 * LIMITS.digits) return rational(numerator ** times, denominator ** times, true)
  const size = approximatePower({ numerator: numerator < 0n ? -numerator : numerator, denominator, exact }, whole(times))
  return numerator < 0n && times % 2n !== 0n ? negate(size) : size
}

/** The logarithm to the base of 10 of a whole number without its sign, about. */
function decimalSize(value: bigint): number {
  const digits = String(value).replace('-', '')
  return Math.log10(Number(`0.${digits.slice(0, LEADING_DIGITS)}`)) + digits.length
}

/** A root of a fraction whose parts are powers of that degree, such as `0.25^0.5`. */
function exactPower(base: Rational, exponent: Rational): Rational | undefined {
  if (!base.exact || !exponent.exact || exponent.denominator > HIGHEST_DEGREE) return undefined
  const degree = Number(exponent.denominator)
  const [top, bottom] = [exactRoot(base.numerator, degree), exactRoot(base.denominator, degree)]
  return top === undefined || bottom === undefined ? undefined : wholePower(rational(top, bottom, true), exponent.numerator)
}

function approximatePower(base: Rational, exponent: Rational): Rational {
  return exponential(multiply(exponent, naturalLogarithm(base)))
}

export function squareRoot(x: Rational): Rational {
  if (x.numerator < 0n) throw new Problem('The square root of a negative number is not a real number.')
  return root(x, 2)
}

export function cubeRoot(x: Rational): Rational {
  return x.numerator < 0n ? negate(root(negate(x), 3)) : root(x, 3)
}

/** The root of a number that is not negative. */
function root(x: Rational, degree: number): Rational {
  if (x.numerator === 0n) return x
  const exact = exactPower(x, rational(1n, BigInt(degree), true))
  if (exact !== undefined) return exact
  const scale = WORKING_DIGITS + Math.max(0, Math.ceil(-magnitude(x) / degree))
  return rational(integerRoot(scaled(x, scale * degree), degree), tenTo(scale), false)
}

const GUARD = 30

/** The natural logarithm of the largest number. */
const LARGEST = Math.ceil(LIMITS.digits * Math.LN10)

/** How often the argument is halved before the series and the result squared after it. */
const HALVINGS = 10n

/** `e^x`. */
export function exponential(x: Rational): Rational {
  if (x.numerator === 0n) return x.exact ? ONE : { ...ONE, exact: false }
  if (!isBelow(x, LARGEST)) throw tooLarge()
  if (isBelow(x, -LARGEST)) throw tooSmall()
  const digits = WORKING_DIGITS + GUARD
  const unit = tenTo(digits)
  const ln2 = fixedLn2(digits)
  const fixed = scaled(x, digits)
  const doublings = fixed / ln2
  let result = exponentialSeries((fixed - doublings * ln2) >> HALVINGS, unit)
  for (let count = 0n; count < HALVINGS; count++) result = (result * result) / unit
  return doublings < 0n ? rational(result, unit << -doublings, false) : rational(result << doublings, unit, false)
}

/** The natural logarithm. */
function naturalLogarithm(x: Rational): Rational {
  if (x.numerator <= 0n) throw new Problem('A logarithm takes a positive number only.')
  if (compare(x, ONE) === 0) return x.exact ? ZERO : { ...ZERO, exact: false }
  const distance = { ...x, numerator: x.numerator - x.denominator }
  if (vanishes(distance, ONE)) return { ...ZERO, exact: false }
  // Near 1 the logarithm is about as small as the distance to 1: so many more digits are needed.
  const digits = WORKING_DIGITS + GUARD + Math.max(0, -magnitude(distance))
  const unit = tenTo(digits)
  const doublings = bitsOf(x.numerator) - bitsOf(x.denominator)
  const [top, bottom] =
    doublings < 0 ? [x.numerator << BigInt(-doublings), x.denominator] : [x.numerator, x.denominator << BigInt(doublings)]
  const series = 2n * arcSeries(((top - bottom) * unit) / (top + bottom), unit, 1n)
  return rational(series + BigInt(doublings) * fixedLn2(digits), unit, false)
}

function bitsOf(value: bigint): number {
  return value.toString(2).length
}

/** The logarithm to a base, or the natural one. A whole one is exact: `log2(8)` is 3. */
export function logarithm(x: Rational, base?: Rational): Rational {
  if (base === undefined) return naturalLogarithm(x)
  if (base.numerator <= 0n || compare(base, ONE) === 0) throw new Problem('The base of a logarithm is a positive number other than 1.')
  const result = divide(naturalLogarithm(x), naturalLogarithm(base))
  const nearest = whole(scaled(result, 0))
  return x.exact && base.exact && isWhole(nearest) && compare(power(base, nearest), x) === 0 ? nearest : result
}
