import { type Threshold, threshold } from './threshold.ts'

/**
 * A route that is taken when a number in the input is greater than a bound.
 * @example
 * const large = above('amount', 100, gate(issueRefund))
 */
export const above: Threshold = threshold('above', (number, bound) => number > bound)
