import type { ModelMessage, Tool, ToolApprovalStatus, ToolExecuteFunction } from 'ai'
import { warnOfGates, warnOfUnreachable } from '../../plan/gates.ts'
import type { AgentTool } from '../../tool/agent-tool.ts'
import { shareOverrides } from '../../tool/overrides.ts'
import { inDialect } from '../bridge-options.ts'
import { ownerOf } from '../call-identity.ts'
import { durableTools } from '../durable-tools.ts'
import { type GivenTools, type ModelInput, namedTools, type ToolIn } from '../named-tools.ts'
import { type AiSdkReviews, aiSdkReviews, reviewedRunsOf, reviewsOfCaller } from './ai-sdk-reviews.ts'
import { Bridge, checkToAiSdk, type ToAiSdkOptions } from './bridge.ts'
import { BridgedTool, type SdkCall, type SdkEntry } from './bridged-tool.ts'
import { DurableBridgedTool } from './durable-bridged-tool.ts'
import { exactSchema } from './exact-schema.ts'
import type { ProgressOutput } from '../progress-feed.ts'

/** What `generateText` and `streamText` take. */
export interface AiSdkBridge<T extends GivenTools, P extends boolean = false> {
  readonly tools: AiSdkToolSet<T, P>
  /** Pass it too, so that calls that need a person pause; leave it out where a review handler asks. */
  readonly toolApproval: AiSdkApprovals<T>
  /** The calls that wait for an approval, in memory. `reviews.rejectDenied` is for durable ones too. */
  readonly reviews: AiSdkReviews
}

/**
 * Makes AI SDK tools of ours: a list, or a record whose keys become the names. Calls go through the same door as any other.
 * @example
 * const { tools, toolApproval, reviews } = toAiSdk({ refund }, { session: 'chat-7' })
 * // generateText({ model, messages, tools, toolApproval })
 * console.log(Object.keys(tools), Object.keys(toolApproval), reviews.list()) // [ 'refund' ] [ 'refund' ] []
 */
export function toAiSdk<const T extends GivenTools, P extends boolean = false>(
  tools: T,
  options: ToAiSdkOptions<P> = {},
): AiSdkBridge<T, P> {
  checkToAiSdk(options)
  const reviews = options.reviews ?? aiSdkReviews(options.clock === undefined ? {} : { clock: options.clock })
  const bridge = new Bridge(options, reviewedRunsOf(reviews))
  const given = namedTools(tools, { bridge: 'toAiSdk', peer: 'the AI SDK' })
  shareOverrides(options.overrides, given.values())
  const durable = durableTools(given, { ...options, bridge: 'toAiSdk', shared: options })
  const { served } = durable
  const named = bridge.routed.withReaders(served, 'toAiSdk')
  // The provider sends Gemini a JSON Schema, in which null is a type of its own.
  const offered = inDialect(named, options.strict, { nulls: 'type' })
  const bridged = Array.from(named, ([name, tool]): SdkEntry => {
    const parts = durable.of(tool)
    const own = { tool, offered: offered?.get(name) }
    return parts === undefined ? new BridgedTool(name, own, bridge) : new DurableBridgedTool(name, { ...own, durable: parts }, bridge)
  })
  const approval =
    (each: SdkEntry): AiSdkApproval =>
    (input, call) =>
      each.approval(input, call)
  const toolSet = Object.fromEntries(bridged.map((each) => [each.name, entryOf(each, bridge)])) as AiSdkToolSet<T, P>
  const approvals = Object.fromEntries(bridged.map((each) => [each.name, approval(each)])) as AiSdkApprovals<T>
  // Durable runs ask in their inbox, whatever the program takes.
  const asking = [...given.values()].filter((tool) => durable.of(tool) === undefined)
  const check = checkApprovals(asking, options)
  const rejectRuns = async (messages: readonly ModelMessage[]): Promise<void> => {
    for (const runtime of durable.runtimes) await bridge.rejectDeniedRuns(messages, runtime)
  }
  return {
    get tools() {
      check.toolsAreTaken()
      return toolSet
    },
    get toolApproval() {
      check.approvalsAreTaken()
      return approvals
    },
    reviews: reviewsOfCaller(reviews, ownerOf(options), rejectRuns),
  }
}

/**
 * Warns of gates that nobody can open: by the conversation, if the program takes `toolApproval` too, else by the review handler. A runtime
 * has looked at its own handler itself.
 */
function checkApprovals(tools: readonly AgentTool[], options: ToAiSdkOptions): ApprovalsCheck {
  const { review, runtime, reviewers, principal, log } = options
  const shared = { reviewers, principal, isOpen: runtime !== undefined }
  let areTaken = false
  let isDue = true
  const warnLater = (): void => {
    if (areTaken) return
    const advice = 'pass toolApproval to generateText or streamText too, or a review handler to toAiSdk. Without one, such a call fails.'
    if (review !== undefined && review.isAbsent !== true)
      warnOfUnreachable(tools, { deciders: review.deciders, counts: review.counts, ...shared }, log)
    else if (runtime === undefined || review !== undefined) warnOfGates(tools, { log, who: 'the program', advice })
  }
  return {
    toolsAreTaken: () => {
      if (isDue) setImmediate(warnLater).unref()
      isDue = false
    },
    approvalsAreTaken: () => {
      // The program passes principals to `reviews`. An inbox counts several approvals; a conversation gives one.
      if (!areTaken) warnOfUnreachable(tools, { deciders: 'principals', counts: review?.counts, ...shared }, log)
      areTaken = true
    },
  }
}

interface ApprovalsCheck {
  /** The next turn of the event loop looks whether `toolApproval` was taken as well. */
  readonly toolsAreTaken: () => void
  readonly approvalsAreTaken: () => void
}

function entryOf(bridged: SdkEntry, { options, outputs, signals }: Bridge): Tool {
  const { title, description } = bridged.tool
  const specification = bridged.offered?.specification ?? bridged.tool.specification
  const isInSight = options.progress === true
  return {
    ...(title === undefined ? {} : { title }),
    description,
    inputSchema: exactSchema(specification.parameters),
    ...(specification.strict === true ? { strict: true } : {}),
    ...(specification.outputSchema === undefined || isInSight ? {} : { outputSchema: exactSchema(specification.outputSchema) }),
    execute: (input: unknown, call: SdkCall) => (isInSight ? bridged.executeInSight(input, call) : bridged.execute(input, call)),
    toModelOutput: ({ toolCallId, output }) => outputs.of(toolCallId, output),
    ...(bridged.mayAsk ? { onInputAvailable: ({ messages, abortSignal }: SdkCall) => signals.setSignal(messages, abortSignal) } : {}),
  }
}

type SdkTool<I, O> = Tool<I, O, Record<string, unknown>> & { readonly execute: ToolExecuteFunction<I, O, Record<string, unknown>> }

/** One of our tools as the AI SDK sees it. With progress, an output may be a preliminary one. */
export type AiSdkTool<T, P extends boolean = false> =
  T extends AgentTool<infer I, infer O> ? SdkTool<ModelInput<I>, P extends true ? O | ProgressOutput : O> : never

/** The tool set: by the keys of a record, or by the names of the tools in a list, which types do not know. */
export type AiSdkToolSet<T extends GivenTools, P extends boolean = false> = T extends readonly unknown[]
  ? Record<string, AiSdkTool<ToolIn<T[number]>, P>>
  : { [K in keyof T]: AiSdkTool<T[K], P> }

/** Says of one call whether a person must approve it. */
export type AiSdkApproval = (
  input: unknown,
  call: { readonly toolCallId: string; readonly messages: readonly ModelMessage[] },
) => Promise<ToolApprovalStatus>

/** For the option `toolApproval` of `generateText` and `streamText`. Spread it to add rules for other tools. */
export type AiSdkApprovals<T extends GivenTools> = T extends readonly unknown[]
  ? Record<string, AiSdkApproval>
  : { [K in keyof T]: AiSdkApproval }
