import type { ModelMessage, ToolApprovalStatus } from 'ai'
import type { AgentTool } from '../../tool/agent-tool.ts'
import type { CallOptions } from '../../tool/context.ts'
import type { Listener } from '../../tool/event.ts'
import { ModelArguments } from '../../tool/input/arguments.ts'
import { digest } from '../../tool/journal/hash.ts'
import type { ToolResult } from '../../tool/result/result.ts'
import { approvalPending } from './approval-pending.ts'
import { isApprovedIn } from './approval-responses.ts'
import type { Bridge } from './bridge.ts'
import { callIdentity, type CallIdentity } from './call-identity.ts'
import { concluded } from './concluded.ts'
import { mayAsk } from './may-ask.ts'
import { ParkedRun } from './parked-run.ts'
import { ProgressFeed } from './progress-feed.ts'
import { ToolRun, type RunParts } from './tool-run.ts'

/** What the SDK says about a call. */
export interface SdkCall {
  readonly toolCallId: string
  readonly messages: readonly ModelMessage[]
  readonly abortSignal?: AbortSignal | undefined
}

interface Execution {
  readonly feed: ProgressFeed | undefined
  readonly output: Promise<unknown>
}

/** One tool as the SDK calls it: first asked whether it needs an approval, then executed. Whatever happens, it runs once. */
export class BridgedTool {
  readonly name: string
  readonly tool: AgentTool
  /** Its plan or the policy says that a person may be asked; a tool that asks in code alone is found out when it does. */
  readonly mayAsk: boolean
  readonly #bridge: Bridge

  constructor(name: string, tool: AgentTool, bridge: Bridge) {
    this.name = name
    this.tool = tool
    this.#bridge = bridge
    this.mayAsk = bridge.options.policy !== undefined || mayAsk(tool)
  }

  /** Begins the call, where a person may be asked in it, and says whether one is. */
  async approval(input: unknown, call: SdkCall): Promise<ToolApprovalStatus> {
    const { parked, signals } = this.#bridge
    this.#bridge.asksThroughSdk = true
    const identity = this.#identify(input, call)
    parked.hear(call.messages, identity.owner)
    // The SDK asks again before it executes an approved call. Nothing but a denial would be heard.
    if (isApprovedIn(call.messages, identity)) return 'user-approval'
    const known = parked.get(identity.binding)
    if (known?.run.isParked === true && known.awaits === undefined) return this.#show(known, identity)
    const open = parked.get(identity.key)
    if (open?.run.isParked === true) return this.#show(open, identity)
    if (!this.mayAsk) return undefined
    const begun = this.#begin(identity, call)
    const letGo = signals.follow(call.messages, begun.run)
    await begun.run.settled()
    letGo()
    if (begun.run.isParked) return this.#show(begun, identity)
    this.#bridge.finished(begun)
    return undefined
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
    const { parked, asksThroughSdk } = this.#bridge
    const identity = this.#identify(input, call)
    parked.hear(call.messages, identity.owner)
    const isApproved = isApprovedIn(call.messages, identity)
    const known = this.#bridge.takeFinished(identity.key) ?? parked.get(identity.key)
    if (known !== undefined) {
      if (isApproved) known.approve(identity.key)
      return { feed: known.feed, output: this.#resume(known, identity, call) }
    }
    if (!isApproved && !asksThroughSdk) return this.#executeAtOnce(identity, call)
    const begun = this.#begin(identity, call, { decided: isApproved ? approvalOfWhole(this.tool) : undefined, isApproved: true })
    // A request that is sent twice, as after a lost answer, gets the same run.
    if (isApproved) parked.keep(begun)
    return { feed: begun.feed, output: this.#resume(begun, identity, call) }
  }

  /** Nobody can be asked through the SDK: the review handler is, as in any call. */
  #executeAtOnce(identity: CallIdentity, { abortSignal }: SdkCall): Execution {
    const feed = this.#feed()
    const on = feed === undefined ? [] : [feed]
    const ended = this.#call(identity, { signal: abortSignal, on }).then(
      (result) => ({ result }),
      (thrown: unknown) => ({ thrown }),
    )
    return { feed, output: ended.then((end) => this.#hand(end, identity)) }
  }

  async #resume(known: ParkedRun, identity: CallIdentity, { abortSignal }: SdkCall): Promise<unknown> {
    const { run } = known
    const letGo = run.follow(abortSignal)
    await run.settled()
    letGo()
    if (run.end !== undefined) return this.#hand(run.end, identity)
    this.#bridge.parked.keep(known)
    throw approvalPending(this.name, known.reason)
  }

  #hand(end: Parameters<typeof concluded>[0], { toolCallId }: CallIdentity): unknown {
    const success = concluded(end)
    this.#bridge.outputs.keep(toolCallId, success)
    return success.value
  }

  #show(known: ParkedRun, identity: CallIdentity): ToolApprovalStatus {
    known.show(identity)
    this.#bridge.parked.keep(known)
    return { type: 'user-approval', reason: known.reason }
  }

  #begin(identity: CallIdentity, { messages }: SdkCall, parts: Pick<RunParts, 'decided' | 'isApproved'> = {}): ParkedRun {
    const feed = this.#feed()
    const run = new ToolRun({
      ...parts,
      later: this.#bridge.options.review,
      begin: ({ on, ...options }) => this.#call(identity, { ...options, on: feed === undefined ? [on] : [on, feed] }),
    })
    return new ParkedRun(identity, { run, feed, from: messages.length })
  }

  #feed(): ProgressFeed | undefined {
    return this.#bridge.options.progress === true ? new ProgressFeed() : undefined
  }

  #identify(input: unknown, { toolCallId }: SdkCall): CallIdentity {
    return callIdentity({ tool: this.tool, name: this.name, input, toolCallId }, this.#bridge.options)
  }

  /** Through the one door, as the model sent it. */
  #call(identity: CallIdentity, own: CallOptions & { readonly on: readonly Listener[] }): Promise<ToolResult> {
    const { runtime, reviews: _reviews, progress: _progress, on, session, ...shared } = this.#bridge.options
    const input = ModelArguments.ofValue(identity.input) as never
    const options: CallOptions = {
      ...shared,
      ...own,
      ...(own.review === undefined ? { review: shared.review } : {}),
      session,
      on: [...listOf(on), ...own.on],
      ...(session === undefined ? {} : { idempotencyKey: digest(`${session}\n${identity.key}`) }),
    }
    return runtime === undefined ? this.tool.call(input, options) : runtime.call(this.tool, input, options)
  }
}

/**
 * The run in which a person was asked is gone, but the conversation holds their approval of this very tool and input. It counts for
 * the gate that stands before the whole: of what is asked inside, the conversation says nothing.
 */
function approvalOfWhole({ name }: AgentTool): NonNullable<RunParts['decided']> {
  return ({ kind, path }) => (kind === 'approval' && path === `${name}:approval` ? { action: 'continue' } : undefined)
}

function listOf(on: CallOptions['on']): readonly Listener[] {
  if (on === undefined) return []
  return (Array.isArray as (value: unknown) => value is readonly Listener[])(on) ? on : [on]
}
