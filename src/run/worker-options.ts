import type { Duration } from '../tool/duration.ts'
import type { Retention } from './prune-options.ts'
import type { ToolLimits } from './tool-limits.ts'

/** How much a worker takes on. */
export interface WorkerOptions {
  /** Runs that this worker has under way at the same time: 20 by default. */
  readonly concurrency?: number | undefined
  /** Limits for single tools, over all workers. */
  readonly limits?: ToolLimits | undefined
  /** How long `stop` lets steps under way come to an end: 30 seconds by default. */
  readonly drain?: Duration | undefined
  /** How long runs that have ended are kept: for ever by default. Looked at once an hour. */
  readonly retention?: Retention | undefined
}
