import type { RunStatus } from './run-status.ts'

/** Which runs are listed. */
export interface ListOptions {
  /** Runs of this status, or of any of these. */
  readonly status?: RunStatus | readonly RunStatus[] | undefined
  readonly tool?: string | undefined
  readonly key?: string | undefined
  /** At most so many: 50 by default, 10000 at most. */
  readonly limit?: number | undefined
  /** Goes on after this run: the id of the last one that was listed. */
  readonly before?: string | undefined
}
