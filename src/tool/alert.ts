import type { FailureDetails } from './result/result.ts'

/** A problem that a person must correct. It is data: send it to the people on call. */
export interface Alert {
  /** A compensation failed, or there is none for an effect that remains. */
  readonly kind: 'compensation_failed' | 'not_undone'
  /** The saga's tool. */
  readonly saga: string
  /** The path of the saga in its run. */
  readonly path: string
  readonly step: string
  /** One sentence for the reader. */
  readonly message: string
  /** The error of the compensation. */
  readonly error?: FailureDetails | undefined
  /** The caller's idempotency key, which for a durable run is its id. */
  readonly runId: string
  readonly traceId: string
}
