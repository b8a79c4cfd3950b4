import { didYouMean } from '../../../schema/did-you-mean.ts'
import { nearestNames } from '../../../schema/nearest-names.ts'
import { cubeRoot, exponential, logarithm, power, squareRoot } from './power.ts'
import { Problem } from './problem.ts'
import {
  absolute,
  add,
  compare,
  divide,
  floor,
  isWhole,
  multiply,
  negate,
  ONE,
  rational,
  type Rational,
  scaled,
  settled,
  tenTo,
  tooLarge,
  truncate,
  whole,
  ZERO,
} from './rational.ts'
import { arcCosine, arcSine, arcTangent, cosine, PI, sine, tangent } from './trigonometry.ts'

interface CalculatorFunction {
  readonly usage: string
  readonly least: number
  readonly most: number
  readonly apply: (given: readonly Rational[]) => Rational
}

const TEN = whole(10)

/** The functions of a pocket calculator, by name. */
export const FUNCTIONS: ReadonlyMap<string, CalculatorFunction> = new Map<string, CalculatorFunction>([
  one('sqrt', squareRoot),
  one('cbrt', cubeRoot),
  one('abs', absolute),
  ['round', { usage: 'round(x) or round(x, digits)', least: 1, most: 2, apply: ([x = ZERO, digits = ZERO]) => round(x, digits) }],
  one('floor', floor),
  one('ceil', (x) => negate(floor(negate(x)))),
  one('trunc', truncate),
  list('min', (given) => given.reduce((a, b) => (compare(a, b) <= 0 ? a : b))),
  list('max', (given) => given.reduce((a, b) => (compare(a, b) >= 0 ? a : b))),
  list('sum', (given) => given.reduce(add)),
  list('avg', (given) => divide(given.reduce(add), whole(given.length))),
  ['pow', { usage: 'pow(x, y)', least: 2, most: 2, apply: ([x = ZERO, y = ZERO]) => power(x, y) }],
  ['log', { usage: 'log(x) to the base of 10, or log(x, base)', least: 1, most: 2, apply: ([x = ZERO, base = TEN]) => logarithm(x, base) }],
  one('ln', (x) => logarithm(x)),
  one('log10', (x) => logarithm(x, TEN)),
  one('log2', (x) => logarithm(x, whole(2))),
  one('exp', exponential),
  one('sin', sine),
  one('cos', cosine),
  one('tan', tangent),
  one('asin', arcSine),
  one('acos', arcCosine),
  one('atan', arcTangent),
  one('deg', (x) => divide(multiply(x, whole(180)), PI)),
  one('rad', (x) => divide(multiply(x, PI), whole(180))),
  ['fact', { usage: 'fact(n)', least: 1, most: 1, apply: ([n = ZERO]) => factorial(n) }],
])

type Entry = readonly [name: string, definition: CalculatorFunction]

function one(name: string, apply: (x: Rational) => Rational): Entry {
  return [name, { usage: `${name}(x)`, least: 1, most: 1, apply: ([x = ZERO]) => apply(x) }]
}

function list(name: string, apply: CalculatorFunction['apply']): Entry {
  return [name, { usage: `${name}(a, b, ...)`, least: 1, most: Infinity, apply }]
}

const MOST_PLACES = 500

/** Half away from zero, as on a bill. */
function round(x: Rational, digits: Rational): Rational {
  const places = Number(digits.numerator)
  if (!isWhole(digits) || Math.abs(places) > MOST_PLACES) {
    throw new Problem(`round takes a whole number of digits, from -${MOST_PLACES} to ${MOST_PLACES}.`)
  }
  const coefficient = scaled(settled(x), places)
  return places < 0 ? rational(coefficient * tenTo(-places), 1n, x.exact) : rational(coefficient, tenTo(places), x.exact)
}

/** The next one has more than a thousand digits. */
const LARGEST_FACTORIAL = 449

function factorial(n: Rational): Rational {
  if (!isWhole(n) || n.numerator < 0n) throw new Problem('fact takes a whole number from 0 on.')
  if (n.numerator > LARGEST_FACTORIAL) throw tooLarge()
  let product = 1n
  for (let factor = 2n; factor <= n.numerator; factor++) product *= factor
  return rational(product, 1n, n.exact)
}

export const CONSTANTS: ReadonlyMap<string, Rational> = new Map([
  ['pi', PI],
  ['e', exponential(ONE)],
])

/** The hint for an unknown name: the most similar names, or all. */
export function namesLike(name: string): string {
  const names = [...FUNCTIONS.keys(), ...CONSTANTS.keys()]
  return ` ${didYouMean(nearestNames(name, names), `There are: ${names.join(', ')}.`)}`
}
