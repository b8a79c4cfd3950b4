import type { RunContext } from '@openai/agents'
import { isRecord } from '../../schema/json-schema.ts'
import { checkOptionValues } from '../../tool/engine/check-call-options.ts'
import { ConfigurationError } from '../../tool/errors/configuration-error.ts'
import { checkOptionNames, optionNames } from '../../tool/option-names.ts'
import type { SharedCallOptions } from '../../tool/shared-option-names.ts'
import { ApprovalFlow } from '../approval-flow.ts'
import { BRIDGE_NAMES, type BridgeOptions, type Caller, callerBy, callOptionsOf } from '../bridge-options.ts'
import { type CallIdentity, ownerOf } from '../call-identity.ts'
import { LatestOf } from '../latest-of.ts'
import { RoutedResults } from '../routed-results.ts'
import type { CallEnd } from '../parked-call.ts'
import { type ParkedReviewsOptions, parkedRunsBy } from '../parked-reviews.ts'
import type { AgentsLibrary } from './load-openai-agents.ts'
import { ShownRequests } from './shown-requests.ts'

/** What all calls through the bridge share. `strict` is on by default, as in the SDK. */
export interface ToOpenAiAgentsOptions extends BridgeOptions, Pick<ParkedReviewsOptions, 'expiry' | 'maxCalls'> {
  /** Who calls, where that differs between runs: it reads the context of a run. */
  readonly caller?: ((runContext: RunContext) => Caller) | undefined
}

const NAMES = optionNames<ToOpenAiAgentsOptions>({ ...BRIDGE_NAMES, caller: true, expiry: true, maxCalls: true })

export function checkToOpenAiAgents(options: ToOpenAiAgentsOptions): void {
  checkOptionNames(options, NAMES, 'The options of toOpenAiAgents')
  checkOptionValues(options)
  if (options.caller !== undefined && typeof options.caller !== 'function')
    throw new ConfigurationError('invalid_option', "'caller' of toOpenAiAgents must be a function of the context of a run.")
}

/** A durable call that a state may reject. */
export interface DeniableRun {
  readonly identity: CallIdentity
  /** Rejects its open requests, and says whether its run is over: a rejected run may ask something else. */
  readonly reject: (reason: string | undefined) => Promise<boolean>
}

const MOST_KEPT = 1000

/** What the tools of one `toOpenAiAgents` share. */
export class Bridge {
  readonly options: ToOpenAiAgentsOptions
  readonly flow: ApprovalFlow
  /** The ends of durable calls, until they are executed. */
  readonly ends = new LatestOf<CallEnd>(MOST_KEPT)
  /** The durable runs that this process has shown as an interruption, by the key of the call. */
  readonly shown = new LatestOf<string>(MOST_KEPT)
  readonly notes: ShownRequests
  /** Names the calls that wait in this memory, and in no other: ids of requests may repeat in another process. */
  readonly memory = crypto.randomUUID()
  /** By the key of the call. */
  readonly deniable = new LatestOf<DeniableRun>(MOST_KEPT)
  readonly routed: RoutedResults
  readonly #shared: SharedCallOptions

  constructor(options: ToOpenAiAgentsOptions, library: AgentsLibrary) {
    this.options = options
    this.notes = new ShownRequests(library)
    this.#shared = callOptionsOf(options)
    this.routed = new RoutedResults(options, 'toOpenAiAgents')
    this.flow = new ApprovalFlow(parkedRunsBy(options, 'toOpenAiAgents'), 'unique')
  }

  sharedBy(runContext: RunContext): SharedCallOptions {
    const { caller } = this.options
    return caller === undefined ? this.#shared : { ...this.#shared, ...callerBy(caller(runContext), 'toOpenAiAgents') }
  }

  /** Rejects the calls of this process that were rejected in a run. The SDK does not call a tool that was rejected: every turn and call looks. */
  async rejectDenied(runContext: RunContext): Promise<void> {
    const { parked } = this.flow
    if (this.deniable.size === 0 && parked.waiting.length === 0) return
    const owner = ownerOf(this.sharedBy(runContext))
    parked.rejectDenied(({ identity }) => denialIn(runContext, identity), owner)
    for (const [key, { identity, reject }] of this.deniable) {
      const denial = identity.owner === owner ? denialIn(runContext, identity) : undefined
      if (denial === undefined) continue
      const isOver = await reject(denial.reason)
      this.shown.delete(key)
      if (isOver) this.deniable.delete(key)
    }
  }
}

/** The rejection of a call in a run. */
export function denialIn(runContext: RunContext, { name, toolCallId }: CallIdentity): { readonly reason: string | undefined } | undefined {
  if (runContext.isToolApproved({ toolName: name, callId: toolCallId }) !== false) return undefined
  return { reason: runContext.getRejectionMessage(name, toolCallId) }
}

/** The ids of the calls of a tool that a run rejects, each by itself. */
export function deniedCalls(runContext: RunContext, name: string): readonly string[] {
  const { approvals } = runContext.toJSON() as { readonly approvals?: unknown }
  const own = isRecord(approvals) && Object.hasOwn(approvals, name) ? approvals[name] : undefined
  const rejected = isRecord(own) ? own['rejected'] : undefined
  return Array.isArray(rejected) ? rejected.filter((each) => typeof each === 'string') : []
}
