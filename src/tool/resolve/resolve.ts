import { type AgentTool, identityOf, isTool, type ToolSpecification } from '../agent-tool.ts'
import type { CallOptions } from '../context.ts'
import { ConfigurationError } from '../errors/configuration-error.ts'
import { IdentityOwners } from '../identity-owners.ts'
import type { DialectTarget } from '../../schema/dialects/dialect-rules.ts'
import { type ArgumentsDecoder, ModelArguments } from '../input/arguments.ts'
import type { ToolResult } from '../result/result.ts'
import { failure } from '../result/returned.ts'
import { tool } from '../tool.ts'
import { shareOverrides } from '../overrides.ts'
import { type AnnotatedMethod, annotatedMethods } from './annotate.ts'
import type { OfferedSpecification } from './offered-tools.ts'
import { unknownName } from './unknown-name.ts'
import { checkOptionNames, optionNames } from '../option-names.ts'

/** Gives a fresh list for every run. */
export interface ToolProvider {
  readonly tools: () => readonly unknown[] | Promise<readonly unknown[]>
  /** Calls back when its tools have changed; the function that it returns ends that. MCP servers follow it. */
  readonly onChange?: ((listener: () => void) => () => void) | undefined
}

/** Recognises the tools of another framework; bridges implement it. */
export interface PeerTools {
  /** For messages, such as `AI SDK`. */
  readonly name: string
  readonly recognises: (value: unknown) => boolean
  readonly adopt: (value: unknown) => readonly AgentTool[] | Promise<readonly AgentTool[]>
}

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
  /** Calls by name with the arguments of a model: their text, or what was parsed of it. An unknown name is a failure that names the nearest. */
  readonly call: (name: string, given: GivenArguments, options?: CallOptions) => Promise<ToolResult>
}

/**
 * Takes a mixed list of tools, annotated objects, providers and peers' tools, and checks it as a whole.
 * @example
 * const tools = await resolve([calculator(), new MathTools(), { tools: () => session.tools }])
 * const result = await tools.call('calculator', '{"input":"2 + 3"}')
 */
export async function resolve(list: readonly unknown[], options: ResolveOptions = {}): Promise<ToolResolution> {
  checkOptionNames(options, NAMES, 'The options of resolve')
  const tools = await flatten(list, options.peers ?? [])
  const byName = new Map<string, AgentTool>()
  for (const each of tools) {
    if (byName.has(each.name)) throw new ConfigurationError('duplicate_name', `Duplicate tool name: '${each.name}'`)
    byName.set(each.name, each)
  }
  checkIdentities(tools)
  const offered = options.dialect === undefined ? undefined : await inDialect(tools, options.dialect)
  return Object.freeze<ToolResolution>({
    tools: Object.freeze(tools),
    specifications: Object.freeze(tools.map((each) => offered?.get(each.name)?.specification ?? each.specification)),
    get: (name) => byName.get(name),
    call: (name, given, callOptions) => callByName(byName, name, { given, callOptions, decoder: offered?.get(name)?.decoder }),
  })
}

/** Few programs need the dialects, and they are a tenth of the library. */
async function inDialect(tools: readonly AgentTool[], target: DialectTarget): Promise<ReadonlyMap<string, OfferedSpecification>> {
  const { offeredTools } = await import('./offered-tools.ts')
  return offeredTools(tools, target)
}

async function flatten(list: readonly unknown[], peers: readonly PeerTools[]): Promise<readonly AgentTool[]> {
  if (!Array.isArray(list)) throw new ConfigurationError('not_a_tool', 'resolve takes a list of tools.')
  const tools: AgentTool[] = []
  for (const item of list as readonly unknown[]) tools.push(...(await toolsOf(item, peers)))
  return tools
}

async function toolsOf(item: unknown, peers: readonly PeerTools[]): Promise<readonly AgentTool[]> {
  if (isTool(item)) return [item]
  const peer = peers.find((each) => each.recognises(item))
  if (peer !== undefined) return peer.adopt(item)
  if (typeof item === 'object' && item !== null) {
    const methods = annotatedMethods(item)
    if (methods.length > 0) return methods.map(toolOfMethod)
    if ('tools' in item && typeof item.tools === 'function')
      return flatten((await (item as ToolProvider).tools()) as readonly unknown[], peers)
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

/** Refuses a list in whose trees two different tools have one identity. */
function checkIdentities(tools: readonly AgentTool[]): void {
  const owners = new IdentityOwners()
  const met = new Set(tools)
  // The iteration of a set includes elements added meanwhile, each tool once.
  for (const each of met) {
    if (owners.claim(each) !== undefined) {
      throw new ConfigurationError(
        'duplicate_name',
        `Duplicate tool name: '${each.name}' (two different tools are both ${identityOf(each)}; give one another name or version)`,
      )
    }
    for (const part of each.plan().parts) met.add(part.tool)
  }
}
