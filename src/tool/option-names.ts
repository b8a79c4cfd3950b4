import { isRecord } from '../schema/json-schema.ts'
import { quote } from '../schema/quote.ts'
import { ConfigurationError } from './errors/configuration-error.ts'
import { didYouMean } from './resolve/did-you-mean.ts'
import { nearestNames } from './resolve/nearest-names.ts'

/** The names of all options of one kind. The compiler finds a name that is missing. */
export function optionNames<T extends object>(names: Readonly<Record<keyof T, true>>): readonly string[] {
  return Object.keys(names)
}

/** A misspelt option would be as good as none. `what` begins the message, in the plural: `The options of gate`. */
export function checkOptionNames(given: unknown, known: readonly string[], what: string): void {
  if (!isRecord(given)) throw new ConfigurationError('invalid_option', `${what} must be an object, not ${quote(given)}.`)
  const odd = Object.keys(given).find((name) => !known.includes(name) && given[name] !== undefined)
  if (odd === undefined) return
  const hint = didYouMean(nearestNames(odd, known), `There are: ${known.join(', ')}.`)
  throw new ConfigurationError('invalid_option', `${what} have no '${odd}'. ${hint}`)
}
