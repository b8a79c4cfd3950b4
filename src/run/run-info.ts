import type { RunReason, RunStatus } from './run-status.ts'

/** What a run is and where it stands. */
export interface RunInfo {
  readonly id: string
  readonly key?: string | undefined
  readonly tool: string
  readonly version: string
  readonly status: RunStatus
  /** What it waits for, why it cannot go on, or why it failed. */
  readonly why?: RunReason | undefined
  /** The worker that has it now. */
  readonly worker?: string | undefined
  /** When it goes on by itself. */
  readonly wakeAt?: number | undefined
  /** Milliseconds since the epoch, as all times here. */
  readonly createdAt: number
  readonly startedAt?: number | undefined
  readonly endedAt?: number | undefined
}
