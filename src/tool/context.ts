import type { SchemaOutput } from '../schema/schema-types.ts'
import type { AgentTool } from './agent-tool.ts'
import type { Alert } from './alert.ts'
import type { BreakerStore } from './ports/breaker-store.ts'
import type { Clock } from './ports/clock.ts'
import type { Duration } from './duration.ts'
import type { Listener, Progress } from './event.ts'
import type { IdempotencyStore } from './ports/idempotency-store.ts'
import type { Journal } from './journal/journal.ts'
import type { LimitStore } from './ports/limit-store.ts'
import type { Logger } from './ports/logger.ts'
import type { Model } from './ports/model.ts'
import type { Policy } from './ports/policy.ts'
import type { Principal } from './principal.ts'
import type { ToolResult, Usage } from './result/result.ts'
import type { OnTimeout, ReviewAnswer, ReviewHandler, ReviewQuestion, WithDecision } from './review.ts'
import type { Reviewers } from './deciders.ts'
import type { SecretsProvider } from './secrets/secrets.ts'

/** The stores of a call, one field each. A combinator whose store is missing uses the memory of the process. */
export interface Stores {
  /** The keys of `idempotent` tools, unless a tool has a store of its own. */
  readonly idempotency?: IdempotencyStore | undefined
  /** The breakers of tools. */
  readonly breakers?: BreakerStore | undefined
  /** The limiters of tools and callers. */
  readonly limits?: LimitStore | undefined
}

/** The options of one call. They also apply to the calls inside. */
export interface CallOptions {
  /** `'5s'`, milliseconds from now, or a date. Else the tool's own, else 60 s. */
  readonly deadline?: Duration | Date | undefined
  /** For every leaf that names no deadline of its own. Without it, a leaf has the time of the call around it. */
  readonly stepDeadline?: Duration | undefined
  readonly signal?: AbortSignal | undefined
  readonly principal?: Principal | undefined
  readonly review?: ReviewHandler | undefined
  /**
   * With nobody to ask, `context.review` of a tool that takes effect is refused. `'approve'` lets such a tool go on. Gates and
   * `requireApproval` need a handler in any case.
   */
  readonly unattended?: 'refuse' | 'approve' | undefined
  /** Who may decide what is asked; without it, everybody who reaches the reviewer. */
  readonly reviewers?: Reviewers | undefined
  readonly policy?: Policy | undefined
  readonly services?: Readonly<Record<string, unknown>> | undefined
  readonly secrets?: SecretsProvider | undefined
  readonly model?: Model | undefined
  readonly log?: Logger | undefined
  /** Hears the events of this call and of the calls inside. */
  readonly on?: Listener | readonly Listener[] | undefined
  readonly agent?: string | undefined
  readonly task?: string | undefined
  readonly session?: string | undefined
  readonly traceId?: string | undefined
  /** How many tokens the caller can take back. */
  readonly tokenBudget?: number | undefined
  /** Calls with the same key carry the same keys to every tool inside. */
  readonly idempotencyKey?: string | undefined
  /** Where combinators keep what calls and processes share. */
  readonly stores?: Stores | undefined
  /** Records the run, and replays what it already holds. */
  readonly journal?: Journal | undefined
  readonly clock?: Clock | undefined
  readonly ids?: (() => string) | undefined
  readonly random?: (() => number) | undefined
  /** Receives problems that a person must correct, such as an effect that could not be undone. If it throws, the error is logged. */
  readonly alert?: ((alert: Alert) => void | Promise<void>) | undefined
  /** Replacements for tools by name: a tool, or a function in place of `execute`. */
  readonly overrides?: Readonly<Record<string, Override>> | undefined
}

/** Stands in for a tool in one call: another tool, or a function. */
export type Override = AgentTool | ((input: never, context: ToolContext) => unknown)

/** How a nested call differs from the one around it. */
export interface PartOptions {
  /** Shorter than the caller's, or without effect. */
  readonly deadline?: Duration | undefined
  /** Cancels this call alone. */
  readonly signal?: AbortSignal | undefined
  /** The attempt's number, from 2 on: another step in the journal under the same idempotency key. */
  readonly attempt?: number | undefined
  /** Rises when the input was edited or repaired: another idempotency key. */
  readonly generation?: number | undefined
  /** Runs to its end even when the caller is cancelled or out of time, and in a time of its own: `deadline`, else 60 s. For cleaning up. */
  readonly shielded?: boolean | undefined
  /** The base of the keys of this call and of those inside, instead of the run and the path to here. */
  readonly idempotencyKey?: string | undefined
}

/** The options of `context.ask`. */
export interface AskOptions<S> {
  readonly question: string
  readonly answerSchema: S
  readonly timeout?: Duration | undefined
  /** `reject` by default; after `continue` the answer is undefined, as with nobody to ask. */
  readonly onTimeout?: OnTimeout | undefined
}

/** The second argument of `execute`. Every member may be destructured. */
export interface ToolContext<Services = Readonly<Record<string, unknown>>> {
  readonly tool: string
  readonly invocationId: string
  readonly traceId: string
  readonly parentId: string | undefined
  /** Labels from the root call down to this one; the same in every run. */
  readonly path: string
  /** Milliseconds since the epoch. */
  readonly deadline: number
  readonly remainingMs: number
  /** Aborted at the deadline, or when the caller gives up. */
  readonly signal: AbortSignal
  /** The same over retries and restarts; pass it to services that honour one. */
  readonly idempotencyKey: string
  readonly principal: Principal | undefined
  readonly agent: string | undefined
  readonly task: string | undefined
  readonly session: string | undefined
  readonly model: Model | undefined
  readonly log: Logger
  readonly services: Services
  readonly tokenBudget: number | undefined
  readonly clock: Clock
  /** Milliseconds since the epoch. In a compound, this, `ids` and `random` are recorded: a replay gives what the run was given. */
  readonly now: () => number
  readonly ids: () => string
  readonly random: () => number
  /** A secret by name; a missing one fails the call. */
  readonly secret: (name: string) => Promise<string>
  readonly progress: (report: string | Progress) => void
  readonly usage: (usage: Usage) => void
  /** Reports a metric of the tool itself. */
  readonly metric: (name: string, value: number, attributes?: Readonly<Record<string, string | number | boolean>>) => void
  /** Calls another tool as a part of this one. */
  readonly call: <I, O>(label: string, tool: AgentTool<I, O>, input: NoInfer<I>, options?: PartOptions) => Promise<ToolResult<O>>
  /** Makes a choice once: a replay gives the recorded one. In a leaf it simply runs. */
  readonly decide: <T>(label: string, choose: () => T | Promise<T>) => Promise<T>
  /**
   * For a compound whose code has changed while runs of it are open: true if the run takes the new code, false if it had passed the change
   * under the old code and keeps the old one. The answer is recorded. In a leaf it is true.
   */
  readonly patched: (label: string) => Promise<boolean>
  readonly sleep: (duration: Duration, label?: string) => Promise<void>
  /**
   * Asks a person before going on. Everything but an approval is thrown as a failure, unless `onReject` or `onEdit` says `return`; a stop
   * ends the run. With nobody to ask, a tool that only reads goes on, and any other is refused unless the call says `unattended: 'approve'`.
   */
  readonly review: <Reject extends WithDecision = 'throw', Edit extends WithDecision = 'throw'>(
    question: ReviewQuestion<Reject, Edit>,
  ) => Promise<ReviewAnswer<Reject, Edit>>
  /** Asks a person for an answer; undefined when there is nobody to ask. A rejection is thrown as a failure. */
  readonly ask: <S>(options: AskOptions<S>) => Promise<SchemaOutput<S> | undefined>
}
