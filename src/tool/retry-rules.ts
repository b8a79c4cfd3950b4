import type { ErrorClass } from './errors/error-codes.ts'
import { mayRepeat } from './metadata.ts'
import type { FailureDetails } from './result/result.ts'

/** How long to wait between attempts: a backoff of policies/ is one. */
export interface Waits {
  /** How many attempts there are at most; undefined if it depends on the failure. */
  readonly attempts?: number | undefined
  /** In milliseconds, after a failed attempt counted from 1; undefined when there is no further attempt. `random` is from 0 to 1. */
  readonly waitAfter: (attempt: number, failure: FailureDetails, random: number) => number | undefined
}

const FINAL: ReadonlySet<ErrorClass> = new Set(['rejected', 'cancelled', 'deadline'])

/** A person, the caller or the clock has decided: continuing with another tool would bypass that decision. */
export function isFinal({ class: errorClass }: Pick<FailureDetails, 'class'>): boolean {
  return FINAL.has(errorClass)
}

/** Another attempt may help, and soon: who waits until a circuit closes keeps others from asking elsewhere. */
function helpsSoon({ code, retryable }: Pick<FailureDetails, 'code' | 'retryable'>): boolean {
  return retryable && code !== 'circuit_open'
}

/** Whether another attempt may help, is safe and goes around nobody's decision. If the journal has failed, nothing may begin. */
export function mayRetry(tool: Parameters<typeof mayRepeat>[0], error: FailureDetails, helps = helpsSoon(error)): boolean {
  const { code, outcome } = error
  return helps && !isFinal(error) && code !== 'journal_failed' && (outcome !== 'unknown' || mayRepeat(tool))
}

/** Why no other attempt was made after an outcome that is not known. */
export const NOT_SAFE = 'It was not called again: it may have taken effect, and it is not safe to repeat.'
