import type { ModelMessage, ToolApprovalRequest, ToolApprovalStatus } from 'ai'
import { mayAsk } from '../../plan/gates.ts'
import type { AgentTool } from '../../tool/agent-tool.ts'
import type { OfferedSpecification } from '../../tool/resolve/offered-tools.ts'
import type { ToolResult } from '../../tool/result/result.ts'
import { callTool } from '../call-tool.ts'
import type { CallEnd } from '../parked-call.ts'
import { heardDenial, rejectDeniedCalls } from './denied-runs.ts'
import type { Bridge } from './bridge.ts'
import { type AnsweredRun, answeredRun, answerName, earlierAnswers, namedReason, shownName } from './answered-runs.ts'
import { type ApprovalClaim, claimAbout } from './approval-claim.ts'
import { isSealable } from './approval-seals.ts'
import { callIdentity, type CallIdentity } from '../call-identity.ts'
import { type Denial, ParkedRun, reasonsOf } from '../parked-runs.ts'
import { ProgressFeed } from '../progress-feed.ts'
import { requestsShown, withoutRequests } from './shown-requests.ts'
import { approvalPending, denied, NEVER_ASKED, successOf } from '../told-to-peer.ts'
import { type RunParts, ToolRun } from '../tool-run.ts'

/** What the SDK says about a call. */
export interface SdkCall {
  readonly toolCallId: string
  readonly messages: readonly ModelMessage[]
  readonly abortSignal?: AbortSignal | undefined
}

/** How a person could be asked. */
export const ASKED_BY_SDK = 'Or pass the toolApproval of toAiSdk to generateText or streamText.'

/** What a conversation says about a call, and the run that it says it about. */
type HeardClaim =
  | Exclude<ApprovalClaim, { says: 'approved' }>
  | (Extract<ApprovalClaim, { says: 'approved' }> & { readonly answered: AnsweredRun | undefined })

interface Execution {
  readonly feed: ProgressFeed | undefined
  readonly output: Promise<unknown>
}

export interface BridgedParts {
  readonly tool: AgentTool
  readonly offered: OfferedSpecification | undefined
}

/** A tool as the SDK calls it: first asked whether it needs an approval, then executed. */
export interface SdkEntry {
  readonly name: string
  readonly tool: AgentTool
  readonly mayAsk: boolean
  readonly offered: OfferedSpecification | undefined
  readonly approval: (input: unknown, call: SdkCall) => Promise<ToolApprovalStatus>
  readonly execute: (input: unknown, call: SdkCall) => Promise<unknown>
  readonly executeInSight: (input: unknown, call: SdkCall) => AsyncGenerator<unknown, void>
}

/** One tool as the SDK calls it: first asked whether it needs an approval, then executed. Whatever happens, it runs once. */
export class BridgedTool implements SdkEntry {
  readonly name: string
  readonly tool: AgentTool
  /** Its plan or the policy says that a person may be asked; a tool that asks only in its code is noticed when it asks. */
  readonly mayAsk: boolean
  /** How the model sees it, if that is not as it is. */
  readonly offered: OfferedSpecification | undefined
  readonly #bridge: Bridge

  constructor(name: string, { tool, offered }: BridgedParts, bridge: Bridge) {
    this.name = name
    this.tool = tool
    this.offered = offered
    this.#bridge = bridge
    this.mayAsk = bridge.options.policy !== undefined || mayAsk(tool)
  }

  /** Begins the call, where a person may be asked in it, and says whether one is. */
  async approval(input: unknown, call: SdkCall): Promise<ToolApprovalStatus> {
    const { parked, flow, signals, seals } = this.#bridge
    this.#bridge.asksThroughSdk = true
    const identity = this.#identify(input, call)
    rejectDeniedCalls({ runs: parked, seals }, call.messages, identity.owner)
    // The SDK asks again before it executes a call that the conversation calls approved. Only a denial changes anything.
    const claim = this.#claim(identity, call)
    if (claim.says === 'denied') return { type: 'denied', ...(claim.reason === undefined ? {} : { reason: claim.reason }) }
    if (claim.says === 'approved')
      return this.mayAsk || claim.answered !== undefined || this.#isSealed(identity, claim)
        ? 'user-approval'
        : { type: 'denied', reason: NEVER_ASKED }
    const shown = await flow.ask(identity, {
      mayAsk: this.mayAsk,
      begin: () => this.#begin(identity, { abortSignal: signals.of(call.messages), ...call }),
      follow: (run) => signals.follow(call.messages, run),
      earlier: earlierAnswers(identity, call.messages),
    })
    if (shown === undefined) return undefined
    const reason = namedReason(parked, identity, shown)
    return { type: 'user-approval', reason: seals?.seal(identity, reason, shown.decidableUntil) ?? reason }
  }

  async execute(input: unknown, call: SdkCall): Promise<unknown> {
    return this.#execution(input, call).output
  }

  /** The same with reports of progress on the way. The SDK takes the last of all for the output. */
  async *executeInSight(input: unknown, call: SdkCall): AsyncGenerator<unknown, void> {
    const { feed, output } = this.#execution(input, call)
    if (feed !== undefined) yield* feed.until(output)
    yield await output
  }

  #execution(input: unknown, call: SdkCall): Execution {
    const { parked, flow, seals, asksThroughSdk } = this.#bridge
    const identity = this.#identify(input, call)
    rejectDeniedCalls({ runs: parked, seals }, call.messages, identity.owner)
    const claim = this.#claim(identity, call)
    if (claim.says === 'denied') throw denied(this.name, claim.reason)
    const isApproved = claim.says === 'approved'
    const answered = isApproved ? claim.answered : { name: identity.key, parked: parked.get(identity.key) }
    if (answered?.parked !== undefined) {
      const { parked: known, name } = answered
      known.run.calledBy(this.#bridge.options.principal)
      if (isApproved) parked.approve(known, name)
      return { feed: known.feed, output: this.#resume(known, name, { identity, call }) }
    }
    const ended = answered !== undefined && (isApproved || this.mayAsk) ? flow.ended(identity, answered.name) : undefined
    if (ended !== undefined) throw ended
    // Somebody else asked for the approval: the program by rules of its own, or nobody, and the conversation is forged. Our gates ask.
    if (!asksThroughSdk) return this.#executeAtOnce(identity, call)
    const isSealed = isApproved && this.#isSealed(identity, claim)
    if (isApproved && !isSealed && this.mayAsk) throw approvalPending(this.name, NEVER_ASKED)
    const shown = claim.says === 'approved' ? seals?.reasonsFor(identity, claim.requests, parked.now()) : undefined
    const begun = this.#begin(identity, call, { decided: isSealed ? approvalOfWhole(identity, shown) : undefined, isApproved: true })
    // A request that is sent twice, as after a lost answer, gets the same run.
    if (isApproved) this.#keepFor(begun, identity, claim.requests)
    return { feed: begun.feed, output: this.#resume(begun, identity.key, { identity, call }) }
  }

  /** What the conversation says about a call. A denial that this process has heard counts also where the conversation lacks it. */
  #claim(identity: CallIdentity, { messages }: SdkCall): HeardClaim {
    const { parked, seals } = this.#bridge
    const { owner } = identity
    const claim = claimAbout(identity, messages)
    if (claim.says === 'nothing') return claim
    if (claim.says === 'denied') {
      for (const request of claim.requests)
        for (const name of this.#namesElsewhere(identity, request)) parked.rememberDenial(owner, name, { reason: claim.reason })
      return claim
    }
    const denialOf = (request: ToolApprovalRequest): Denial | undefined =>
      parked.denialOf(owner, answerName(identity, request)) ?? parked.denialOf(owner, shownName(identity, requestsShown([request])))
    const [denial] = claim.requests.flatMap((request) => denialOf(request) ?? [])
    if (denial !== undefined) return { ...claim, says: 'denied', reason: denial.reason }
    // Where requests are sealed, what is not under the seal was not shown like this. Of a run that is kept, the time does not matter.
    const shown = claim.requests.filter((request) => seals?.isSealed(identity, [request], 0) !== false)
    const all = shown.flatMap((request) => answeredRun(parked, identity, request) ?? [])
    // A run of this process knows by itself whether it was denied in time.
    const [heard] = all.length > 0 ? [] : claim.requests.flatMap((request) => heardDenial(parked, owner, request) ?? [])
    if (heard !== undefined) return { ...claim, says: 'denied', reason: heard.reason }
    return { ...claim, answered: all.find((each) => each.parked?.isAskedAs(each.name)) ?? all[0] }
  }

  /** The names of an answer whose asking this process does not know. What is under our seal was shown once. */
  #namesElsewhere(identity: CallIdentity, request: ToolApprovalRequest): readonly string[] {
    const { parked, seals } = this.#bridge
    const isSealed = seals?.isSealed(identity, [request], parked.now()) === true
    return [answerName(identity, request), ...(isSealed ? [shownName(identity, requestsShown([request]))] : [])]
  }

  #keepFor(begun: ParkedRun, identity: CallIdentity, requests: readonly ToolApprovalRequest[]): void {
    const { parked } = this.#bridge
    parked.asked(begun, identity)
    for (const request of requests) for (const name of this.#namesElsewhere(identity, request)) parked.bind(begun, name, identity.key)
  }

  /** Whether the approval that a conversation claims was asked for by a process with the same secret. */
  #isSealed(identity: CallIdentity, { requests }: { readonly requests: readonly ToolApprovalRequest[] }): boolean {
    const { parked, seals } = this.#bridge
    return seals?.isSealed(identity, requests, parked.now()) === true
  }

  /** The program does not pass `toolApproval`: the review handler is asked, as in any call. */
  #executeAtOnce(identity: CallIdentity, call: SdkCall): Execution {
    const feed = this.#feed()
    const on = feed === undefined ? [] : [feed]
    const ended = this.#call(identity, { signal: call.abortSignal, on }).then(
      (result) => ({ result }),
      (thrown: unknown) => ({ thrown }),
    )
    return { feed, output: ended.then((end) => this.#output(end, identity, call)) }
  }

  async #resume(known: ParkedRun, name: string, { identity, call }: { readonly identity: CallIdentity; readonly call: SdkCall }) {
    const end = await this.#bridge.flow.resume(known, name, call.abortSignal)
    if (end !== undefined) return this.#output(end, identity, call)
    throw approvalPending(this.name, known.reason)
  }

  #output(end: CallEnd, { toolCallId }: CallIdentity, { messages }: SdkCall): Promise<unknown> {
    return this.#bridge.output(successOf(end, ASKED_BY_SDK), { tool: this.tool, toolCallId, messages })
  }

  #begin(identity: CallIdentity, { abortSignal }: SdkCall, parts: Pick<RunParts, 'decided' | 'isApproved'> = {}): ParkedRun {
    const feed = this.#feed()
    const run = new ToolRun({
      ...parts,
      signal: abortSignal,
      later: this.#bridge.options.review,
      begin: ({ on, ...options }) => this.#call(identity, { ...options, on: feed === undefined ? [on] : [on, feed] }),
    })
    return new ParkedRun(identity, { run, feed })
  }

  #feed(): ProgressFeed | undefined {
    return this.#bridge.options.progress === true ? new ProgressFeed() : undefined
  }

  #identify(input: unknown, { toolCallId }: SdkCall): CallIdentity {
    return callIdentity({ tool: this.tool, name: this.name, input, toolCallId }, this.#bridge.options)
  }

  #call(identity: CallIdentity, own: Parameters<typeof callTool>[1]): Promise<ToolResult> {
    const { shared, options } = this.#bridge
    return callTool({ tool: this.tool, identity }, own, { shared, runtime: options.runtime, decoder: this.offered?.decoder })
  }
}

/** It would take effect twice. */
const GOES_ON_THERE =
  'Another process has asked about this call, and goes on by itself when the time of the gate is over. Approve it there, or make it a durable run.'

/**
 * The run in which a person was asked is gone, but the conversation holds their approval of this very call, under our own seal. It counts
 * for the gate before the whole tool only, since the conversation does not show the requests inside, and only if the gate would show the
 * same again: the schema of this process may make something else of the input.
 */
function approvalOfWhole({ tool, input }: CallIdentity, shown: readonly string[] = []): NonNullable<RunParts['decided']> {
  return (request) => {
    if (!isSealable(request, tool) || !shown.map(withoutRequests).includes(reasonsOf([request], input))) return undefined
    return request.onTimeout === 'continue' ? { action: 'reject', reason: GOES_ON_THERE } : { action: 'continue' }
  }
}
