import type { ToolApprovalRequest, ToolApprovalStatus } from 'ai'
import { mayAsk } from '../../plan/gates.ts'
import { callerOf } from '../../runtime/door-runs.ts'
import type { DurableParts } from '../../runtime/durable.ts'
import type { DoorRules, DoorRuns, KnownRun } from '../../runtime/durable-call.ts'
import type { AgentTool } from '../../tool/agent-tool.ts'
import type { OfferedSpecification } from '../../tool/resolve/offered-tools.ts'
import type { RunEnd } from '../own-run.ts'
import type { CallEnd } from '../parked-call.ts'
import { CHANNELS } from '../channels.ts'
import { type ApprovalClaim, claimAbout } from './approval-claim.ts'
import type { Bridge } from './bridge.ts'
import { ASKED_BY_SDK, type BridgedParts, type SdkCall, type SdkEntry } from './bridged-tool.ts'
import { callIdentity, type CallIdentity } from '../call-identity.ts'
import { callRun } from '../call-tool.ts'
import { approveShown, openRequests } from '../durable-answers.ts'
import { callScope } from './call-in-messages.ts'
import { reasonsOf } from '../parked-runs.ts'
import { requestsShown, withRequests } from './shown-requests.ts'
import { approvalPending, denied, NEVER_ASKED, neverAsked, successOf } from '../told-to-peer.ts'

interface DurableBridgedParts extends BridgedParts {
  readonly durable: DurableParts
}

/** The requests that a conversation shows as approved, and those of them that we made. */
interface ShownApproval {
  readonly shown: readonly string[]
  readonly counting: ReadonlySet<string>
}

interface OwnRules extends Pick<DoorRules, 'known' | 'review'>, Pick<SdkCall, 'messages'> {
  readonly signal: AbortSignal | undefined
}

/**
 * One tool as the SDK calls it, whose calls are durable runs. Nothing of a call is kept in this process but for the time between two steps of
 * one request: another process finds the run by the requests that the conversation shows.
 */
export class DurableBridgedTool implements SdkEntry {
  readonly name: string
  readonly tool: AgentTool
  readonly mayAsk: boolean
  readonly offered: OfferedSpecification | undefined
  readonly #durable: DurableParts
  readonly #bridge: Bridge

  constructor(name: string, { tool, offered, durable }: DurableBridgedParts, bridge: Bridge) {
    this.name = name
    this.tool = tool
    this.offered = offered
    this.mayAsk = mayAsk(tool)
    this.#durable = durable
    this.#bridge = bridge
  }

  /** Starts the run, where a person may be asked in it, and says whether it waits for one. */
  async approval(input: unknown, call: SdkCall): Promise<ToolApprovalStatus> {
    this.#bridge.asksThroughSdk = true
    const identity = this.#identify(input, call)
    await this.#rejectDenied(call)
    const claim = claimAbout(identity, call.messages)
    if (claim.says === 'denied') return { type: 'denied', ...(claim.reason === undefined ? {} : { reason: claim.reason }) }
    if (claim.says === 'approved') return 'user-approval'
    if (!this.mayAsk) return undefined
    const { end, waiting: run } = await this.#callInStep(identity, call)
    const items = run === undefined ? [] : await openRequests(this.#durable.runtime, run)
    if (run === undefined || items.length === 0) {
      this.#bridge.ends.set(identity.key, end)
      return undefined
    }
    this.#bridge.shown.set(run, identity.toolCallId)
    const requests = items.map(({ request }) => request)
    return {
      type: 'user-approval',
      reason: this.#sealed(
        identity,
        withRequests(
          reasonsOf(requests, input),
          requests.map(({ id }) => id),
        ),
      ),
    }
  }

  async execute(input: unknown, call: SdkCall): Promise<unknown> {
    const identity = this.#identify(input, call)
    await this.#rejectDenied(call)
    const claim = claimAbout(identity, call.messages)
    if (claim.says === 'denied') throw denied(this.name, claim.reason)
    const success = successOf(await this.#end(identity, call, claim), ASKED_BY_SDK)
    return this.#bridge.output(success, { tool: this.tool, toolCallId: identity.toolCallId, messages: call.messages })
  }

  /** A run may be carried on by another process: it reports no progress here. */
  async *executeInSight(input: unknown, call: SdkCall): AsyncGenerator<unknown, void> {
    yield await this.execute(input, call)
  }

  async #end(identity: CallIdentity, { abortSignal, messages }: SdkCall, claim: ApprovalClaim): Promise<CallEnd> {
    const { asksThroughSdk, options, ends } = this.#bridge
    const known = claim.says === 'approved' ? undefined : ends.take(identity.key)
    if (known !== undefined) return known
    const { review } = options
    if (claim.says !== 'approved' || !asksThroughSdk) return (await this.#call(identity, { signal: abortSignal, messages, review })).end
    const shown = requestsShown(claim.requests)
    if (shown.length === 0 && this.mayAsk) throw approvalPending(this.name, NEVER_ASKED)
    if (shown.length === 0) return (await this.#call(identity, { signal: abortSignal, messages, review })).end
    const counting = new Set(requestsShown(claim.requests.filter((each) => this.#counts(identity, each))))
    const goOn = (runs: DoorRuns): Promise<KnownRun> => this.#approve(runs, { shown, counting })
    return (await this.#call(identity, { signal: abortSignal, messages, review, known: goOn })).end
  }

  /** With a secret, only a request with our seal is approved; without one, the ids of requests are hard to guess. */
  #counts(identity: CallIdentity, request: ToolApprovalRequest): boolean {
    const { parked, seals } = this.#bridge
    return seals?.isSealed(identity, [request], parked.now()) !== false
  }

  /** Approves what a person was shown as this call, and nothing else. What was decided elsewhere stays as it is. */
  async #approve(runs: DoorRuns, { shown, counting }: ShownApproval): Promise<KnownRun> {
    const { inbox } = this.#durable.runtime
    const items = (await Promise.all(shown.map((id) => inbox.get(id)))).flatMap((item) => item ?? [])
    const of = items[0]?.run
    const run = of === undefined ? undefined : await runs.find(of)
    if (run === undefined) throw neverAsked(this.name)
    this.#bridge.shown.delete(run.id)
    const refused = await approveShown(this.#durable.runtime, run.id, { shown: counting, channel: CHANNELS.aiSdk })
    return { run, refused }
  }

  async #callInStep(identity: CallIdentity, { messages }: SdkCall): Promise<RunEnd> {
    const step = new AbortController()
    const stopFollowing = this.#bridge.signals.follow(messages, { follow: (signal) => forwarded(signal, step) })
    const end = await this.#call(identity, { signal: step.signal, messages })
    stopFollowing()
    return end
  }

  #call(identity: CallIdentity, own: OwnRules): Promise<RunEnd> {
    const { shared } = this.#bridge
    const { known, review, signal, messages } = own
    const isInSession = callerOf(this.#durable.runtime, shared).session !== undefined
    const isApart = (run: string, isHeld: boolean): boolean => {
      const shownAs = this.#bridge.shown.get(run)
      return isHeld || (shownAs !== undefined && shownAs !== identity.toolCallId)
    }
    const rules = { known, review, scope: isInSession ? undefined : callScope(identity, messages), isApart }
    return callRun(this.#durable, identity.input, { shared, signal, rules, decoder: this.offered?.decoder })
  }

  #sealed(identity: CallIdentity, reason: string): string {
    const { parked, seals } = this.#bridge
    return seals?.seal(identity, reason, parked.now() + parked.expiryMs) ?? reason
  }

  #rejectDenied({ messages }: SdkCall): Promise<void> {
    return this.#bridge.rejectDeniedRuns(messages, this.#durable.runtime)
  }

  #identify(input: unknown, { toolCallId }: SdkCall): CallIdentity {
    return callIdentity({ tool: this.tool, name: this.name, input, toolCallId }, this.#bridge.options)
  }
}

/** Aborts a controller with a signal, until the returned function is called. */
function forwarded(signal: AbortSignal | undefined, controller: AbortController): () => void {
  if (signal === undefined) return () => {}
  const abort = (): void => controller.abort(signal.reason)
  if (signal.aborted) abort()
  else signal.addEventListener('abort', abort, { once: true })
  return () => signal.removeEventListener('abort', abort)
}
