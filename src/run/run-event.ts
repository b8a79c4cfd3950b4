import type { ReviewDecision, ReviewRequest } from '../tool/review.ts'
import type { RunReason, RunStatus } from './run-status.ts'

type EventOf<T extends string> = {
  readonly type: T
  /** Rises within a run; to go on after it, pass it as `after`. */
  readonly no: number
  /** Milliseconds since the epoch. */
  readonly at: number
}

/** What happened in a run. Steps of earlier times are told once, also when a later segment replays them. */
export type RunEvent =
  | (EventOf<'status'> & {
      readonly status: RunStatus
      readonly why?: RunReason | undefined
      /** Who has it, while it is running. */
      readonly worker?: string | undefined
    })
  | (EventOf<'step.started'> & { readonly path: string; readonly tool: string })
  | (EventOf<'step.finished'> & {
      readonly path: string
      readonly tool: string
      readonly ok: boolean
      readonly message?: string | undefined
    })
  | (EventOf<'review.requested'> & { readonly path: string; readonly request: ReviewRequest })
  | (EventOf<'review.decided'> & { readonly path: string; readonly decision: ReviewDecision })
  | (EventOf<'sleeping'> & { readonly path: string; readonly until: number })
  | (EventOf<'progress'> & {
      readonly path: string
      readonly tool: string
      readonly message?: string | undefined
      readonly progress?: number | undefined
      readonly total?: number | undefined
    })
