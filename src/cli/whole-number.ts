import { CliError } from './cli-error.ts'

/** The value of a flag that counts something. */
export function wholeNumber(flag: string, given: string | undefined): number | undefined {
  if (given === undefined) return undefined
  if (/^\d+$/.test(given)) return Number(given)
  throw new CliError('usage', `${flag} must be a whole number, not '${given}'.`)
}
