import type { RunContext } from '@openai/agents'
import { mayAsk } from '../../plan/gates.ts'
import type { InboxItem } from '../../review/inbox.ts'
import { callerOf, isOver, isPermitted, openRunsIn } from '../../runtime/door-runs.ts'
import type { DurableParts } from '../../runtime/durable.ts'
import type { DoorRun, DoorRuns, KnownRun } from '../../runtime/durable-call.ts'
import type { AgentTool } from '../../tool/agent-tool.ts'
import { ToolError } from '../../tool/errors/tool-error.ts'
import type { OfferedSpecification } from '../../tool/resolve/offered-tools.ts'
import type { ReviewRequest } from '../../tool/review.ts'
import type { SharedCallOptions } from '../../tool/shared-option-names.ts'
import { callRun } from '../call-tool.ts'
import { CHANNELS } from '../channels.ts'
import type { CallIdentity } from '../call-identity.ts'
import { approveShown, openRequests, rejectShown } from '../durable-answers.ts'
import { LatestOf } from '../latest-of.ts'
import type { RunEnd } from '../own-run.ts'
import type { CallEnd } from '../parked-call.ts'
import { denied } from '../told-to-peer.ts'
import { type Bridge, deniedCalls, denialIn } from './bridge.ts'
import { type AgentsCall, type AgentsEntry, type BridgedParts, type Identified, identified, isApproved } from './bridged-tool.ts'
import { shownIn } from './shown-requests.ts'

const MOST_HEARD = 10_000

/**
 * One tool as the SDK calls it, whose calls are durable runs. With a session, any process finds the run of a call by its id; without one, ids
 * of calls may belong to any conversation, and only the process that asked goes on.
 */
export class DurableBridgedTool implements AgentsEntry {
  readonly name: string
  readonly tool: AgentTool
  readonly mayAsk: boolean
  readonly offered: OfferedSpecification | undefined
  readonly #durable: DurableParts
  readonly #bridge: Bridge
  /** The rejections after which no run of the call is open. */
  readonly #heard = new LatestOf<true>(MOST_HEARD)
  readonly #rejecting = new Map<string, Promise<boolean>>()

  constructor(name: string, { tool, offered, durable }: BridgedParts & { readonly durable: DurableParts }, bridge: Bridge) {
    this.name = name
    this.tool = tool
    this.offered = offered
    this.#durable = durable
    this.#bridge = bridge
    this.mayAsk = bridge.options.review === undefined && (durable.runtime.shared.policy !== undefined || mayAsk(tool))
  }

  /** Starts the run, where a person may be asked in it, and says whether it waits for one. */
  async needsApproval(input: unknown, call: AgentsCall): Promise<boolean> {
    const own = identified(this, input, call, this.#bridge)
    await this.heed(call.runContext)
    if (isApproved(call.runContext, own.identity) !== 'no') return true
    if (!this.mayAsk) return false
    const { identity } = own
    const { end, waiting } = await this.#call(own, call)
    const items = waiting === undefined ? [] : await this.#open(waiting)
    if (waiting === undefined || items.length === 0) {
      this.#bridge.ends.set(identity.key, end)
      return false
    }
    const run = await this.#durable.runtime.run(waiting)
    const requests = new Set(items.map(({ request }) => request.id))
    this.#bridge.shown.set(identity.key, run.id)
    this.#bridge.notes.note(call.runContext, identity.key, { where: run.id, requests })
    this.#mayDeny(identity, run)
    return true
  }

  async invoke(input: unknown, call: AgentsCall): Promise<CallEnd> {
    const own = identified(this, input, call, this.#bridge)
    const { identity } = own
    await this.heed(call.runContext)
    const approval = isApproved(call.runContext, identity)
    if (approval === 'no') {
      const denial = denialIn(call.runContext, identity)
      if (denial !== undefined) return { thrown: denied(this.name, denial.reason) }
      return this.#bridge.ends.take(identity.key) ?? (await this.#call(own, call)).end
    }
    // Nobody has seen the requests of a call that was approved with all others.
    const isShown = approval === 'this call' || this.#bridge.shown.has(identity.key)
    return (await this.#call(own, call, isShown ? await this.#approve(own, call) : [])).end
  }

  async requests(input: unknown, call: AgentsCall): Promise<readonly ReviewRequest[]> {
    const own = identified(this, input, call, this.#bridge)
    await this.heed(call.runContext)
    const run = await this.#find(own, call)
    if (run === undefined) return []
    this.#mayDeny(own.identity, await this.#durable.runtime.run(run))
    return this.#shownOpen(run, own, call)
  }

  async rejectDenied(input: unknown, call: AgentsCall): Promise<void> {
    await this.heed(call.runContext)
    const own = identified(this, input, call, this.#bridge)
    const denial = denialIn(call.runContext, own.identity)
    const run = denial === undefined ? undefined : await this.#find(own, call)
    if (run !== undefined) await this.#reject(await this.#durable.runtime.run(run), denial?.reason)
  }

  /** With a session, the runs of rejected calls are found by the ids of the calls, whichever process asked. */
  async heed(runContext: RunContext): Promise<void> {
    await this.#bridge.rejectDenied(runContext)
    const ids = this.mayAsk ? deniedCalls(runContext, this.name) : []
    if (ids.length === 0) return
    const { runtime, tool } = this.#durable
    const caller = callerOf(runtime, this.#bridge.sharedBy(runContext))
    if (caller.session === undefined) return
    for (const callId of ids) {
      const heard = JSON.stringify([caller, callId])
      if (this.#heard.has(heard)) continue
      const reason = runContext.getRejectionMessage(this.name, callId)
      const runs = await openRunsIn(runtime, tool.name, { caller, scope: callId })
      for (const run of runs) await this.#reject(run, reason)
      if (runs.length === 0) this.#heard.set(heard, true)
    }
  }

  #mayDeny(identity: CallIdentity, run: DoorRun): void {
    this.#bridge.deniable.set(identity.key, { identity, reject: (reason) => this.#reject(run, reason) })
  }

  /** Approves what a person was shown as this call in this state, and nothing else. What was decided elsewhere stays as it is. */
  async #approve(own: Identified, call: AgentsCall): Promise<readonly string[]> {
    // The call itself is refused then, and says why.
    if (!isPermitted(this.#durable.runtime, this.#durable.tool, own.shared.principal)) return []
    const run = await this.#find(own, call)
    if (run === undefined) return []
    const shown = shownIn(call.runContext, own.identity.key)?.requests ?? new Set<string>()
    return approveShown(this.#durable.runtime, run, { shown, channel: CHANNELS.openAiAgents })
  }

  /** The requests of a run that a state has shown as this call, and that are still open. */
  async #shownOpen(run: string, { identity }: Identified, { runContext }: AgentsCall): Promise<readonly ReviewRequest[]> {
    const shown = shownIn(runContext, identity.key)?.requests
    return (await this.#open(run)).flatMap(({ request }) => (shown?.has(request.id) === true ? [request] : []))
  }

  /** The run of a call, if it is known. */
  async #find({ identity, shared }: Identified, { runContext }: AgentsCall): Promise<string | undefined> {
    let found: string | undefined
    // Only the door knows the input that the arguments of the model stand for. The call ends there, and nobody hears of it.
    const known = async (runs: DoorRuns): Promise<never> => {
      const run = await this.#known({ identity, shared }, { runContext }, runs)
      found = (run ?? (this.#isInSession(shared) ? await runs.ofCall() : undefined))?.id
      throw new ToolError('Only looked for.', { code: 'not_found', outcome: 'not_started' })
    }
    const { principal, session, clock } = shared
    const rules = { scope: identity.toolCallId, known }
    await callRun(this.#durable, identity.input, {
      shared: { principal, session, clock },
      signal: undefined,
      rules,
      decoder: this.offered?.decoder,
    })
    return found
  }

  /**
   * The run that the state tells, also if it has ended: the same state stands for the same run in every process. Without a session, only the
   * process that asked knows it.
   */
  async #known(
    { identity, shared }: Identified,
    { runContext }: Pick<AgentsCall, 'runContext'>,
    { find }: DoorRuns,
  ): Promise<DoorRun | undefined> {
    const told = this.#isInSession(shared) ? shownIn(runContext, identity.key)?.where : undefined
    const run = told ?? this.#bridge.shown.get(identity.key)
    return run === undefined ? undefined : find(run)
  }

  #isInSession(shared: SharedCallOptions): boolean {
    return callerOf(this.#durable.runtime, shared).session !== undefined
  }

  #open(run: string): Promise<readonly InboxItem[]> {
    return openRequests(this.#durable.runtime, run)
  }

  /** All tools of an agent look at once: of those that reject the same run, one does. */
  #reject(run: DoorRun, reason: string | undefined): Promise<boolean> {
    const known = this.#rejecting.get(run.id)
    if (known !== undefined) return known
    const rejecting = this.#rejectOpen(run, reason).finally(() => this.#rejecting.delete(run.id))
    this.#rejecting.set(run.id, rejecting)
    return rejecting
  }

  /** All that is open: a rejection in the SDK is one of the whole call. */
  async #rejectOpen(run: DoorRun, reason: string | undefined): Promise<boolean> {
    const shown = new Set((await this.#open(run.id)).map(({ request }) => request.id))
    await rejectShown(this.#durable.runtime, run, { shown, channel: CHANNELS.openAiAgents, reason })
    return isOver(run)
  }

  #call(own: Identified, call: AgentsCall, refused: readonly string[] = []): Promise<RunEnd> {
    const { identity, shared } = own
    const { review } = this.#bridge.options
    const known = async (runs: DoorRuns): Promise<KnownRun | undefined> => {
      const run = await this.#known(own, call, runs)
      return run === undefined ? undefined : { run, refused }
    }
    const rules = { review, scope: identity.toolCallId, isSameCall: this.#isInSession(shared), known }
    return callRun(this.#durable, identity.input, { shared, signal: call.signal, rules, decoder: this.offered?.decoder })
  }
}
