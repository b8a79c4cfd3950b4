import type { FailureDetails } from './result/result.ts'

/** Something that a person must put right. It is data: send it to whoever is on call. */
export interface Alert {
  /** A compensation was tried and failed, or there is none for an effect that stands. */
  readonly kind: 'compensation_failed' | 'not_undone'
  /** The saga's tool. */
  readonly saga: string
  /** Where the saga stands in its run. */
  readonly path: string
  readonly step: string
  /** What there is to say, in a sentence. */
  readonly message: string
  /** What the compensation failed with. */
  readonly error?: FailureDetails | undefined
  /** The caller's idempotency key, which for a durable run is its id. */
  readonly runId: string
  readonly traceId: string
}
