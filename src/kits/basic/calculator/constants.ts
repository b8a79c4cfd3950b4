import { exponential } from './exponentials.ts'
import { ONE, type Rational } from './rational.ts'
import { PI } from './trigonometry.ts'

export const CONSTANTS: ReadonlyMap<string, Rational> = new Map([
  ['pi', PI],
  ['e', exponential(ONE)],
])
