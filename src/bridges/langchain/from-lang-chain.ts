import type { ToolMessage } from '@langchain/core/messages'
import type { StructuredToolInterface, ToolRunnableConfig } from '@langchain/core/tools'
import { quote } from '../../schema/quote.ts'
import { type AgentTool, isTool } from '../../tool/agent-tool.ts'
import { ConfigurationError } from '../../tool/errors/configuration-error.ts'
import { checkOptionNames, optionNames } from '../../tool/option-names.ts'
import type { PeerTools } from '../../tool/resolve/resolve.ts'
import { type AdoptedMetadata, adoptedEntries } from '../adopted.ts'
import { adoptTool, isForeignTool } from './adopt-tool.ts'
import { loadAdopting } from './load-lang-chain.ts'

/** A tool of LangChain, of any of its classes. */
export interface LangChainToolLike {
  readonly name: string
  readonly lc_namespace: readonly string[]
  readonly schema: unknown
  readonly invoke: (...given: never[]) => Promise<unknown>
}

/** LangChain tools: a list, in which they go by their own names, or a record, in which they go by their keys. */
export type LangChainGiven = readonly LangChainToolLike[] | Readonly<Record<string, LangChainToolLike>>

/** The options of `fromLangChain`. */
export interface FromLangChainOptions<K extends PropertyKey = string> {
  /** By the names of the tools. A tool without an effect counts as irreversible. */
  readonly metadata?: { readonly [Name in K]?: AdoptedMetadata } | undefined
  /** What every call passes on: `callbacks`, `tags`, `metadata`, `configurable`, and a `signal` beside that of the call. */
  readonly config?: ToolRunnableConfig | undefined
}

const NAMES = optionNames<FromLangChainOptions>({ metadata: true, config: true })

/** LangChain tools as ours, at the same places. */
export type FromLangChain<T extends LangChainGiven> = { -readonly [K in keyof T]: AdoptedLangChainTool<T[K]> }

type Known<T> = 0 extends 1 & T ? unknown : Exclude<T, ToolMessage>

type AdoptedLangChainTool<T> =
  T extends StructuredToolInterface<infer _S, infer I, infer O>
    ? AgentTool<Known<I>, Known<O>>
    : T extends { readonly schema: { readonly _input: infer I } }
      ? AgentTool<I>
      : AgentTool

type NamesOf<T extends LangChainGiven> = T extends readonly unknown[] ? string : keyof T

/**
 * Makes our tools of LangChain tools, so that they can be composed, gated, traced and served like any other.
 * @example
 * const { tool: langChainTool } = await import('@langchain/core/tools')
 * const shout = langChainTool(({ text }) => text.toUpperCase(), { name: 'shout', schema: z.object({ text: z.string() }) })
 * const [shouting] = await fromLangChain([shout], { metadata: { shout: { effect: 'read' } } })
 * console.log((await shouting.call({ text: 'hi' })).text) // HI
 */
export async function fromLangChain<const T extends LangChainGiven>(
  tools: T,
  options: FromLangChainOptions<NamesOf<T>> = {},
): Promise<FromLangChain<T>> {
  checkOptionNames(options, NAMES, 'The options of fromLangChain')
  if (typeof tools !== 'object' || tools === null || isForeignTool(tools))
    throw new ConfigurationError('not_a_tool', `fromLangChain takes a list of tools, or a record of them by name, not ${quote(tools)}.`)
  const metadata = (options.metadata ?? {}) as Readonly<Record<string, AdoptedMetadata>>
  const entries = adoptedEntries(tools, { nameOf, metadata, bridge: 'fromLangChain' })
  const adopted = await adoptAll(entries, { ...options, metadata })
  return (Array.isArray(tools) ? adopted : Object.fromEntries(entries.map(([key], index) => [key, adopted[index]]))) as FromLangChain<T>
}

async function adoptAll(
  entries: readonly (readonly [string, unknown])[],
  { metadata = {}, config }: FromLangChainOptions,
): Promise<readonly AgentTool[]> {
  const core = await loadAdopting()
  return entries.map(([key, each]) => (isTool(each) ? each : adoptTool(key, each, { metadata: metadata[key], config, core })))
}

function nameOf(value: unknown): string {
  return isForeignTool(value) || isTool(value) ? value.name : quote(value)
}

/**
 * Lets LangChain tools stand in a list for `resolve` or `createRuntime`, beside other tools.
 * @example
 * const { tool: langChainTool } = await import('@langchain/core/tools')
 * const shout = langChainTool(({ text }) => text.toUpperCase(), { name: 'shout', schema: z.object({ text: z.string() }) })
 * const runtime = createRuntime({ tools: [greet, shout], peers: [langChainPeer({ metadata: { shout: { effect: 'read' } } })] })
 * console.log((await runtime.specifications()).map(({ name }) => name)) // [ 'greet', 'shout' ]
 */
export function langChainPeer(options: FromLangChainOptions = {}): PeerTools {
  checkOptionNames(options, NAMES, 'The options of langChainPeer')
  return {
    name: 'LangChain',
    recognises: isForeignTool,
    adopt: (value) => adoptAll([[nameOf(value), value]], options),
  }
}
