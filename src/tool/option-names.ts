import { oddName } from '../schema/odd-name.ts'
import { ConfigurationError } from './errors/configuration-error.ts'

/** The names of all options of one kind. The compiler finds a name that is missing. */
export function optionNames<T extends object>(names: Readonly<Record<keyof T, true>>): readonly string[] {
  return Object.keys(names)
}

/** Throws where an object has a name that is not known. `what` begins the message, in the plural: `The options of gate`. */
export function checkOptionNames(given: unknown, known: readonly string[], what: string): void {
  const problem = oddName(given, known, what)
  if (problem !== undefined) throw new ConfigurationError('invalid_option', problem)
}
