import { Call } from '../engine/call.ts'
import { ConfigurationError } from '../errors/configuration-error.ts'

/** The engine's own object behind what a combinator sees. Only the seam looks behind. */
export function callOf(given: object): Call {
  if (given instanceof Call) return given
  throw new ConfigurationError(
    'invalid_option',
    'The first argument must be the context that a running compound was given, not a copy of it.',
  )
}
