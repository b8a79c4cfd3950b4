import { divide, isWhole, multiply, negate } from './arithmetic.ts'
import { exponential, naturalLogarithm } from './exponentials.ts'
import { exactRoot, integerRoot } from './integer-root.ts'
import { LIMITS, WORKING_DIGITS } from './limits.ts'
import { Problem } from './problem.ts'
import { magnitude, ONE, rational, type Rational, scaled, tenTo, whole } from './rational.ts'

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
