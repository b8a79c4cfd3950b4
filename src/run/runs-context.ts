import type { ReviewDecision, ReviewRequest } from '../tool/review.ts'
import type { Values } from './journal/values.ts'
import type { OnStopPoint } from './stop-point.ts'
import type { RunStore } from './store/run-store.ts'

/** What all parts of the durable engine of one process share. */
export interface RunsContext {
  readonly store: RunStore
  readonly values: Values
  readonly reach: OnStopPoint
  /** Tries again while the database is away. */
  readonly patiently: <T>(work: () => Promise<T>) => Promise<T>
  /** Records a decision; false where somebody else was first. */
  readonly decide: (id: string, decision: ReviewDecision) => Promise<boolean>
  /** A person is asked. */
  readonly onRequest: (request: ReviewRequest) => void
}
