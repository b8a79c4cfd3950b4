import { isConfigurationError } from '../errors/configuration-error.ts'
import { isExitEarly } from '../errors/exit-early.ts'
import type { Call } from './call.ts'

/** What rejects the promise of `call`, whatever stands in between. */
export function isFatal(thrown: unknown): boolean {
  return isConfigurationError(thrown) || isExitEarly(thrown)
}

/** Notes on the call what is fatal in a promise that its function waits for: catching it there does not keep it from passing. */
export async function noting<T>(call: Call, promise: Promise<T>): Promise<T> {
  try {
    return await promise
  } catch (thrown) {
    if (isFatal(thrown)) call.fatal ??= thrown
    throw thrown
  }
}
