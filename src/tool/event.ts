import type { Clock } from './ports/clock.ts'
import type { Effect } from './metadata.ts'
import type { FailureDetails, Usage } from './result/result.ts'
import type { Identity, ReviewVote } from './deciders.ts'
import type { ReviewDecision, ReviewRequest } from './review.ts'

/** The call that an event is about. Ids and views are made when they are read. */
export interface CallInfo {
  readonly tool: string
  readonly version: string
  readonly description: string
  readonly effect: Effect
  /** The combinator, where this is a layer around a tool (`gate`, `retry`, ...) and not a call of its own. */
  readonly layer: string | undefined
  readonly path: string
  readonly invocationId: string
  readonly traceId: string
  readonly parentId: string | undefined
  /** The call around this one. Events of one call carry the same object: it can be the key of a WeakMap. */
  readonly parent: CallInfo | undefined
  /** The clock of the call. */
  readonly clock: Clock
  /** When it began, by `clock.tick`: for the distance between calls. */
  readonly startedAt: number
  readonly agent: string | undefined
  readonly task: string | undefined
  readonly session: string | undefined
  readonly principal: { readonly id: string } | undefined
  /** The input of the tool, with secrets masked. */
  readonly input: unknown
  /** The output, with secrets masked; undefined until it has succeeded. */
  readonly output: unknown
}

/** A report of how far a long call is. */
export interface Progress {
  readonly message?: string | undefined
  readonly progress?: number | undefined
  readonly total?: number | undefined
}

interface EventOf<T extends string> {
  readonly type: T
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly call: CallInfo
}

/** A call has begun. */
export interface CallStarted extends EventOf<'call.started'> {}
/** A tool has reported its progress. */
export interface CallProgressed extends EventOf<'call.progressed'>, Progress {}
/** An attempt has failed, and there will be another one: by a retry, a saga, or a durable run of a step that only reads. */
export interface CallRetried extends EventOf<'call.retried'> {
  /** The failed attempt, from 1. */
  readonly attempt: number
  /** Why it failed, with secrets masked. */
  readonly error: Omit<FailureDetails, 'cause'>
  /** When the next attempt begins, in milliseconds since the epoch. */
  readonly until: number
}
/** A call has ended. */
export interface CallFinished extends EventOf<'call.finished'> {
  /** `failure` was returned, `error` was thrown. Exactly one of the three for every call. */
  readonly outcome: 'success' | 'failure' | 'error'
  readonly durationMs: number
  /** The text for the model, with secrets masked. */
  readonly text: string
  readonly error?: Omit<FailureDetails, 'cause'> | undefined
  /** The code of the failure, or of the fatal error. */
  readonly code?: string | undefined
  readonly usage?: Usage | undefined
  /** The run ends here: a configuration error, or a reviewer who stopped it. */
  readonly fatal: boolean
  /** The result was read from a journal, and nothing ran. */
  readonly replayed: boolean
  /** False for a layer that called the tool inside, whose own event reports the call. True exactly once for every call. */
  readonly counts: boolean
}
/** A person is asked. */
export interface ReviewRequested extends EventOf<'review.requested'> {
  readonly request: ReviewRequest
}
/** A person has decided, or the request was withdrawn. */
export interface ReviewDecided extends EventOf<'review.decided'> {
  readonly request: ReviewRequest
  readonly action: ReviewDecision['action'] | 'withdraw'
  readonly by?: string | undefined
  readonly identity?: Identity | undefined
  /** All approvals, where several were needed. */
  readonly votes?: readonly ReviewVote[] | undefined
  readonly waitedMs: number
}
/** A tool has recorded a metric of its own. */
export interface MetricRecorded extends EventOf<'metric.recorded'> {
  readonly name: string
  readonly value: number
  readonly attributes: Readonly<Record<string, string | number | boolean>>
}

/** An event of a call. */
export type ToolEvent = CallStarted | CallProgressed | CallRetried | CallFinished | ReviewRequested | ReviewDecided | MetricRecorded

/** Receives every event of a call and of the calls inside it. If it throws, a process warning is emitted. */
export interface Observer {
  readonly onEvent: (event: ToolEvent) => void
  /** Runs the tool's function, so that an observer can set an ambient context around it. */
  readonly around?: (<T>(call: CallInfo, run: () => T) => T) | undefined
}

/** Receives the events of a call: a function, or an observer. */
export type Listener = ((event: ToolEvent) => void) | Observer
