import type { ToolResult } from '../tool/result/result.ts'
import type { RunEvent } from './run-event.ts'
import type { RunInfo } from './run-info.ts'

export interface WaitOptions {
  /** Ends the waiting, not the run. */
  readonly signal?: AbortSignal | undefined
}

export interface EventOptions extends WaitOptions {
  /** Goes on after this event: the `no` of the last one that was seen. */
  readonly after?: number | undefined
}

/** A durable run, from any process that has its database. */
export interface RunHandle<O = unknown> {
  readonly id: string
  readonly status: () => Promise<RunInfo>
  /** Waits for the end. Rejects with ExitEarly when a reviewer stopped the run, and with ConfigurationError when it is blocked. */
  readonly result: (options?: WaitOptions) => Promise<ToolResult<O>>
  /** Asks the run to end: what is under way is cut off, sagas undo what they did. False where it had ended already. */
  readonly cancel: (reason?: string) => Promise<boolean>
  /** What happened, from the beginning and as it happens, until the run has ended or is blocked. */
  readonly events: (options?: EventOptions) => AsyncIterable<RunEvent>
  /** Takes a blocked run up again, when what blocked it is mended. */
  readonly resume: () => Promise<void>
  /** Tries the compensations that failed once more, on a person's word. */
  readonly retryCompensation: (by?: string) => Promise<void>
}
