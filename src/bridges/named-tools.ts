import { isRecord } from '../schema/json-schema.ts'
import { quote } from '../schema/quote.ts'
import { type AgentTool, isTool } from '../tool/agent-tool.ts'
import { ConfigurationError } from '../tool/errors/configuration-error.ts'

/** Something that has tools at hand, such as the connection of `connectMcp`: in a list it stands for those that it has now. */
export interface ToolsAtHand {
  readonly tools: () => readonly AgentTool[]
}

/** A list of tools, which go by their own names, or a record, in which they go by their keys. */
export type GivenTools = readonly (AgentTool | ToolsAtHand)[] | Readonly<Record<string, AgentTool>>

/** The tools of an item of a list. */
export type ToolIn<T> = T extends AgentTool ? T : T extends { readonly tools: () => readonly (infer Own)[] } ? Own : never

type IsUnion<T, U = T> = T extends unknown ? ([U] extends [T] ? false : true) : never

/** What a model sends for an input of this type: an object. Any other value stands under `input`. */
export type ModelInput<I> = [I] extends [never]
  ? unknown
  : unknown extends I
    ? unknown
    : [I] extends [readonly unknown[]]
      ? { readonly input: I }
      : [I] extends [object]
        ? true extends IsUnion<I>
          ? { readonly input: I }
          : I
        : { readonly input: I }

/** For whom tools are named, for messages. */
export interface NamedFor {
  /** The name of the bridge: `toAiSdk`. */
  readonly bridge: string
  /** The peer: `the AI SDK`. */
  readonly peer: string
}

/** The tools by the names that the model sees. */
export function namedTools(given: GivenTools, { bridge, peer }: NamedFor): ReadonlyMap<string, AgentTool> {
  if (typeof given !== 'object' || given === null || isTool(given) || isProvider(given) || isRuntime(given))
    throw new ConfigurationError(
      'not_a_tool',
      `${bridge} takes a list of tools, or a record of them by name, not ${describe(given, bridge)}.`,
    )
  const entries = Array.isArray(given) ? given.flatMap((each: unknown) => itemsOf(each, bridge)) : Object.entries(given)
  const named = new Map<string, AgentTool>()
  for (const [name, each] of entries as readonly (readonly [string, unknown])[]) {
    if (!isTool(each)) throw new ConfigurationError('not_a_tool', `Tool '${name}' for ${peer} is ${describe(each, bridge)}.${cureOf(each)}`)
    if (named.has(name)) throw new ConfigurationError('duplicate_name', `Duplicate tool name: '${name}'`)
    named.set(name, each)
  }
  return named
}

function itemsOf(item: unknown, bridge: string): readonly (readonly [string, unknown])[] {
  if (!isProvider(item)) return [[nameOf(item), item]]
  const tools: unknown = item.tools()
  if (Array.isArray(tools)) return tools.map((each: unknown) => [nameOf(each), each])
  const how = tools instanceof Promise ? 'write ...(await provider.tools()) in the list instead' : 'it must return a list of tools'
  throw new ConfigurationError('not_a_tool', `A provider in the list for ${bridge} gives ${quote(tools)} for tools(): ${how}.`)
}

function nameOf(value: unknown): string {
  return isTool(value) ? value.name : quote(value)
}

/** What was given, and what the program probably means. */
function describe(value: unknown, bridge: string): string {
  if (isTool(value)) return 'a single tool: put it into a list'
  if (isRuntime(value)) return `a runtime, which is an option: write ${bridge}([...], { runtime }), with the tools that the model may call`
  return isProvider(value) ? `a provider of tools: put it into a list, ${bridge}([provider])` : quote(value)
}

function cureOf(value: unknown): string {
  return isProvider(value) || isRuntime(value) ? '' : ' Make one with tool({ ... }).'
}

function isProvider(value: unknown): value is { readonly tools: () => unknown } {
  return isRecord(value) && !isTool(value) && typeof value['tools'] === 'function'
}

function isRuntime(value: unknown): boolean {
  return isRecord(value) && !isTool(value) && typeof value['callByName'] === 'function' && typeof value['start'] === 'function'
}
