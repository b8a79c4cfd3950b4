import { compare, isBelow } from './arithmetic.ts'
import { LIMITS, WORKING_DIGITS } from './limits.ts'
import { Problem } from './problem.ts'
import { magnitude, ONE, rational, type Rational, scaled, tenTo, tooLarge, tooSmall, vanishes, ZERO } from './rational.ts'
import { arcSeries, exponentialSeries, fixedLn2 } from './series.ts'

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
export function naturalLogarithm(x: Rational): Rational {
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
