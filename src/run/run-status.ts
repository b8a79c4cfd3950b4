/**
 * Where a run stands. `waiting` is for a person or a time and costs nothing; `blocked` cannot go on under this program, and can be taken up
 * again when that is mended. The others below are final.
 */
export type RunStatus = 'queued' | 'running' | 'waiting' | 'blocked' | 'completed' | 'failed' | 'cancelled' | 'stopped'

/** The statuses from which nothing follows any more. */
export const FINAL: ReadonlySet<RunStatus> = new Set<RunStatus>(['completed', 'failed', 'cancelled', 'stopped'])

/** What a run waits for, or why it cannot go on. */
export interface RunReason {
  /** `person`, `time`, or the code of an error. */
  readonly code: string
  readonly message: string
}
