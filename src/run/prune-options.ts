import type { Duration } from '../tool/duration.ts'
import type { RunStatus } from './run-status.ts'

/** How long runs that have ended are kept. A run goes as soon as one of the two says so. */
export interface Retention {
  /** Runs that ended longer ago than this go. */
  readonly olderThan?: Duration | undefined
  /** So many of those that ended last stay; the others go. */
  readonly keep?: number | undefined
}

export interface PruneOptions extends Retention {
  /** Only runs that ended like this, and only these are counted. All that have ended by default. */
  readonly statuses?: readonly RunStatus[] | undefined
}
