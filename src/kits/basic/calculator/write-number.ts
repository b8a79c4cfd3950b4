import { LONGEST_DECIMAL, PRINTED_DIGITS } from './limits.ts'
import { magnitude, magnitudeOf, type Rational, scaled } from './rational.ts'

export interface WrittenNumber {
  readonly result: string
  /** Nothing was rounded, neither on the way nor here. */
  readonly exact: boolean
}

/** A decimal with an end is written out in full; any other number to 34 significant digits. */
export function writeNumber(value: Rational): WrittenNumber {
  if (value.numerator === 0n) return { result: '0', exact: value.exact }
  const sign = value.numerator < 0n ? '-' : ''
  const size: Rational = { ...value, numerator: magnitudeOf(value.numerator) }
  if (value.exact && value.denominator === 1n) return { result: `${sign}${size.numerator}`, exact: true }
  const places = value.exact ? placesOf(value.denominator) : undefined
  if (places !== undefined) {
    const digits = String(scaled(size, places))
    if (digits.length <= LONGEST_DECIMAL) return { result: sign + decimal(digits, places), exact: true }
  }
  const scale = PRINTED_DIGITS - 1 - magnitude(size)
  return { result: sign + decimal(String(scaled(size, scale)), scale), exact: false }
}

/** How many places after the point a fraction has; undefined where it never ends. */
function placesOf(denominator: bigint): number | undefined {
  let rest = denominator
  let [twos, fives] = [0, 0]
  for (; rest % 2n === 0n; twos++) rest /= 2n
  for (; rest % 5n === 0n; fives++) rest /= 5n
  return rest === 1n ? Math.max(twos, fives) : undefined
}

const MOST_ZEROS = 20

/** `digits * 10^-places`: plain where that is readable, else in scientific notation. */
function decimal(digits: string, places: number): string {
  const significant = digits.replace(/0+$/, '')
  const exponent = digits.length - 1 - places
  if (exponent < -MOST_ZEROS || exponent >= PRINTED_DIGITS) return scientific(significant, exponent)
  if (exponent < 0) return `0.${'0'.repeat(-exponent - 1)}${significant}`
  const units = significant.slice(0, exponent + 1).padEnd(exponent + 1, '0')
  const decimals = significant.slice(exponent + 1)
  return decimals === '' ? units : `${units}.${decimals}`
}

function scientific(significant: string, exponent: number): string {
  const decimals = significant.slice(1)
  return `${significant[0]}${decimals === '' ? '' : `.${decimals}`}e${exponent}`
}
