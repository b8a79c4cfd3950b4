import type { ErrorClass } from '../errors/error-codes.ts'
import type { Outcome } from '../errors/tool-error.ts'
import type { PendingRun } from './pending-run.ts'

/** The origin of a result. */
export interface Provenance {
  /** `name@version`. */
  readonly tool: string
  readonly invocationId: string
  /** When the call ended, in milliseconds since the epoch. */
  readonly timestamp: number
  readonly source?: string | undefined
}

/** A part of a result that is not text. */
export type ContentPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image' | 'audio'; readonly data: string; readonly mimeType: string }
  | {
      readonly type: 'resource'
      readonly uri: string
      /** What a link is called. */
      readonly name?: string | undefined
      readonly mimeType?: string | undefined
      readonly text?: string | undefined
      readonly data?: string | undefined
    }

/** A note for the reader of a result. */
export interface ResultIssue {
  readonly severity: 'info' | 'warning' | 'critical'
  readonly message: string
  readonly path?: string | undefined
  /** The text of a success says it too, on a line of its own: the output answers another question than the one that was asked. */
  readonly told?: true | undefined
}

/** One call inside a compound tool. */
export interface Step {
  readonly label: string
  readonly path: string
  readonly tool: string
  readonly result: ToolResult<unknown>
}

/** Tokens and money that a call reported through `context.usage`. */
export interface Usage {
  readonly tokens?: number | undefined
  readonly costUsd?: number | undefined
}

/** One try of several, by a retry, a repair or a fallback. */
export interface Attempt {
  /** From 1. */
  readonly number: number
  readonly tool: string
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly input?: unknown
  readonly level?: string | undefined
  readonly error?: FailureDetails | undefined
  /** Why it was not even tried. */
  readonly skipped?: string | undefined
}

/** The state of a saga. `aborted`: undone after a rejection or a cancellation; `compensation_failed`: something was not undone. */
export type SagaState = 'running' | 'completed' | 'compensating' | 'compensated' | 'aborted' | 'compensation_failed'

/** The result of undoing one step of a saga. */
export interface CompensationOutcome {
  readonly step: string
  /** `skipped`: it has no compensation. `not_needed`: it took no effect. */
  readonly status: 'undone' | 'failed' | 'skipped' | 'not_needed'
  /** How often its compensation was tried. */
  readonly attempts: number
  readonly error?: FailureDetails | undefined
}

/** The report of a saga. Plain data. */
export interface SagaReport {
  readonly state: SagaState
  /** The path of the saga in its run; only of a saga that failed. */
  readonly path?: string | undefined
  /** Every transition was recorded where it survives the process. */
  readonly durable: boolean
  /** Undefined where all steps succeeded and the whole failed after them. */
  readonly failedStep?: string | undefined
  /** Why it failed: the step's own error. */
  readonly error?: FailureDetails | undefined
  /** The steps that had begun, in the order in which they were undone: the last one first. */
  readonly outcomes: readonly CompensationOutcome[]
  /** The steps that were not undone, in the order of the saga; a step of a saga inside is named by its path, `inner/charge`. */
  readonly notUndone: readonly string[]
  /** The results of the steps by their labels; only of a saga that failed. */
  readonly results?: Readonly<Record<string, unknown>> | undefined
}

/**
 * The judgement of an output. `warning`: it has faults that are not critical. `conditional`: sources disagreed about something critical, and the
 * conflict was resolved. `failure`: a critical fault, or a critical conflict that nobody resolved.
 */
export type Verdict = 'success' | 'warning' | 'conditional' | 'failure'

/** The judgement of an output by rules or by other sources. The faults themselves are the issues of the result. Plain data. */
export interface Validation {
  readonly verdict: Verdict
  /** The fields on which sources disagreed; only of sources that were compared. */
  readonly conflicts?: readonly SourceConflict[] | undefined
}

/** A field on which sources disagreed. */
export interface SourceConflict {
  readonly field: string
  readonly severity: 'critical' | 'warning'
  /** The value of each source that gave one, by its label. */
  readonly values: Readonly<Record<string, unknown>>
  /** How it was resolved; undefined if it was not. */
  readonly resolved?: ConflictResolution | undefined
}

/** How a conflict between sources was resolved, and which value it gave. */
export interface ConflictResolution {
  readonly by: 'authority' | 'freshness' | 'majority' | 'arbiter' | 'person'
  readonly value: unknown
  /** The source that was believed, where one was. */
  readonly source?: string | undefined
}

/** The details that a success and a failure may have. */
export interface ResultDetails {
  readonly steps?: readonly Step[] | undefined
  readonly issues?: readonly ResultIssue[] | undefined
  readonly attempts?: readonly Attempt[] | undefined
  /** Which level of a fallback answered. */
  readonly level?: string | undefined
  /** The report of a saga. */
  readonly compensation?: SagaReport | undefined
  /** The judgement of the output, where rules or other sources found something to say. */
  readonly validation?: Validation | undefined
  readonly usage?: Usage | undefined
}

/** The result of a call that succeeded. */
export interface ToolSuccess<O = unknown> extends ResultDetails {
  readonly ok: true
  /** What the model reads. */
  readonly text: string
  /** The structured output. */
  readonly value: O
  readonly content?: readonly ContentPart[] | undefined
  readonly confidence?: number | undefined
  readonly provenance: Provenance
}

/** Why a call failed, and what to do next. */
export interface FailureDetails {
  readonly code: string
  readonly class: ErrorClass
  readonly message: string
  readonly retryable: boolean
  /** What to do next. */
  readonly hint: string
  readonly outcome: Outcome
  readonly retryAfterMs?: number | undefined
  /** The label of the step that failed, where a pipeline did; of pipelines inside one another, that of the innermost. */
  readonly step?: string | undefined
  /** The durable run that goes on; of `approval_pending` and `run_pending`. */
  readonly pending?: PendingRun | undefined
  /** The message has words that nobody wrote for the caller, such as those of a database: clients over a network do not get it. */
  readonly internal?: true | undefined
  readonly cause?: unknown
}

/** The result of a call that failed. */
export interface ToolFailure extends ResultDetails {
  readonly ok: false
  /** What the model reads: `Error: <message>`. */
  readonly text: string
  readonly error: FailureDetails
  readonly provenance: Provenance
}

/** The result of every call. */
export type ToolResult<O = unknown> = ToolSuccess<O> | ToolFailure
