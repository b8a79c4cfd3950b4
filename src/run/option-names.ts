import { isRecord } from '../schema/json-schema.ts'
import { quote } from '../schema/quote.ts'
import { ConfigurationError } from '../tool/errors/configuration-error.ts'
import { didYouMean } from '../tool/resolve/did-you-mean.ts'
import { nearestNames } from '../tool/resolve/nearest-names.ts'

/** A misspelt option would be as good as none, and one too many would be kept with the run. */
export function checkOptionNames(given: unknown, known: readonly string[], what: string): void {
  if (!isRecord(given)) throw new ConfigurationError('invalid_option', `${what} must be an object, not ${quote(given)}.`)
  const odd = Object.keys(given).find((name) => !known.includes(name) && given[name] !== undefined)
  if (odd === undefined) return
  const hint = didYouMean(nearestNames(odd, known), `There are: ${known.join(', ')}.`)
  throw new ConfigurationError('invalid_option', `${what} have no '${odd}'. ${hint}`)
}
