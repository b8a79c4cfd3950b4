import { tenTo } from './rational.ts'

/** Numbers with a fixed point: whole multiples of `1 / unit`. */
export type FixedPoint = bigint

/** `z - z^3/3 + z^5/5 - ...` for `sign` -1, the arc tangent; with +1 the inverse hyperbolic tangent. */
export function arcSeries(z: FixedPoint, unit: FixedPoint, sign: 1n | -1n): FixedPoint {
  const square = (z * z) / unit
  let term = z
  let sum = z
  for (let degree = 3n; term !== 0n; degree += 2n) {
    term = (sign * term * square) / unit
    sum += term / degree
  }
  return sum
}

/** `1 + z + z^2/2 + z^3/6 + ...` */
export function exponentialSeries(z: FixedPoint, unit: FixedPoint): FixedPoint {
  let term = unit
  let sum = unit
  for (let degree = 1n; term !== 0n; degree++) {
    term = (term * z) / (unit * degree)
    sum += term
  }
  return sum
}

/** From the first term on every second one of the series above, with changing signs: the sine begins with `z`, the cosine with 1. */
export function waveSeries(
  first: FixedPoint,
  z: FixedPoint,
  { unit, degree }: { readonly unit: FixedPoint; readonly degree: bigint },
): FixedPoint {
  const square = (z * z) / unit
  let term = first
  let sum = first
  for (let next = degree + 1n; term !== 0n; next += 2n) {
    term = (-term * square) / (unit * next * (next + 1n))
    sum += term
  }
  return sum
}

export function fixedRoot(value: FixedPoint, unit: FixedPoint): FixedPoint {
  return integerRoot(value * unit, 2)
}

/** Digits that the last steps of a series may get wrong. */
const GUARD = 10

/** Pi to so many digits after the point, by Machin's formula. */
export function fixedPi(digits: number): FixedPoint {
  const unit = tenTo(digits + GUARD)
  return (16n * arcSeries(unit / 5n, unit, -1n) - 4n * arcSeries(unit / 239n, unit, -1n)) / tenTo(GUARD)
}

/** The natural logarithm of 2. */
export function fixedLn2(digits: number): FixedPoint {
  const unit = tenTo(digits + GUARD)
  return (2n * arcSeries(unit / 3n, unit, 1n)) / tenTo(GUARD)
}

/** The largest whole number whose power of the given degree is not above `value`, which is not negative. */
export function integerRoot(value: bigint, degree: number): bigint {
  if (value < 2n) return value
  const power = BigInt(degree)
  const bits = value.toString(2).length
  let guess = 1n << BigInt(Math.ceil(bits / degree))
  // From above, each step of Newton's comes closer until it would rise again.
  for (;;) {
    const next = ((power - 1n) * guess + value / guess ** (power - 1n)) / power
    if (next >= guess) return guess
    guess = next
  }
}

/** The root where it is a whole number. */
export function exactRoot(value: bigint, degree: number): bigint | undefined {
  const root = integerRoot(value, degree)
  return root ** BigInt(degree) === value ? root : undefined
}
