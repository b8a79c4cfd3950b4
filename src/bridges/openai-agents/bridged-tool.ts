import type { RunContext } from '@openai/agents'
import { mayAsk } from '../../plan/gates.ts'
import type { AgentTool } from '../../tool/agent-tool.ts'
import type { OfferedSpecification } from '../../tool/resolve/offered-tools.ts'
import type { ReviewRequest } from '../../tool/review.ts'
import type { SharedCallOptions } from '../../tool/shared-option-names.ts'
import { callIdentity, type CallIdentity } from '../call-identity.ts'
import { callTool } from '../call-tool.ts'
import type { CallEnd } from '../parked-call.ts'
import { ParkedRun } from '../parked-runs.ts'
import { approvalPending, denied } from '../told-to-peer.ts'
import { ToolRun } from '../tool-run.ts'
import { type Bridge, denialIn } from './bridge.ts'
import { shownIn } from './shown-requests.ts'

/** What the SDK says about a call. */
export interface AgentsCall {
  readonly runContext: RunContext
  readonly callId: string
  readonly signal?: AbortSignal | undefined
}

export interface BridgedParts {
  readonly tool: AgentTool
  readonly offered: OfferedSpecification | undefined
}

/** A tool as the SDK calls it: first asked whether it needs an approval, then invoked. */
export interface AgentsEntry extends BridgedParts {
  readonly name: string
  readonly mayAsk: boolean
  readonly needsApproval: (input: unknown, call: AgentsCall) => Promise<boolean>
  readonly invoke: (input: unknown, call: AgentsCall) => Promise<CallEnd>
  /** The open requests of a call that was interrupted. */
  readonly requests: (input: unknown, call: AgentsCall) => Promise<readonly ReviewRequest[]>
  /** Rejects the open requests of a call that was rejected in the run, whichever process asked. */
  readonly rejectDenied: (input: unknown, call: AgentsCall) => Promise<void>
  /** Rejects what a run rejects, as far as it can be found without the input of the call. */
  readonly heed: (runContext: RunContext) => Promise<void>
}

/** The identity of a call, and the options of its caller. */
export interface Identified {
  readonly identity: CallIdentity
  readonly shared: SharedCallOptions
}

export function identified(
  { name, tool }: Pick<AgentsEntry, 'name' | 'tool'>,
  input: unknown,
  call: AgentsCall,
  bridge: Bridge,
): Identified {
  const shared = bridge.sharedBy(call.runContext)
  return { shared, identity: callIdentity({ tool, name, input, toolCallId: call.callId }, shared) }
}

/** An id that no call has. */
const NO_CALL = ''

/** Whether the run approves this call, and not all calls of its tool: nobody has seen what those would do. */
export function isApproved(runContext: RunContext, { name, toolCallId }: CallIdentity): 'no' | 'this call' | 'all calls' {
  if (runContext.isToolApproved({ toolName: name, callId: toolCallId }) !== true) return 'no'
  return runContext.isToolApproved({ toolName: name, callId: NO_CALL }) === true ? 'all calls' : 'this call'
}

/** One tool as the SDK calls it, whose calls wait in memory for a person. Whatever happens, each of them runs once. */
export class BridgedTool implements AgentsEntry {
  readonly name: string
  readonly tool: AgentTool
  /** Its plan or a policy says that a person may be asked, or it has asked. */
  mayAsk: boolean
  readonly offered: OfferedSpecification | undefined
  readonly #bridge: Bridge

  constructor(name: string, { tool, offered }: BridgedParts, bridge: Bridge) {
    this.name = name
    this.tool = tool
    this.offered = offered
    this.#bridge = bridge
    // With a review handler, nobody is asked through the SDK.
    const { review, policy, runtime } = bridge.options
    this.mayAsk = review === undefined && ((policy ?? runtime?.shared.policy) !== undefined || mayAsk(tool))
  }

  /** Begins the call, where a person may be asked in it, and says whether one is. */
  async needsApproval(input: unknown, call: AgentsCall): Promise<boolean> {
    const own = identified(this, input, call, this.#bridge)
    await this.#bridge.rejectDenied(call.runContext)
    if (isApproved(call.runContext, own.identity) !== 'no') return true
    const shown = await this.#bridge.flow.ask(own.identity, { mayAsk: this.mayAsk, begin: () => this.#begin(own) })
    if (shown === undefined) return false
    const requests = new Set(shown.openAs(own.identity.key).map(({ id }) => id))
    this.#bridge.notes.note(call.runContext, own.identity.key, { where: this.#bridge.memory, requests })
    return true
  }

  async invoke(input: unknown, call: AgentsCall): Promise<CallEnd> {
    const own = identified(this, input, call, this.#bridge)
    const { identity } = own
    const { flow } = this.#bridge
    await this.#bridge.rejectDenied(call.runContext)
    // To ask the SDK takes longer than most calls.
    const approval = this.mayAsk ? isApproved(call.runContext, identity) : 'no'
    const denial = this.mayAsk && approval === 'no' ? denialIn(call.runContext, identity) : undefined
    const heard = denial ?? flow.parked.denialOf(identity.owner, identity.key)
    if (heard !== undefined) return { thrown: denied(this.name, heard.reason) }
    const known = flow.parked.get(identity.key)
    const ended = known === undefined ? flow.ended(identity, identity.key) : undefined
    if (ended !== undefined) return { thrown: ended }
    known?.run.calledBy(own.shared.principal)
    if (known !== undefined && approval !== 'no' && this.#isShownIn(call.runContext, known, identity))
      flow.parked.approve(known, identity.key)
    const begun = known ?? this.#begin(own, call.signal)
    // A state that is resumed twice gets the same run, also where the person was asked in another process.
    if (known === undefined && approval !== 'no') flow.parked.asked(begun, identity)
    const end = await flow.resume(begun, identity.key, call.signal)
    if (end !== undefined) return end
    this.mayAsk = true
    return { thrown: approvalPending(this.name, approval === 'all calls' ? `${begun.reason} ${ALL_CALLS}` : begun.reason) }
  }

  requests(input: unknown, call: AgentsCall): Promise<readonly ReviewRequest[]> {
    const { identity } = identified(this, input, call, this.#bridge)
    const known = this.#bridge.flow.parked.get(identity.key)
    const isShown = known !== undefined && this.#isShownIn(call.runContext, known, identity)
    return Promise.resolve(isShown ? known.openAs(identity.key) : [])
  }

  rejectDenied(_input: unknown, { runContext }: AgentsCall): Promise<void> {
    return this.heed(runContext)
  }

  heed(runContext: RunContext): Promise<void> {
    return this.#bridge.rejectDenied(runContext)
  }

  /** Whether all that waits here as this call was shown in this very state, and not in another process or at another time. */
  #isShownIn(runContext: RunContext, known: ParkedRun, { key }: CallIdentity): boolean {
    const shown = shownIn(runContext, key)
    return shown?.where === this.#bridge.memory && known.openAs(key).every(({ id }) => shown.requests.has(id))
  }

  #begin({ identity, shared }: Identified, signal?: AbortSignal): ParkedRun {
    const { runtime, review } = this.#bridge.options
    const way = { shared, runtime, decoder: this.offered?.decoder }
    const run = new ToolRun({
      signal,
      later: review,
      isApproved: review !== undefined,
      // A call that is not expected to ask is not listened to: it parks at its first request.
      begin: ({ on, ...options }) => callTool({ tool: this.tool, identity }, { ...options, on: this.mayAsk ? [on] : [] }, way),
    })
    return new ParkedRun(identity, { run, feed: undefined })
  }
}

const ALL_CALLS = 'An approval of all calls does not count: each call is approved by itself.'
