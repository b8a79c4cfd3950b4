import { quote } from '../../schema/quote.ts'
import { type AgentTool, isTool } from '../../tool/agent-tool.ts'
import { ConfigurationError } from '../../tool/errors/configuration-error.ts'
import { checkOptionNames, optionNames } from '../../tool/option-names.ts'
import type { PeerTools } from '../../tool/resolve/resolve.ts'
import { type AdoptedMetadata, adoptedEntries } from '../adopted.ts'
import { adoptTool, isForeignTool } from './adopt-tool.ts'
import { loadOpenAiAgents } from './load-openai-agents.ts'

/** A function tool of the SDK, with any context, parameters and result. */
export interface FunctionToolLike {
  readonly type: 'function'
  readonly name: string
  readonly invoke: (...given: never[]) => Promise<unknown>
  readonly needsApproval: (...given: never[]) => Promise<boolean>
}

/** Function tools: a list, in which they go by their own names, or a record, in which they go by their keys. */
export type OpenAiAgentsGiven = readonly FunctionToolLike[] | Readonly<Record<string, FunctionToolLike>>

/** The options of `fromOpenAiAgents`. */
export interface FromOpenAiAgentsOptions<K extends PropertyKey = string> {
  /** By the names of the tools. A tool without an effect counts as irreversible. */
  readonly metadata?: { readonly [Name in K]?: AdoptedMetadata } | undefined
  /** What the tools get as `runContext.context`. */
  readonly context?: unknown
}

const NAMES = optionNames<FromOpenAiAgentsOptions>({ metadata: true, context: true })

/** Function tools as ours, at the same places. */
export type FromOpenAiAgents<T extends OpenAiAgentsGiven> = { -readonly [K in keyof T]: AdoptedFunctionTool<T[K]> }

type AdoptedFunctionTool<T> = T extends {
  readonly needsApproval: (runContext: never, input: infer I, ...rest: never[]) => unknown
  readonly invoke: (...given: never[]) => Promise<infer O>
}
  ? AgentTool<I, O>
  : AgentTool

type NamesOf<T extends OpenAiAgentsGiven> = T extends readonly unknown[] ? string : keyof T

/**
 * Makes our tools of function tools of `@openai/agents`, so that they can be composed, gated, traced and served like any other.
 * @example
 * const { tool: agentsTool } = await import('@openai/agents')
 * const shout = agentsTool({ name: 'shout', description: 'Shouts.', parameters: z.object({ text: z.string() }), execute: ({ text }) => text.toUpperCase() })
 * const [shouting] = await fromOpenAiAgents([shout], { metadata: { shout: { effect: 'read' } } })
 * console.log((await shouting.call({ text: 'hi' })).text) // HI
 */
export async function fromOpenAiAgents<const T extends OpenAiAgentsGiven>(
  tools: T,
  options: FromOpenAiAgentsOptions<NamesOf<T>> = {},
): Promise<FromOpenAiAgents<T>> {
  checkOptionNames(options, NAMES, 'The options of fromOpenAiAgents')
  if (typeof tools !== 'object' || tools === null || isForeignTool(tools))
    throw new ConfigurationError('not_a_tool', `fromOpenAiAgents takes a list of tools, or a record of them by name, not ${quote(tools)}.`)
  const metadata = (options.metadata ?? {}) as Readonly<Record<string, AdoptedMetadata>>
  const entries = adoptedEntries(tools, { nameOf, metadata, bridge: 'fromOpenAiAgents' })
  const adopted = await adoptAll(entries, { ...options, metadata })
  return (Array.isArray(tools) ? adopted : Object.fromEntries(entries.map(([key], index) => [key, adopted[index]]))) as FromOpenAiAgents<T>
}

async function adoptAll(
  entries: readonly (readonly [string, unknown])[],
  { metadata = {}, context }: FromOpenAiAgentsOptions,
): Promise<readonly AgentTool[]> {
  const library = await loadOpenAiAgents()
  const adopt = ([key, each]: readonly [string, unknown]): Promise<AgentTool> | AgentTool =>
    isTool(each) ? each : adoptTool(key, each, { metadata: metadata[key], context, library })
  return Promise.all(entries.map(adopt))
}

function nameOf(value: unknown): string {
  return isForeignTool(value) || isTool(value) ? value.name : quote(value)
}

/**
 * Lets function tools of `@openai/agents` stand in a list for `resolve` or `createRuntime`, beside other tools.
 * @example
 * const { tool: agentsTool } = await import('@openai/agents')
 * const shout = agentsTool({ name: 'shout', description: 'Shouts.', parameters: z.object({ text: z.string() }), execute: ({ text }) => text.toUpperCase() })
 * const runtime = createRuntime({ tools: [greet, shout], peers: [openAiAgentsPeer({ metadata: { shout: { effect: 'read' } } })] })
 * console.log((await runtime.specifications()).map(({ name }) => name)) // [ 'greet', 'shout' ]
 */
export function openAiAgentsPeer(options: FromOpenAiAgentsOptions = {}): PeerTools {
  checkOptionNames(options, NAMES, 'The options of openAiAgentsPeer')
  return {
    name: 'OpenAI Agents',
    recognises: isForeignTool,
    adopt: (value) => adoptAll([[nameOf(value), value]], options),
  }
}
