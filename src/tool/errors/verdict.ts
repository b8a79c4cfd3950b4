import type { FailureCode } from './error-codes.ts'
import type { Outcome } from './tool-error.ts'

/** What a foreign error means: our code for it, and whether the effect may have happened. */
export interface Verdict {
  readonly code: FailureCode
  readonly outcome: Outcome
  /** Where it differs from what the code says. */
  readonly retryable?: boolean | undefined
}

export function verdict(code: FailureCode, outcome: Outcome, retryable?: boolean): Verdict {
  return retryable === undefined ? { code, outcome } : { code, outcome, retryable }
}
