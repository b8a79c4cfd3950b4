import type { ErrorClass } from '../../tool/errors/error-codes.ts'
import type { CallEnd } from '../../tool/ports/breaker-store.ts'
import type { FailureDetails } from '../../tool/result/result.ts'
import type { SettledResult } from '../../tool/result/settled.ts'

/** Failures that a pause can cure. */
const CURABLE: ReadonlySet<ErrorClass> = new Set(['transient', 'rate_limited', 'server', 'deadline'])

/** Decisions of people and callers. */
const DECIDED: ReadonlySet<ErrorClass> = new Set(['rejected', 'cancelled'])

/** What the end of a call says about the service behind the tool. */
export function callEnd(result: SettledResult): CallEnd {
  return result.ok ? 'succeeded' : failureEnd(result.error)
}

/**
 * A service that refuses an input has answered. A call that never began says nothing, unless the service could not be reached; nor does a
 * failure of the record of the run, or of another breaker inside.
 */
function failureEnd({ class: errorClass, code, outcome }: FailureDetails): CallEnd {
  if (DECIDED.has(errorClass) || code === 'circuit_open' || code === 'journal_failed') return 'unheard'
  if (outcome === 'not_started' && errorClass !== 'transient') return 'unheard'
  return CURABLE.has(errorClass) ? 'failed' : 'succeeded'
}
