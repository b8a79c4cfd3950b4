import { isRecord } from '../schema/json-schema.ts'
import { quote } from '../schema/quote.ts'
import { ConfigurationError } from './errors/configuration-error.ts'

/** Catches mistakes of untyped programs. `what` begins the message: `The adapter of into`. */
export function checkFunction(given: unknown, what: string): void {
  if (typeof given !== 'function') throw wrong(what, 'a function', given)
}

export function checkOptions(given: unknown, what: string): void {
  if (!isRecord(given)) throw wrong(what, 'an object', given)
}

/** One of at least two words; undefined is the default. */
export function checkChoice(given: unknown, choices: readonly string[], what: string): void {
  if (given === undefined || choices.includes(given as string)) return
  const words = choices.map((each) => `'${each}'`)
  throw wrong(what, `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`, given)
}

function wrong(what: string, needed: string, given: unknown): ConfigurationError {
  return new ConfigurationError('invalid_option', `${what} must be ${needed}, not ${quote(given)}.`)
}
