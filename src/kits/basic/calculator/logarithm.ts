import { compare, divide, isWhole } from './arithmetic.ts'
import { naturalLogarithm } from './exponentials.ts'
import { power } from './powers.ts'
import { Problem } from './problem.ts'
import { ONE, type Rational, scaled, whole } from './rational.ts'

/** The logarithm to a base, or the natural one. A whole one is exact: `log2(8)` is 3. */
export function logarithm(x: Rational, base?: Rational): Rational {
  if (base === undefined) return naturalLogarithm(x)
  if (base.numerator <= 0n || compare(base, ONE) === 0) throw new Problem('The base of a logarithm is a positive number other than 1.')
  const result = divide(naturalLogarithm(x), naturalLogarithm(base))
  const nearest = whole(scaled(result, 0))
  return x.exact && base.exact && isWhole(nearest) && compare(power(base, nearest), x) === 0 ? nearest : result
}
