import { didYouMean } from './did-you-mean.ts'
import { isRecord } from './json-schema.ts'
import { nearestNames } from './nearest-names.ts'
import { quote } from './quote.ts'

/**
 * The complaint about the first name of an object that is not known, with the nearest one that is; undefined where there is none. A misspelt
 * option would be as good as none. `what` begins the message, in the plural: `The options of gate`.
 */
export function oddName(given: unknown, known: readonly string[], what: string): string | undefined {
  if (!isRecord(given)) return `${what} must be an object, not ${quote(given)}.`
  const odd = Object.keys(given).find((name) => !known.includes(name) && given[name] !== undefined)
  if (odd === undefined) return undefined
  return `${what} have no '${odd}'. ${didYouMean(nearestNames(odd, known), `There are: ${known.join(', ')}.`)}`
}
