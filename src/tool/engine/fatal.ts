import { isConfigurationError } from '../errors/configuration-error.ts'
import { isExitEarly } from '../errors/exit-early.ts'
import type { Call } from './call.ts'

/** Errors that reject the promise of `call` through every layer. */
export function isFatal(thrown: unknown): boolean {
  return isConfigurationError(thrown) || isExitEarly(thrown)
}

/** Records a fatal error of an awaited promise on the call: the tool's function cannot stop it by catching. */
export async function noting<T>(call: Call, promise: Promise<T>): Promise<T> {
  try {
    return await promise
  } catch (thrown) {
    if (isFatal(thrown)) call.fatal ??= thrown
    throw thrown
  }
}
