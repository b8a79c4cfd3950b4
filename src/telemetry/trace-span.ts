import type { CallFinished, Progress, ReviewDecided } from '../tool/event.ts'
import type { Usage } from '../tool/result/result.ts'
import type { ReviewRequest, Risk } from '../tool/review.ts'

/** A wait for a person within a call. */
export interface TraceReview {
  readonly id: string
  readonly kind: ReviewRequest['kind']
  readonly risk: Risk
  /** Milliseconds since the epoch. */
  readonly requestedAt: number
  /** Undefined while the request is open, as are the two below. */
  readonly waitedMs: number | undefined
  readonly action: ReviewDecided['action'] | undefined
  readonly by: string | undefined
}

/** A report of progress, and its time. */
export interface TraceProgress extends Progress {
  readonly at: number
}

/** One invocation in a trace. Inputs and outputs are not kept. */
export interface TraceSpan {
  /** The invocation id. */
  readonly id: string
  readonly parentId: string | undefined
  readonly traceId: string
  readonly tool: string
  readonly version: string
  readonly path: string
  /** The combinator, where this is a layer around a tool and not a call of its own. */
  readonly layer: string | undefined
  readonly agent: string | undefined
  /** Milliseconds since the epoch, with fractions: exact among the calls of one tree. */
  readonly startedAt: number
  /** Undefined while the call runs. */
  readonly durationMs: number | undefined
  readonly outcome: CallFinished['outcome'] | undefined
  /** The code of the failure, or of the error that ended the run. */
  readonly code: string | undefined
  /** The message of the failure, with secrets masked. */
  readonly message: string | undefined
  /** The result was read from a journal, and nothing ran. */
  readonly replayed: boolean
  readonly reviews: readonly TraceReview[]
  /** The latest reports, 100 at most. */
  readonly progress: readonly TraceProgress[]
  /** Of this call and the calls inside. */
  readonly usage: Usage | undefined
}

/** A span and the spans of the calls that it made. */
export interface SpanTree {
  readonly span: TraceSpan
  readonly children: readonly SpanTree[]
}
