import type { Store } from '../store/store.ts'
import type { ReviewDecision, ReviewRequest } from '../tool/review.ts'
import type { RunQueue } from './postgres/run-queue.ts'
import type { OnStopPoint } from './stop-point.ts'
import type { Values } from './journal/values.ts'

/** What everything that has to do with the runs of one database shares. */
export interface RunsContext {
  readonly store: Store
  readonly queue: RunQueue
  readonly values: Values
  readonly reach: OnStopPoint
  /** Tries again while the database is away. */
  readonly patiently: <T>(work: () => Promise<T>) => Promise<T>
  /** Records a decision; false where somebody else was first. */
  readonly decide: (id: string, decision: ReviewDecision) => Promise<boolean>
  /** A person is asked. */
  readonly onRequest: (request: ReviewRequest) => void
}
