import type { JsonSchema } from '../schema/json-schema.ts'
import type { DeciderRule, Identity, RequiredApprovals, Reviewers, ReviewVote } from './deciders.ts'
import type { Clock } from './ports/clock.ts'
import type { Duration } from './duration.ts'

/** How much harm a wrong approval could do. */
export type Risk = 'low' | 'medium' | 'high'

/** The decision if nobody answers in time. */
export type OnTimeout = 'reject' | 'continue' | 'stop'

/** A question to a person. It is data: a handler can print it, post it or store it. */
export interface ReviewRequest {
  readonly id: string
  /** `approval` of a call, or a `question` that wants an answer. */
  readonly kind: 'approval' | 'question'
  /** A question whether a step of a durable run took effect. `run.settle` answers it. */
  readonly about?: 'outcome' | undefined
  readonly tool: string
  readonly version: string
  /** The input of the tool, with secrets masked. */
  readonly input: unknown
  /**
   * The parts of the tool that get another input than this one, because their schemas make something else of it: a default, a coerced or a
   * replaced value. An approval is for these inputs too.
   */
  readonly parts?: readonly ReviewedPart[] | undefined
  readonly why: string
  /** The same without what nobody wrote for the caller, where `why` tells of a failure inside the program: clients over a network get it. */
  readonly whyOutside?: string | undefined
  readonly caller: {
    readonly principal?: string | undefined
    /** That of the principal, as data. */
    readonly tenant?: unknown
    readonly agent?: string | undefined
    readonly task?: string | undefined
    readonly session?: string | undefined
  }
  readonly risk: Risk
  readonly invocationId: string
  readonly path: string
  /** An approval holds for this tool and this input only. */
  readonly inputHash: string
  /** For an approval before a tool runs: the tool's schema, against which an edit is checked. */
  readonly inputSchema?: JsonSchema | undefined
  /** The shape of an answer, where one is wanted. */
  readonly answerSchema?: JsonSchema | undefined
  readonly timeoutMs?: number | undefined
  readonly onTimeout: OnTimeout
  /** Who may decide; without it, anybody. */
  readonly deciders?: DeciderRule | undefined
}

/** A part of a tool, with the input that it gets if the whole is approved. */
export interface ReviewedPart {
  /** That of its call. */
  readonly path: string
  readonly tool: string
  readonly version: string
  /** As JSON, with secrets masked. */
  readonly input: unknown
  readonly inputSchema?: JsonSchema | undefined
}

/** Who decided, and their note. */
export interface Reviewed {
  readonly by?: string | undefined
  /** That of an authenticated decider, as data. What a handler says here does not count. */
  readonly tenant?: unknown
  /** `claimed`: the name was given, and nobody vouches for it. What a handler says here does not count. */
  readonly identity?: Identity | undefined
  readonly note?: string | undefined
  /** All approvals, where a request needs several. What a handler says here does not count. */
  readonly votes?: readonly ReviewVote[] | undefined
}

/** Why there is no decision of a person: nobody decided in time, or nobody could be asked or understood. */
export type NoDecision = 'timed_out' | 'unreachable'

/** A call that may not go on. Without `cause` a person said so. */
export interface ReviewRefusal extends Reviewed {
  readonly reason?: string | undefined
  /** Set by a handler that got no decision of a person. The failure then does not say that a reviewer rejected the call. */
  readonly cause?: NoDecision | undefined
}

/** The decision of a person. */
export type ReviewDecision =
  | (Reviewed & { readonly action: 'continue' })
  /** Run with another input: all of it, or a JSON merge patch over the original. Fields left masked keep their true value. */
  | (Reviewed & { readonly action: 'edit'; readonly input: unknown })
  | (Reviewed & { readonly action: 'edit'; readonly patch: unknown })
  | (Reviewed & { readonly action: 'answer'; readonly value: unknown })
  | (ReviewRefusal & { readonly action: 'reject' })
  | (ReviewRefusal & { readonly action: 'stop' })

/** The second argument of a handler. */
export interface ReviewWait {
  /** Aborted when the request is withdrawn: the call was cancelled, lost a race, or timed out. */
  readonly signal: AbortSignal
  readonly clock: Clock
  /** Who may decide, for a handler that keeps requests open until somebody does who may. */
  readonly reviewers?: Reviewers | undefined
}

/**
 * Shows a request to a person. If it throws, or answers with anything but a decision, that is a rejection.
 * @example
 * const review: ReviewHandler = { review: async (request) => ({ action: await askOnSlack(request) ? 'continue' : 'reject' }) }
 */
export interface ReviewHandler {
  readonly review: (request: ReviewRequest, wait: ReviewWait) => Promise<ReviewDecision> | ReviewDecision
  /** How long a request waits unless it says otherwise; without it, for ever. */
  readonly timeoutMs?: number | undefined
  /** Nobody can answer: `context.ask` returns undefined, as without a handler. Approvals are still requested, and refused. */
  readonly isAbsent?: boolean | undefined
  /** Where its answers come from, for `reviewers.identify`: `console`, `webhook`, a word of your own; `handler` by default. */
  readonly channel?: string | undefined
  /** Who is behind its answers; `claimed` by default. It gives no right: approvals that can never come are foreseen by it. */
  readonly deciders?: HandlerDeciders | undefined
  /** It waits for several approvals of one request where several are needed. Approvals that can never come are foreseen by it. */
  readonly counts?: boolean | undefined
}

/**
 * Who is behind the answers of a handler.
 * - `unnamed`: its answers name nobody.
 * - `claimed`: a name, for which nobody vouches unless `reviewers.identify` does.
 * - `signed`: a name that may be authenticated on its way.
 * - `principals`: principals whom it judges itself, as an inbox does, or a handler that returns the decisions of one.
 */
export type HandlerDeciders = 'unnamed' | 'claimed' | 'signed' | 'principals'

/** What `context.review` does with a decision that is no plain approval. */
export type WithDecision = 'throw' | 'return'

/** The question of a tool to `context.review`. */
export interface ReviewQuestion<Reject extends WithDecision = WithDecision, Edit extends WithDecision = WithDecision> {
  readonly why: string
  readonly input?: unknown
  readonly risk?: Risk | undefined
  readonly timeout?: Duration | undefined
  readonly onTimeout?: OnTimeout | undefined
  /** How many people must approve, and who they may be, as at a gate. Then somebody is always needed, also with `unattended: 'approve'`. */
  readonly approvals?: RequiredApprovals | undefined
  /** `throw` by default: the call fails as it does at a gate. With `return` the code gets the rejection, and must look at it. */
  readonly onReject?: Reject | undefined
  /** `throw` by default: an edit counts as a rejection. With `return` the code gets the edit, and must run with it. */
  readonly onEdit?: Edit | undefined
}

/** The answer of `context.review`: an approval, and a rejection or an edit only where the question asks for them. */
export type ReviewAnswer<Reject extends WithDecision = 'throw', Edit extends WithDecision = 'throw'> =
  | Extract<ReviewDecision, { readonly action: 'continue' }>
  | ('return' extends Reject ? Extract<ReviewDecision, { readonly action: 'reject' }> : never)
  | ('return' extends Edit ? Extract<ReviewDecision, { readonly action: 'edit' }> : never)
