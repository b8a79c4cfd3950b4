import type { Tool, ToolSet } from 'ai'
import { isPlainRecord, isRecord } from '../../schema/json-schema.ts'
import { quote } from '../../schema/quote.ts'
import { type AgentTool, isTool } from '../../tool/agent-tool.ts'
import { ConfigurationError } from '../../tool/errors/configuration-error.ts'
import type { PeerTools } from '../../tool/resolve/resolve.ts'
import type { AdoptedMetadata } from '../adopted.ts'
import { adoptTool } from './adopt-tool.ts'
import { checkOptionNames, optionNames } from '../../tool/option-names.ts'

/** The options of `fromAiSdk`. */
export interface FromAiSdkOptions<T extends ToolSet = ToolSet> {
  /** By the keys of the tool set. A tool without an effect counts as irreversible. */
  readonly metadata?: { readonly [K in keyof T]?: AdoptedMetadata } | undefined
  /** What the tools get as `context`, by the keys of the tool set. */
  readonly toolsContext?: { readonly [K in keyof T]?: unknown } | undefined
}

const NAMES = optionNames<FromAiSdkOptions>({ metadata: true, toolsContext: true })

/** The tools of a tool set as ours, by the same keys. */
export type AdoptedTools<T extends ToolSet> = { [K in keyof T]: AdoptedTool<T[K]> }

type AdoptedTool<T> = T extends Tool<infer I, infer O, infer _C> ? AgentTool<I, O> : AgentTool

/**
 * Makes our tools of AI SDK tools, so that they can be composed, gated, traced and served like any other.
 * @example
 * const weatherTool = { inputSchema: z.object({ city: z.string() }), execute: ({ city }: { city: string }) => `Mild in ${city}.` }
 * const { weather } = fromAiSdk({ weather: weatherTool }, { metadata: { weather: { effect: 'read' } } })
 * const result = await weather.call({ city: 'Bern' })
 * console.log(result.text) // Mild in Bern.
 */
export function fromAiSdk<T extends ToolSet>(toolSet: T, options: FromAiSdkOptions<T> = {}): AdoptedTools<T> {
  checkOptionNames(options, NAMES, 'The options of fromAiSdk')
  if (!isRecord(toolSet)) throw new ConfigurationError('not_a_tool', `fromAiSdk takes a tool set, { name: tool }, not ${quote(toolSet)}.`)
  const adopted = Object.entries(toolSet).map(([key, each]) => {
    const about = { metadata: options.metadata?.[key], context: options.toolsContext?.[key] }
    return [key, isTool(each) ? each : adoptTool(key, each, about)] as const
  })
  return Object.fromEntries(adopted) as AdoptedTools<T>
}

/**
 * Lets tool sets of the AI SDK stand in a list for `resolve` or `createRuntime`, beside other tools.
 * @example
 * const weather = { inputSchema: z.object({ city: z.string() }), execute: ({ city }: { city: string }) => `Mild in ${city}.` }
 * const runtime = createRuntime({ tools: [greet, { weather }], peers: [aiSdkPeer({ metadata: { weather: { effect: 'read' } } })] })
 * console.log((await runtime.specifications()).map(({ name }) => name)) // [ 'greet', 'weather' ]
 */
export function aiSdkPeer(options: FromAiSdkOptions = {}): PeerTools {
  checkOptionNames(options, NAMES, 'The options of aiSdkPeer')
  return {
    name: 'AI SDK',
    recognises: (value) => isPlainRecord(value) && isToolSet(value),
    adopt: (value) => Object.values(fromAiSdk(value as ToolSet, options)),
  }
}

/** A tool set is recognised by its entries: each has an input schema. */
function isToolSet(value: Readonly<Record<string, unknown>>): boolean {
  const entries = Object.values(value)
  return entries.length > 0 && entries.every((each) => isTool(each) || (isPlainRecord(each) && 'inputSchema' in each))
}
