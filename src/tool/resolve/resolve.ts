import { type AgentTool, isTool, type ToolSpecification } from '../agent-tool.ts'
import type { CallOptions } from '../context.ts'
import { ConfigurationError } from '../errors/configuration-error.ts'
import type { DialectTarget } from '../../schema/dialects/dialect-rules.ts'
import { type ArgumentsDecoder, ModelArguments } from '../input/arguments.ts'
import type { ToolResult } from '../result/result.ts'
import { failure } from '../result/returned.ts'
import { tool } from '../tool.ts'
import { shareOverrides } from '../overrides.ts'
import { type AnnotatedMethod, annotatedMethods } from './annotate.ts'
import type { OfferedSpecification } from './offered-tools.ts'
import { unknownName } from './unknown-name.ts'
import { type LeftOutTool, type ListedTool, NameMemory } from './settle-names.ts'
import { checkOptionNames, optionNames } from '../option-names.ts'

/** Gives a fresh list for every run. */
export interface ToolProvider {
  readonly tools: () => readonly unknown[] | Promise<readonly unknown[]>
  /**
   * Calls back when its tools have changed; the function that it returns ends that. MCP servers follow it. A tool of such a provider whose name
   * is that of another tool is left out; without `onChange`, two tools with one name are an error.
   */
  readonly onChange?: ((listener: () => void) => () => void) | undefined
  /** Reads where its tools come from again. A `refresh` of what offers them calls it. */
  readonly refresh?: (() => Promise<void>) | undefined
  /** Before a call of a tool that nobody has fails: tries again, for a short time, what could not be reached and may have the tool. */
  readonly lookFor?: ((name: string) => Promise<void>) | undefined
}

/** Recognises the tools of another framework; bridges implement it. */
export interface PeerTools {
  /** For messages, such as `AI SDK`. */
  readonly name: string
  readonly recognises: (value: unknown) => boolean
  readonly adopt: (value: unknown) => readonly AgentTool[] | Promise<readonly AgentTool[]>
}

/** The options of `resolve`. */
export interface ResolveOptions {
  readonly peers?: readonly PeerTools[] | undefined
  /** The vendor's way of schemas: `specifications` are in it, and `call` understands it. */
  readonly dialect?: DialectTarget | undefined
}

const NAMES = optionNames<ResolveOptions>({ peers: true, dialect: true })

/** The arguments of a model: their text, or what was parsed of it; undefined for none. */
export type GivenArguments = string | Readonly<Record<string, unknown>> | undefined

/** A checked list of tools, as an agent uses it. */
export interface ToolResolution {
  readonly tools: readonly AgentTool[]
  /** The list for a model. */
  readonly specifications: readonly ToolSpecification[]
  readonly get: (name: string) => AgentTool | undefined
  /** The tools of providers that change which are not offered, because another tool had their name before. */
  readonly leftOut: readonly LeftOutTool[]
  /** Calls by name with the arguments of a model: their text, or what was parsed of it. An unknown name is a failure that names the nearest. */
  readonly call: (name: string, given: GivenArguments, options?: CallOptions) => Promise<ToolResult>
}

/**
 * Takes a mixed list of tools, annotated objects, providers and peers' tools, and checks it as a whole.
 * @example
 * const tools = await resolve([calculator(), new MathTools(), { tools: () => session.tools }])
 * const result = await tools.call('calculator', '{"input":"2 + 3"}')
 */
export function resolve(list: readonly unknown[], options: ResolveOptions = {}): Promise<ToolResolution> {
  return resolveAgain(list, options, new NameMemory())
}

/** The same for a list that is resolved again and again: the memory knows which provider had a name before. */
export async function resolveAgain(list: readonly unknown[], options: ResolveOptions, names: NameMemory): Promise<ToolResolution> {
  checkOptionNames(options, NAMES, 'The options of resolve')
  const { tools, leftOut } = names.settle(await flatten(list, options.peers ?? []))
  const byName = new Map(tools.map((each) => [each.name, each] as const))
  const offered = options.dialect === undefined ? undefined : await inDialect(tools, options.dialect)
  return Object.freeze<ToolResolution>({
    tools: Object.freeze(tools),
    specifications: Object.freeze(tools.map((each) => offered?.get(each.name)?.specification ?? each.specification)),
    get: (name) => byName.get(name),
    leftOut,
    call: (name, given, callOptions) => callByName(byName, name, { given, callOptions, decoder: offered?.get(name)?.decoder }),
  })
}

/** Few programs need the dialects, and they are a tenth of the library. */
async function inDialect(tools: readonly AgentTool[], target: DialectTarget): Promise<ReadonlyMap<string, OfferedSpecification>> {
  const { offeredTools } = await import('./offered-tools.ts')
  return offeredTools(tools, target)
}

async function flatten(list: readonly unknown[], peers: readonly PeerTools[], by?: object): Promise<readonly ListedTool[]> {
  if (!Array.isArray(list)) throw new ConfigurationError('not_a_tool', 'resolve takes a list of tools.')
  const tools: ListedTool[] = []
  for (const item of list as readonly unknown[]) tools.push(...(await toolsOf(item, peers, by)))
  return tools
}

async function toolsOf(item: unknown, peers: readonly PeerTools[], by: object | undefined): Promise<readonly ListedTool[]> {
  if (isTool(item)) return [{ tool: item, by }]
  const peer = peers.find((each) => each.recognises(item))
  if (peer !== undefined) return (await peer.adopt(item)).map((each) => ({ tool: each, by }))
  if (typeof item === 'object' && item !== null) {
    const methods = annotatedMethods(item)
    if (methods.length > 0) return methods.map((each) => ({ tool: toolOfMethod(each), by }))
    if ('tools' in item && typeof item.tools === 'function') {
      const provider = item as ToolProvider
      const changing = typeof provider.onChange === 'function' ? provider : by
      return flatten((await provider.tools()) as readonly unknown[], peers, changing)
    }
  }
  throw new ConfigurationError(
    'not_a_tool',
    `Tool object of type '${typeName(item)}' is neither an AgentTool nor has @Tool-annotated methods`,
  )
}

function toolOfMethod({ key, annotation, method }: AnnotatedMethod): AgentTool {
  const { name = key, ...rest } = annotation
  return tool({ ...rest, name, execute: method }) as AgentTool
}

function typeName(item: unknown): string {
  if (item === null) return 'null'
  if (typeof item !== 'object') return typeof item
  return item.constructor?.name ?? 'Object'
}

interface NamedCall {
  readonly given: GivenArguments
  readonly callOptions: CallOptions | undefined
  readonly decoder: ArgumentsDecoder | undefined
}

function callByName(byName: ReadonlyMap<string, AgentTool>, name: string, named: NamedCall): Promise<ToolResult> {
  const { given, callOptions, decoder } = named
  const found = byName.get(name)
  shareOverrides(callOptions?.overrides, byName.values())
  if (found !== undefined) return found.call(argumentsOf(given, decoder) as never, callOptions)
  return unknownTool(String(name), [...byName.keys()]).call('', { ...callOptions, policy: undefined, overrides: undefined })
}

function argumentsOf(given: GivenArguments | null, decoder: ArgumentsDecoder | undefined): ModelArguments {
  if (given === undefined || given === null) return ModelArguments.ofText('', decoder)
  return typeof given === 'object' ? ModelArguments.ofValue(given, decoder) : ModelArguments.ofText(String(given), decoder)
}

/** The failure passes the door, so that it is traced and logged; a policy has nothing to judge. */
function unknownTool(name: string, names: readonly string[]): AgentTool<string, never> {
  const { message, hint } = unknownName(name, names)
  return tool({
    name: 'unknown_tool',
    description: 'Reports that a tool does not exist.',
    effect: 'read',
    execute: () => failure(message, { code: 'unknown_tool', outcome: 'not_started', hint }),
  })
}
