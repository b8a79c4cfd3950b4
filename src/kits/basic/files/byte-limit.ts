import { quote } from '../../../schema/quote.ts'
import { ConfigurationError } from '../../../tool/errors/configuration-error.ts'

const LEAST = 16
const MOST = 64 * 1024 * 1024

/** The option `maxBytes` of a file tool. */
export function byteLimit(given: number | undefined, byDefault: number, factory: string): number {
  if (given === undefined) return byDefault
  if (Number.isSafeInteger(given) && given >= LEAST && given <= MOST) return given
  throw new ConfigurationError(
    'invalid_option',
    `'maxBytes' of ${factory} must be a whole number from ${LEAST} to ${MOST}, not ${quote(given)}.`,
  )
}
