import type { Tool } from '@modelcontextprotocol/server'
import type { DialectTarget } from '../../schema/dialects/dialect-rules.ts'
import type { AgentTool } from '../../tool/agent-tool.ts'
import type { CallOptions } from '../../tool/context.ts'
import { ConfigurationError } from '../../tool/errors/configuration-error.ts'
import { offeredTools } from '../../tool/resolve/offered-tools.ts'
import { type PeerTools, resolve, resolveAgain, type ToolResolution } from '../../tool/resolve/resolve.ts'
import type { NameMemory } from '../../tool/resolve/settle-names.ts'
import { warn } from '../../tool/warn.ts'
import { type DurableBridgeOptions, type DurableTools, durableTools } from '../durable-tools.ts'
import type { RoutedResults } from '../routed-results.ts'
import { describeTool } from './describe-tool.ts'
import type { ToolSelection } from './tool-selection.ts'

export interface CatalogOptions extends DurableBridgeOptions {
  readonly tools?: readonly unknown[] | undefined
  readonly peers?: readonly PeerTools[] | undefined
  readonly dialect: DialectTarget
  readonly shared: CallOptions
  readonly routed: RoutedResults
  /** Which provider had a name before. */
  readonly names: NameMemory
  /** The tools by which the others are found, where not all are listed. */
  readonly selection?: ToolSelection | undefined
}

/** The tools that a server serves at one time. */
export interface ToolCatalog {
  readonly tools: readonly AgentTool[]
  readonly get: (name: string) => AgentTool | undefined
  /** The tools that were given: without the tool that tells of runs. */
  readonly given: readonly AgentTool[]
  /** The tools as the client sees them. */
  readonly offered: ReturnType<typeof offeredTools>
  readonly descriptions: readonly Tool[]
  readonly durable: DurableTools
}

/** Where the tools that are served now are found. */
export interface CurrentCatalog {
  readonly now: ToolCatalog
}

export async function toolCatalog(options: CatalogOptions): Promise<ToolCatalog> {
  const { runtime, durable: whichDurable, patience, dialect, shared, routed, selection } = options
  const given = await resolvedTools(options)
  const named = new Map(given.tools.map((each) => [each.name, each]))
  const durable = durableTools(named, { runtime, durable: whichDurable, patience, bridge: 'createMcpServer', shared })
  const read = routed.withReaders(durable.served, 'createMcpServer')
  const all = selection?.around(read) ?? read
  const { tools, get } = all === named ? given : await resolve([...all.values()])
  // Which tools are strict, and how many, is the client's matter.
  const offered = new Map(tools.flatMap((tool) => [...offeredTools([tool], dialect)]))
  const descriptions = tools.map((tool) =>
    describeTool(tool, { specification: offered.get(tool.name)?.specification, isText: routed.isOn }),
  )
  return { tools, get, given: given.tools, offered, descriptions, durable }
}

/** The objects of the runtime, if its tools are served: a durable run begins with a registered tool only. */
async function resolvedTools({ tools, peers, runtime, names, shared }: CatalogOptions): Promise<ToolResolution> {
  if (tools !== undefined) {
    const resolution = await resolveAgain(tools, { peers }, names)
    for (const { message, hint } of names.news(resolution.leftOut)) warn(shared.log, `${message} ${hint}`)
    return resolution
  }
  if (runtime !== undefined) return runtime.registered()
  throw new ConfigurationError('invalid_option', "createMcpServer needs 'tools', or a 'runtime' with tools.")
}
