import { magnitude, magnitudeOf, rational, type Rational, settled, vanishes, whole, ZERO } from './rational.ts'

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
