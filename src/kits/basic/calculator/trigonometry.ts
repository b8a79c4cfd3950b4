import { arcSeries, fixedPi, type FixedPoint, fixedRoot, waveSeries } from './fixed-point.ts'
import { LIMITS, TRUSTED_DIGITS, WORKING_DIGITS } from './limits.ts'
import { squareRoot } from './power.ts'
import { Problem } from './problem.ts'
import {
  absolute,
  add,
  compare,
  divide,
  isBelow,
  magnitude,
  multiply,
  negate,
  ONE,
  rational,
  type Rational,
  scaled,
  subtract,
  tenTo,
  whole,
  ZERO,
} from './rational.ts'

/** Room for the whole turns that are taken away, and for what is left when they have been. */
const GUARD = 3 * LIMITS.angleDigits

export const PI: Rational = rational(fixedPi(WORKING_DIGITS + GUARD), tenTo(WORKING_DIGITS + GUARD), false)

/** Sine and cosine of an angle in radians. */
function wave(angle: Rational): { readonly sine: Rational; readonly cosine: Rational } {
  if (angle.numerator === 0n) return { sine: angle, cosine: { ...ONE, exact: angle.exact } }
  const size = magnitude(angle)
  if (size >= LIMITS.angleDigits) throw new Problem(`The angle is too large: it must be below 10^${LIMITS.angleDigits}.`)
  const digits = WORKING_DIGITS + GUARD + Math.max(0, -size)
  const unit = tenTo(digits)
  const pi = fixedPi(digits)
  const fixed = scaled(angle, digits)
  const quarters = (2n * fixed * 2n + (fixed < 0n ? -pi : pi)) / (2n * pi)
  const left = fixed - (quarters * pi) / 2n
  const isNoise = !angle.exact && String(left).length < digits + size - TRUSTED_DIGITS
  const rest = isNoise ? 0n : left
  const across = rational(waveSeries(rest, rest, { unit, degree: 1n }), unit, false)
  const along = rational(waveSeries(unit, rest, { unit, degree: 0n }), unit, false)
  switch (((quarters % 4n) + 4n) % 4n) {
    case 0n:
      return { sine: across, cosine: along }
    case 1n:
      return { sine: along, cosine: negate(across) }
    case 2n:
      return { sine: negate(across), cosine: negate(along) }
    default:
      return { sine: negate(along), cosine: across }
  }
}

export function sine(angle: Rational): Rational {
  return wave(angle).sine
}

export function cosine(angle: Rational): Rational {
  return wave(angle).cosine
}

export function tangent(angle: Rational): Rational {
  const { sine: opposite, cosine: adjacent } = wave(angle)
  if (adjacent.numerator === 0n) throw new Problem('The tangent has no value at an odd multiple of pi/2.')
  return divide(opposite, adjacent)
}

export function arcTangent(x: Rational): Rational {
  if (x.numerator === 0n) return x
  if (compare(absolute(x), ONE) > 0) return subtract(isBelow(x, 0) ? negate(HALF_PI) : HALF_PI, arcTangent(divide(ONE, x)))
  const digits = WORKING_DIGITS + GUARD + Math.max(0, -magnitude(x))
  const unit = tenTo(digits)
  const halved = halfAngle(halfAngle(scaled(x, digits), unit), unit)
  return rational(4n * arcSeries(halved, unit, -1n), unit, false)
}

const HALF_PI = divide(PI, whole(2))

/** The tangent of half the angle, on which the series ends sooner. */
function halfAngle(tangentOfWhole: FixedPoint, unit: FixedPoint): FixedPoint {
  return (tangentOfWhole * unit) / (unit + fixedRoot(unit + (tangentOfWhole * tangentOfWhole) / unit, unit))
}

export function arcSine(x: Rational): Rational {
  const { above, below } = distances(x, 'asin')
  if (above.numerator === 0n) return HALF_PI
  if (below.numerator === 0n) return negate(HALF_PI)
  return arcTangent(divide(x, squareRoot(multiply(above, below))))
}

export function arcCosine(x: Rational): Rational {
  const { above, below } = distances(x, 'acos')
  if (above.numerator === 0n) return { ...ZERO, exact: x.exact }
  if (below.numerator === 0n) return PI
  return multiply(whole(2), arcTangent(squareRoot(divide(above, below))))
}

/** How far it is to 1 and to -1. */
function distances(x: Rational, name: string): { readonly above: Rational; readonly below: Rational } {
  const above = subtract(ONE, x)
  const below = add(x, ONE)
  if (above.numerator < 0n || below.numerator < 0n) throw new Problem(`${name} takes a number from -1 to 1 only.`)
  return { above, below }
}
