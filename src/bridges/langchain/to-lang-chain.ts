import type { MessageContent, ToolMessage } from '@langchain/core/messages'
import type { DynamicStructuredTool, ToolRunnableConfig } from '@langchain/core/tools'
import type { JsonSchema } from '../../schema/json-schema.ts'
import { warnOfUnreachable } from '../../plan/gates.ts'
import type { AgentTool } from '../../tool/agent-tool.ts'
import { shareOverrides } from '../../tool/overrides.ts'
import { inDialect } from '../bridge-options.ts'
import { durableTools } from '../durable-tools.ts'
import { type GivenTools, type ModelInput, namedTools, type ToolIn } from '../named-tools.ts'
import { executionError, toldOf } from '../told-to-peer.ts'
import { Bridge, checkToLangChain, type ToLangChainOptions } from './bridge.ts'
import { BridgedTool } from './bridged-tool.ts'
import { type LangChainCore, loadLangChain } from './load-lang-chain.ts'
import { failedMessage, messageContent } from './tool-message.ts'

/** One of our tools as LangChain sees it. */
export type LangChainTool<T> =
  T extends AgentTool<infer I, unknown, infer N>
    ? DynamicStructuredTool<JsonSchema, ModelInput<I>, ModelInput<I>, MessageContent, unknown, N>
    : never

/** Tools by the keys of a record, or by the names of the tools in a list, which types do not know. */
export type LangChainTools<T extends GivenTools> = T extends readonly unknown[]
  ? Record<string, LangChainTool<ToolIn<T[number]>>>
  : { [K in keyof T]: LangChainTool<T[K]> }

/** What agents and graphs of LangChain take. */
export interface LangChainBridge<T extends GivenTools> {
  /** For `bindTools`, `createAgent` and `new ToolNode`. If tools run durably, `run_status` is one of them. */
  readonly tools: DynamicStructuredTool<JsonSchema, unknown, unknown, MessageContent>[]
  /** Each of the given tools, with its types. */
  readonly named: LangChainTools<T>
}

/**
 * Makes LangChain tools of ours: a list, or a record whose keys become the names. Calls go through the same door as any other. In a graph with
 * a checkpointer, gates ask by `interrupt`.
 * @example
 * const { tools } = await toLangChain({ refund })
 * // new ToolNode(tools), model.bindTools(tools)
 * console.log(tools.map(({ name }) => name)) // [ 'refund' ]
 */
export async function toLangChain<const T extends GivenTools>(tools: T, options: ToLangChainOptions = {}): Promise<LangChainBridge<T>> {
  checkToLangChain(options)
  const given = namedTools(tools, { bridge: 'toLangChain', peer: 'LangChain' })
  const core = await loadLangChain()
  const bridge = new Bridge(options)
  shareOverrides(options.overrides, given.values())
  const durable = durableTools(given, { ...options, bridge: 'toLangChain', shared: options })
  const { served } = durable
  const all = bridge.routed.withReaders(served, 'toLangChain')
  const offered = inDialect(all, options.strict)
  const { review, reviewers, principal, caller, runtime, log } = options
  const asking = [...given.values()].filter((tool) => durable.of(tool) === undefined)
  const isOpen = runtime !== undefined || caller !== undefined
  warnOfUnreachable(asking, { deciders: review?.deciders, counts: review?.counts, reviewers, principal, isOpen }, log)
  const make = toolMaker(core)
  const made = Array.from(all, ([name, tool]) => {
    const parts = { tool, offered: offered?.get(name), durable: durable.of(tool) }
    return [name, make(new BridgedTool(name, parts, bridge))] as const
  })
  return {
    tools: made.map(([, each]) => each),
    named: Object.fromEntries(made.filter(([name]) => given.has(name))) as LangChainTools<T>,
  }
}

type Made = DynamicStructuredTool<JsonSchema, unknown, unknown, MessageContent>

const ASKED_BY_GRAPH = 'Or call the tool in a graph that has a checkpointer.'

function toolMaker(core: LangChainCore): (bridged: BridgedTool) => Made {
  /** LangChain would check an input by its own validator, whose error does not say what is wrong: the door checks it. */
  class ToolwrightTool extends core.DynamicStructuredTool<JsonSchema, unknown, unknown, MessageContent> {
    override call(...given: Parameters<Made['call']>): Promise<never> {
      const unchecked: this = Object.create(this, { schema: { value: {} } })
      return super.call.apply(unchecked, given) as Promise<never>
    }
  }
  return (bridged) => {
    const { name, tool } = bridged
    const { parameters } = bridged.offered?.specification ?? tool.specification
    const func = async (input: unknown, runManager?: Parameters<Made['func']>[1], config: ToolRunnableConfig = {}): Promise<unknown> => {
      const told = toldOf(await bridged.call(input, { config, runManager }), ASKED_BY_GRAPH)
      if ('success' in told) return [messageContent(await bridged.routed(told.success, config)), told.success.value]
      const toolCallId = config.toolCall?.id
      if (toolCallId === undefined) throw told.failure === undefined ? told.thrown : executionError(told.failure)
      const message: ToolMessage = failedMessage(told, { name, toolCallId }, core)
      return [message, message.artifact]
    }
    return new ToolwrightTool({
      name,
      description: tool.description,
      schema: structuredClone(parameters) as JsonSchema,
      responseFormat: 'content_and_artifact',
      func: func as never,
    })
  }
}
