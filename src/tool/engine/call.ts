import type { AgentTool } from '../agent-tool.ts'
import type { Behaviour } from '../behaviour.ts'
import type { PartOptions, ToolContext } from '../context.ts'
import type { Outcome } from '../errors/tool-error.ts'
import type { CallInfo } from '../event.ts'
import type { Journal } from '../journal/journal.ts'
import type { Principal } from '../principal.ts'
import type { KnownSecrets } from '../secrets/known-secrets.ts'
import type { Provenance, ToolResult, Usage } from '../result/result.ts'
import type { SettledResult } from '../result/settled.ts'
import type { Moment } from './deadline-pool.ts'
import type { LazyState } from './lazy-state.ts'
import type { RootCall } from './root-call.ts'
import type { Guard, Scope } from './scope.ts'

/**
 * How far a call has come. A call is entered and admitted; its function runs; it is ending while its result is checked, recorded, or its
 * last parts end; then it has ended. It never goes back, except that a read which a durable run retries runs again; of several ends only the
 * first counts.
 */
export type Stage = 'entered' | 'running' | 'ending' | 'ended'

export type Settling = SettledResult | Promise<SettledResult>

/** The remaining work on a result before the caller sees it. */
export type Finish = (call: Call, result: SettledResult) => Settling

/** Resolves the promise of a call. Without one, its waiter receives the result. */
export type Resolve = (result: Settling) => void

/** A call that waits for its parts without a promise for each. Its methods must not throw. */
export interface Waiter {
  readonly call: Call
  /** A part has ended after its start returned. */
  partEnded(result: SettledResult, position: number): void
  /** A part has a fatal error, which must be thrown on. */
  partFailed(fatal: unknown, position: number): void
}

/** One invocation of one tool: the context of its function, and the state of the door. `CallContext` is what it is made of. */
export interface Call extends ToolContext, CallInfo, Guard {
  readonly root: RootCall
  readonly built: AgentTool
  readonly behaviour: Behaviour
  readonly scope: Scope
  readonly parent: Call | undefined
  readonly label: string
  readonly principal: Principal | undefined
  /** Records this call's own steps; undefined where nothing is recorded, and inside a leaf. */
  journal: Journal | undefined
  /** The input of the tool, before validation. */
  given: unknown
  result: ToolResult | undefined
  /** A configuration error or an exit of this call or of a call inside; this call throws it too, even if the tool caught it. */
  fatal: unknown
  /** The calls inside, in the order in which they began. */
  children: Call[] | undefined
  /** Receives the end of this call, if its caller waits without a promise. */
  waiter: Waiter | undefined
  /** Its position among the parts of the waiter. */
  position: number
  /** How far it has come. */
  stage: Stage
  /** The remaining work on the result, and the function that resolves its promise. */
  finish: Finish | undefined
  resolve: Resolve | undefined
  /** The promise that the caller has, whether it waits for it or not. */
  pending: Promise<unknown> | undefined
  /** Parts, sleeps and decisions that are under way. */
  readonly inFlight: number
  /** When it ended; undefined until then. */
  end: Moment | undefined
  /** State that few calls need: undefined until `lazily` makes it. */
  readonly rare: LazyState<Call> | undefined
  readonly lazily: LazyState<Call>

  startedAt: number
  /** In milliseconds since the epoch; 0 until it has ended. */
  readonly endedAt: number
  /** Somewhere above is a leaf of a recorded run: nobody may be asked here. */
  readonly insideStep: boolean
  readonly generation: number
  /** The base of the keys, if the caller set one. */
  readonly keyedBy: string | undefined
  /** Each attempt has keys of its own: the ones before were undone. */
  readonly hasNewKeys: boolean
  /** How often it, or a call around it, was tried before. */
  readonly triedBefore: number
  /** The parts that its steps show, and then those that they do not. */
  readonly allParts: readonly Call[]
  /** Its effect was undone, or it is a compensation: it leaves no effect. */
  readonly isUndone: boolean
  /** Of a call that ended without a result, because of something fatal: whether its effect happened. */
  fatalOutcome: Outcome | undefined
  /** It, or a call around it, continues after the end of the run, because it undoes something. */
  readonly isShielded: boolean
  readonly replayed: boolean
  /** The caller retries it, or a layer around it. */
  readonly isRetried: boolean
  /** Every secret that a text about this call might repeat. */
  readonly secrets: KnownSecrets
  readonly provenance: Provenance
  readonly used: Usage | undefined
  /** A person is waited for, here or in a call inside. */
  readonly isAsking: boolean
  /** Called whenever nothing of this call is under way any more. */
  set onIdle(callback: () => void)

  /** Its own time is over, and it has so much more, under the scope of its caller. */
  outliveScope(ms: number): void
  /** The input has changed, so the idempotency key changes too. */
  raiseGeneration(): void
  /** Leaves these parts out of its steps. Their effects still count as its own. */
  hide(parts: ReadonlySet<Call>): void
  markUndone(): void
  markReplayed(): void
  maskText(text: string): string
  attemptLabel(label: string, attempt: number): string
  nextLabel(label: string): string
  /** This call waits for a person, until `heard`. */
  asks(): void
  heard(): void
  /** A person is waited for (1) or no longer (-1), here or in a call inside. */
  countAsking(change: 1 | -1): void
  /** Adds to what it and every call around it have used. */
  addUsage(tokens: number, costUsd: number): void
  /** Something of this call is under way, until `ended`. */
  began(): void
  ended(): void
}

/** The arguments of a call of a part. */
export interface PartCall {
  readonly label: string
  readonly tool: AgentTool
  readonly input: unknown
  readonly options?: PartOptions | undefined
  /** The label occurs once in the caller, so it is not numbered. */
  readonly isUnique?: boolean | undefined
  /** It only replays its records: nothing new begins in it. */
  readonly isPast?: boolean | undefined
  /** The caller retries it: a journal that retries reads leaves it to the caller. */
  readonly isRetried?: boolean | undefined
}

/** Calls a tool inside another call. */
export type CallPart = (parent: Call, part: PartCall) => Promise<SettledResult>
