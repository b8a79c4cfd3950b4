import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { McpFinding } from '../bridges/mcp/index.ts'
import type { ToolwrightConfig } from '../runtime/define-config.ts'
import type { McpServerEntries } from '../runtime/mcp-server-entry.ts'
import type { Logger } from '../tool/ports/logger.ts'
import { type AgentTool, isTool } from '../tool/agent-tool.ts'
import type { CallOptions } from '../tool/context.ts'
import { shareOverrides } from '../tool/overrides.ts'
import { isConfigurationError } from '../tool/errors/configuration-error.ts'
import type { Listener } from '../tool/event.ts'
import { didYouMean } from '../schema/did-you-mean.ts'
import { nearestNames } from '../schema/nearest-names.ts'
import { resolve as resolveTools, type ToolResolution } from '../tool/resolve/resolve.ts'
import type { LeftOutTool } from '../tool/resolve/settle-names.ts'
import { printable } from '../tool/printable.ts'
import { CliError } from './cli-error.ts'
import { findConfig, loadConfig } from './load-config.ts'
import { connectServers, type ConfiguredServers, tellFindings } from './mcp-servers.ts'
import type { Output } from './output.ts'
import { loadModule, shortPath } from './load-module.ts'

/** The places of tools that the command line names. */
export interface ToolSources {
  readonly config?: string | undefined
  readonly tools?: readonly string[] | undefined
}

/** The tools, and the options that their calls share. */
export interface Workspace {
  /** Where they come from, for messages. */
  readonly from: string
  readonly configFile: string | undefined
  /** Without the MCP servers, which are connected. */
  readonly config: ToolwrightConfig
  readonly tools: ToolResolution
  readonly mcp?: ConfiguredServers | undefined
  /** What is wrong with the MCP servers and their tools. */
  readonly findings: readonly McpFinding[]
}

/** Finds the tools: in the named modules, in the configuration file and on its MCP servers, or, with neither, the built-in ones. With an output, problems of servers are told there. */
export async function openWorkspace({ config: named, tools: modules = [] }: ToolSources, output?: Output): Promise<Workspace> {
  const configFile = named === undefined ? (modules.length > 0 ? undefined : findConfig(process.cwd())) : existing(named)
  const { mcpServers = {}, ...config } = configFile === undefined ? {} : await loadConfig(configFile)
  const mcp = await serversOf(mcpServers, { configFile, log: config.log })
  const configured = config.tools ?? []
  const given = new Set((await Promise.all(modules.map(toolsOfModule))).flat().filter((each) => !configured.includes(each)))
  const isBuiltIn = configFile === undefined && modules.length === 0
  const list = isBuiltIn ? await builtInTools() : [...configured, ...given, ...(mcp === undefined ? [] : [mcp.servers])]
  const from = isBuiltIn ? 'the built-in tools' : [...(configFile === undefined ? [] : [shortPath(configFile)]), ...modules].join(', ')
  const tools = await resolved(list, config, from)
  shareOverrides(config.overrides, tools.tools)
  const findings = [...(mcp?.servers.findings() ?? []), ...tools.leftOut.map(findingOf)]
  if (output !== undefined) tellFindings(findings, output)
  return { from, configFile, config, tools, mcp, findings }
}

/** A name that is taken by a tool of the configuration. */
function findingOf({ tool: { name, source = '' }, message, hint }: LeftOutTool): McpFinding {
  return { severity: 'warning', code: 'name_taken', server: source.replace(/^mcp:/, ''), tool: name, message, hint }
}

interface ServersOf {
  readonly configFile: string | undefined
  readonly log: Logger | undefined
}

/** Few configurations name servers: the code for them is loaded where they do. */
async function serversOf(entries: McpServerEntries, { configFile, log }: ServersOf): Promise<ConfiguredServers | undefined> {
  if (configFile === undefined || Object.keys(entries).length === 0) return undefined
  return connectServers(entries, { configFile, log })
}

function existing(file: string): string {
  if (existsSync(file)) return resolve(file)
  throw new CliError('invalid_config', `There is no configuration file ${file}.`, { hint: 'Check the path after --config.' })
}

/** A tool by name; for another name, the nearest ones. */
export function pickTool({ tools, from, findings }: Workspace, name: string): AgentTool {
  const found = tools.get(name)
  if (found !== undefined) return found
  const about = findings.find((each) => isAbout(each, name))
  if (about !== undefined) throw new CliError('unknown_tool', `'${name}' is not offered: ${printable(about.message)}`, { hint: about.hint })
  const names = tools.tools.map((each) => each.name)
  const all =
    names.length === 0 ? 'There are no tools there.' : `The tools are: ${names.slice(0, 20).join(', ')}${names.length > 20 ? ', ...' : ''}.`
  throw new CliError('unknown_tool', `There is no tool '${name}' in ${from}.`, { hint: didYouMean(nearestNames(name, names), all) })
}

/** Why a server has no tool of this name: the tool is refused, or the server was not reached. The nearest name would be that of another tool. */
function isAbout({ code, tool, server }: McpFinding, name: string): boolean {
  const written = (text: string): string => text.replaceAll(/[^A-Za-z0-9]+/g, '_')
  if (code === 'unreachable') return written(name).startsWith(`${written(server)}_`)
  const isRefused = code === 'tool_changed' || code === 'tool_unpinned' || code === 'tool_missing' || code === 'tool_unusable'
  return isRefused && tool !== undefined && (name === tool || written(name).endsWith(`_${written(tool)}`))
}

/** No configuration allows these tools to write, so a person is asked before a file is written. */
export async function builtInTools(): Promise<readonly unknown[]> {
  const { basicKit } = await import('../kits/basic/index.ts')
  return basicKit({ root: process.cwd(), requireApproval: true })
}

/** An error in the list, or of a provider, names the file of the list. */
async function resolved(list: readonly unknown[], { peers }: ToolwrightConfig, from: string): Promise<ToolResolution> {
  try {
    return await resolveTools(list, { peers })
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause)
    throw new CliError(isConfigurationError(cause) ? cause.code : 'invalid_tools', `The tools in ${from} cannot be used. ${message}`, {
      cause,
    })
  }
}

/** Every tool that a module exports: by a name, in a list, or as the default. A tool that is exported twice counts once. */
export async function toolsOfModule(specifier: string): Promise<readonly unknown[]> {
  const exported = await loadModule(specifier, 'invalid_tools')
  const tools = new Set(Object.entries(exported).flatMap(([name, value]) => toolsIn(value, name === 'default')))
  if (tools.size > 0) return [...tools]
  const functions = Object.keys(exported).filter((name) => typeof exported[name] === 'function')
  throw new CliError('invalid_tools', `${specifier} exports no tool.`, {
    hint:
      functions.length > 0
        ? `It exports functions (${functions.slice(0, 5).join(', ')}). Where they make tools, export what they give.`
        : 'Export tools by name, in a list, or as the default.',
  })
}

/** A list with one tool in it is a list of tools; its other entries are kept, so that resolving reports them as errors. */
function toolsIn(value: unknown, isDefault: boolean): readonly unknown[] {
  if (isTool(value)) return [value]
  if (Array.isArray(value)) return isDefault || value.some(isTool) ? value : []
  return isDefault && typeof value === 'object' && value !== null ? [value] : []
}

interface SharedOptions extends CallOptions {
  readonly on: readonly Listener[]
}

/** The options that a configuration sets for a call in memory. */
export function callOptions({ retryReads: _retries, unknownOutcome: _outcome, ...config }: ToolwrightConfig): SharedOptions {
  return sharedOptions(config)
}

/** The options that a configuration sets for all calls, durable ones too. */
export function sharedOptions({
  tools: _tools,
  peers: _peers,
  mcpServers: _servers,
  name: _name,
  version: _version,
  auth: _auth,
  database: _database,
  app: _app,
  worker: _worker,
  on,
  ...shared
}: ToolwrightConfig): SharedOptions {
  return { ...shared, on: on === undefined ? [] : [on].flat() }
}
