import type { JsonSchema } from '../schema/json-schema.ts'
import type { Clock } from './clock.ts'
import type { Duration } from './duration.ts'

/** How much harm a wrong approval could do. */
export type Risk = 'low' | 'medium' | 'high'

/** What happens when nobody answers in time. */
export type OnTimeout = 'reject' | 'continue' | 'stop'

/** A question to a person. It is data: a handler can print it, post it or store it. */
export interface ReviewRequest {
  readonly id: string
  /** `approval` of a call, or a `question` that wants an answer. */
  readonly kind: 'approval' | 'question'
  readonly tool: string
  readonly version: string
  /** What the tool would get, with secrets masked. */
  readonly input: unknown
  readonly why: string
  readonly caller: {
    readonly principal?: string | undefined
    readonly agent?: string | undefined
    readonly task?: string | undefined
    readonly session?: string | undefined
  }
  readonly risk: Risk
  readonly invocationId: string
  readonly path: string
  /** An approval holds for this tool and this input only. */
  readonly inputHash: string
  /** Of an approval before a tool runs: the tool's own schema, by which an edit is judged. */
  readonly inputSchema?: JsonSchema | undefined
  /** The shape of an answer, where one is wanted. */
  readonly answerSchema?: JsonSchema | undefined
  readonly timeoutMs?: number | undefined
  readonly onTimeout: OnTimeout
}

/** Who decided, and what they noted. */
export interface Reviewed {
  readonly by?: string | undefined
  readonly note?: string | undefined
}

/** What a person decided. */
export type ReviewDecision =
  | (Reviewed & { readonly action: 'continue' })
  /** Run with another input: all of it, or a JSON merge patch over the original. Fields left masked keep their true value. */
  | (Reviewed & { readonly action: 'edit'; readonly input: unknown })
  | (Reviewed & { readonly action: 'edit'; readonly patch: unknown })
  | (Reviewed & { readonly action: 'answer'; readonly value: unknown })
  | (Reviewed & { readonly action: 'reject'; readonly reason?: string | undefined })
  | (Reviewed & { readonly action: 'stop'; readonly reason?: string | undefined })

/** What a handler gets beside the request. */
export interface ReviewWait {
  /** Aborted when the request is withdrawn: the call was cancelled, lost a race, or timed out. */
  readonly signal: AbortSignal
  readonly clock: Clock
}

/**
 * Brings a request before a person. Whatever it throws, and whatever it answers that is not a decision, counts as a rejection.
 * @example
 * const review: ReviewHandler = { review: async (request) => ({ action: await askOnSlack(request) ? 'continue' : 'reject' }) }
 */
export interface ReviewHandler {
  readonly review: (request: ReviewRequest, wait: ReviewWait) => Promise<ReviewDecision> | ReviewDecision
  /** How long a request waits unless it says otherwise; without it, for ever. */
  readonly timeoutMs?: number | undefined
  /** There is nobody who could answer: `context.ask` then gives undefined, as without a handler. Approvals are still asked for, and refused. */
  readonly isAbsent?: boolean | undefined
}

/** What a tool says when it asks in code, through `context.review`. */
export interface ReviewQuestion {
  readonly why: string
  readonly input?: unknown
  readonly risk?: Risk | undefined
  readonly timeout?: Duration | undefined
  readonly onTimeout?: OnTimeout | undefined
}
