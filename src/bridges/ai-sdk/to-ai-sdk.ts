import type { Tool } from 'ai'
import type { AiSdkApproval, AiSdkApprovals, AiSdkToolSet } from './ai-sdk-types.ts'
import type { ToAiSdkOptions } from './bridge-options.ts'
import { Bridge } from './bridge.ts'
import { BridgedTool, type SdkCall } from './bridged-tool.ts'
import { exactSchema } from './exact-schema.ts'
import { type GivenTools, namedTools } from './named-tools.ts'
import { type AiSdkReviews, aiSdkReviews, parkedRunsOf } from './reviews.ts'

/** What `generateText` and `streamText` take. */
export interface AiSdkBridge<T extends GivenTools, P extends boolean = false> {
  readonly tools: AiSdkToolSet<T, P>
  /** Pass it too, so that calls that need a person pause; leave it out where a review handler asks. */
  readonly toolApproval: AiSdkApprovals<T>
  /** The calls that wait for an approval. */
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
  const reviews = options.reviews ?? aiSdkReviews(options.clock === undefined ? {} : { clock: options.clock })
  const bridge = new Bridge(options, parkedRunsOf(reviews))
  const bridged = Array.from(namedTools(tools), ([name, each]) => new BridgedTool(name, each, bridge))
  const approval =
    (each: BridgedTool): AiSdkApproval =>
    (input, call) =>
      each.approval(input, call)
  return {
    tools: Object.fromEntries(bridged.map((each) => [each.name, entryOf(each, bridge)])) as AiSdkToolSet<T, P>,
    toolApproval: Object.fromEntries(bridged.map((each) => [each.name, approval(each)])) as AiSdkApprovals<T>,
    reviews,
  }
}

function entryOf(bridged: BridgedTool, { options, outputs, signals }: Bridge): Tool {
  const { description, specification } = bridged.tool
  const isInSight = options.progress === true
  return {
    description,
    inputSchema: exactSchema(specification.parameters),
    ...(specification.outputSchema === undefined || isInSight ? {} : { outputSchema: exactSchema(specification.outputSchema) }),
    execute: (input: unknown, call: SdkCall) => (isInSight ? bridged.executeInSight(input, call) : bridged.execute(input, call)),
    toModelOutput: ({ toolCallId, output }) => outputs.of(toolCallId, output),
    ...(bridged.mayAsk ? { onInputAvailable: ({ messages, abortSignal }: SdkCall) => signals.tell(messages, abortSignal) } : {}),
  }
}
