import { type Threshold, threshold } from './threshold.ts'

/**
 * A route that is taken when a number in the input is less than a bound.
 * @example
 * const small = below('amount', 10, issueRefund)
 */
export const below: Threshold = threshold('below', (number, bound) => number < bound)
