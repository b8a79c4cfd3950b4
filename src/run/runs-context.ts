import type { AgentTool } from '../tool/agent-tool.ts'
import type { Reviewers } from '../tool/deciders.ts'
import type { IdempotencyStore } from '../tool/ports/idempotency-store.ts'
import type { ReviewDecision, ReviewRequest } from '../tool/review.ts'
import type { SecretsProvider } from '../tool/secrets/secrets.ts'
import type { Starter } from './starter.ts'
import type { Values } from './journal/values.ts'
import type { Openness } from './openness.ts'
import type { OnStopPoint } from './stop-point.ts'
import type { NewRun, Started } from './store/run-queue.ts'
import type { RunStore } from './store/run-store.ts'

/** What all parts of the durable engine of one process share. */
export interface RunsContext {
  readonly store: RunStore
  readonly values: Values
  /** The keys of the store, sealed. */
  readonly idempotency: IdempotencyStore
  readonly reach: OnStopPoint
  /** Until when users may ask. */
  readonly openness: Openness
  /** The caller of runs that name none. */
  readonly starter?: Starter | undefined
  /** The tools that are known here: their schemas tell what is secret. */
  readonly tools: () => Promise<ReadonlyMap<string, AgentTool>>
  /** Asked again for the secrets that a run has read, to mask them. */
  readonly secrets?: SecretsProvider | undefined
  /** Who may decide requests; without it, everybody who reaches the database. */
  readonly reviewers?: Reviewers | undefined
  /** Records a new run. Where a worker of this process has room, it takes the run up in the same statement. */
  readonly start: (run: NewRun) => Promise<Started>
  /** Tries again while the database is away. */
  readonly patiently: <T>(work: () => Promise<T>) => Promise<T>
  /** Records a decision of the reviewer of the runtime, or one that is judged; false where it does not count: somebody else was first, or its decider may not make it. */
  readonly decide: (id: string, decision: ReviewDecision) => Promise<boolean>
  /** A person is asked. */
  readonly onRequest: (request: ReviewRequest) => void
}
