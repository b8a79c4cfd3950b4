import { Call } from '../engine/call.ts'
import { ConfigurationError } from '../errors/configuration-error.ts'

/** The engine's object behind the context of a combinator. Only the seam may use it. */
export function callOf(given: object): Call {
  if (given instanceof Call) return given
  throw new ConfigurationError(
    'invalid_option',
    'The first argument must be the context that a running compound was given, not a copy of it.',
  )
}
