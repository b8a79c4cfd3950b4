import { isRecord } from '../schema/json-schema.ts'
import { quote } from '../schema/quote.ts'
import { type AgentTool, isTool } from '../tool/agent-tool.ts'
import { ConfigurationError } from '../tool/errors/configuration-error.ts'

/** A list of tools, which go by their own names, or a record, in which they go by their keys. */
export type GivenTools = readonly AgentTool[] | Readonly<Record<string, AgentTool>>

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
  if (typeof given !== 'object' || given === null || isTool(given))
    throw new ConfigurationError('not_a_tool', `${bridge} takes a list of tools, or a record of them by name, not ${describe(given)}.`)
  const misplaced = misplacedIn(given)
  if (misplaced !== undefined) throw new ConfigurationError('not_a_tool', `${bridge} takes a list of tools, ${misplaced(bridge)}`)
  const named = new Map<string, AgentTool>()
  const entries = Array.isArray(given) ? given.map((each: unknown) => [nameOf(each), each] as const) : Object.entries(given)
  for (const [name, each] of entries as readonly (readonly [string, unknown])[]) {
    if (!isTool(each))
      throw new ConfigurationError('not_a_tool', `Tool '${name}' for ${peer} is ${describe(each)}. Make one with tool({ ... }).`)
    if (named.has(name)) throw new ConfigurationError('duplicate_name', `Duplicate tool name: '${name}'`)
    named.set(name, each)
  }
  return named
}

function nameOf(value: unknown): string {
  return isTool(value) ? value.name : quote(value)
}

function describe(value: unknown): string {
  return isTool(value) ? 'a single tool: put it into a list' : quote(value)
}

/** What a program probably means that gives something with tools in it, and how to write it. */
function misplacedIn(given: object): ((bridge: string) => string) | undefined {
  if (isProvider(given)) return () => 'not a provider of them: write [...provider.tools()].'
  if (isRuntime(given)) return (bridge) => `not a runtime: write ${bridge}([...], { runtime }), with the tools that the model may call.`
  const parts: readonly (readonly [string, unknown])[] = Object.entries(given)
  const provider = parts.find(([, each]) => isProvider(each))
  if (provider !== undefined) {
    const [name] = provider
    const where = Array.isArray(given) ? `item ${name} is a provider of tools` : `'${name}' is a provider of tools`
    return () => `and ${where}: write ...provider.tools() in the list instead, after \`await\` if it answers by a promise.`
  }
  const runtime = parts.some(([, each]) => isRuntime(each))
  return runtime
    ? (bridge) => `and a runtime is an option: write ${bridge}([...], { runtime }), with the tools that the model may call.`
    : undefined
}

function isProvider(value: unknown): boolean {
  return isRecord(value) && !isTool(value) && typeof value['tools'] === 'function'
}

function isRuntime(value: unknown): boolean {
  return isRecord(value) && !isTool(value) && typeof value['callByName'] === 'function' && typeof value['start'] === 'function'
}
