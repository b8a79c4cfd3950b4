import type { Call } from '../engine/call.ts'
import { CallContext } from '../engine/call-context.ts'
import { ConfigurationError } from '../errors/configuration-error.ts'

/** The engine's object behind the context of a combinator. Only the seam may use it. */
export function callOf(given: object): Call {
  if (given instanceof CallContext) return given
  throw new ConfigurationError(
    'invalid_option',
    'The first argument must be the context that a running compound was given, not a copy of it.',
  )
}
