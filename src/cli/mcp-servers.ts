import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { McpFinding, McpServers } from '../bridges/mcp/index.ts'
import type { McpPins, McpServerEntries } from '../runtime/mcp-server-entry.ts'
import { RUN_STATUS } from '../runtime/run-status-name.ts'
import { isUpstreamStatus } from '../runtime/upstream-status.ts'
import { isRecord } from '../schema/json-schema.ts'
import { isConfigurationError } from '../tool/errors/configuration-error.ts'
import type { AgentTool } from '../tool/agent-tool.ts'
import type { Logger } from '../tool/ports/logger.ts'
import { atEnd } from './at-end.ts'
import { CliError } from './cli-error.ts'
import { shortPath } from './load-module.ts'
import type { Output } from './output.ts'

/** The MCP servers of a configuration, connected, and which of them have pins. */
export interface ConfiguredServers {
  readonly servers: McpServers
  readonly pinned: ReadonlySet<string>
}

export interface ServersSetting {
  readonly configFile: string
  readonly log: Logger | undefined
  /** Whether the pins count: not where new ones are made. */
  readonly withPins?: boolean | undefined
}

/** Connects to the MCP servers of a configuration. They are closed when the command ends. */
export async function connectServers(
  entries: McpServerEntries,
  { configFile, log, withPins = true }: ServersSetting,
): Promise<ConfiguredServers> {
  const { connectMcpServers } = await import('../bridges/mcp/index.ts')
  const folder = dirname(resolve(configFile))
  const pins = withPins ? readPins(pinsFile(configFile)) : {}
  const placed = Object.entries(entries).map(([name, entry]) => [name, placedEntry(entry, { folder, withPins })] as const)
  try {
    const servers = await connectMcpServers(Object.fromEntries(placed), { log, pins })
    atEnd(() => servers.close())
    const own = Object.keys(entries).filter((name) => entries[name]?.pins !== undefined)
    return { servers, pinned: new Set([...Object.keys(pins), ...own]) }
  } catch (cause) {
    if (!isConfigurationError(cause)) throw cause
    throw new CliError(cause.code, `'mcpServers' in ${shortPath(configFile)} cannot be used. ${cause.message}`, { cause })
  }
}

interface Placing {
  readonly folder: string
  readonly withPins: boolean
}

/**
 * A program runs in the folder of the configuration, whatever the working directory is, and what is kept of its tools lies there. Where pins are made,
 * only the server itself says what its tools are, and nothing but the pins is written.
 */
function placedEntry(entry: McpServerEntries[string], { folder, withPins }: Placing): McpServerEntries[string] {
  if (!isRecord(entry)) return entry
  const { pins, toolsFile, ...rest } = entry
  const kept = {
    ...rest,
    ...(withPins && pins !== undefined ? { pins } : {}),
    ...(withPins && toolsFile !== undefined ? { toolsFile: placedPath(folder, toolsFile) } : {}),
  }
  return kept.command === undefined ? kept : { ...kept, cwd: placedPath(folder, kept.cwd ?? '.') }
}

/** What is no text is left to the connection, and a variable to the environment. */
function placedPath(folder: string, path: string): string {
  return typeof path === 'string' && !path.includes('${') ? resolve(folder, path) : path
}

/** Where the pins of a configuration lie. */
export function pinsFile(configFile: string): string {
  return join(dirname(resolve(configFile)), 'toolwright.pins.json')
}

/** The pins by server, as `toolwright pin` has written them. */
export function readPins(file: string): Readonly<Record<string, McpPins>> {
  if (!existsSync(file)) return {}
  const hint = 'Write it anew with toolwright pin.'
  let read: unknown
  try {
    read = JSON.parse(readFileSync(file, 'utf8'))
  } catch (cause) {
    throw new CliError('invalid_config', `${shortPath(file)} cannot be read.`, { cause, hint })
  }
  if (isRecord(read) && Object.values(read).every(isPins)) return read as Readonly<Record<string, McpPins>>
  throw new CliError('invalid_config', `${shortPath(file)} does not hold pins: { "server": { "tool": "hash" } }.`, { hint })
}

function isPins(value: unknown): boolean {
  return isRecord(value) && Object.values(value).every((each) => typeof each === 'string')
}

/** Tells a person what is wrong with the servers, where a command does something else with their tools. */
export function tellFindings(findings: readonly McpFinding[], output: Output): void {
  for (const { severity, message } of findings) if (severity !== 'note') output.warn(message)
}

/** Tells a person, while a command serves the tools of servers, which tools come and go and what goes wrong. All `run_status` are served as one. */
export function tellChanges(servers: McpServers, output: Output): void {
  const state = (): ServersState => ({
    tools: new Map(servers.tools().map((each) => [isUpstreamStatus(each) ? RUN_STATUS : each.name, each])),
    problems: new Set(servers.findings().flatMap(({ severity, message }) => (severity === 'note' ? [] : [message]))),
  })
  let before = state()
  servers.onChange(() => {
    const now = state()
    for (const message of now.problems) if (!before.problems.has(message)) output.warn(message)
    const lines = [
      ['New tools', [...now.tools.keys()].filter((name) => !before.tools.has(name))],
      ['Tools that are gone', [...before.tools.keys()].filter((name) => !now.tools.has(name))],
      ['Changed tools', [...now.tools].filter(([name, tool]) => (before.tools.get(name) ?? tool) !== tool).map(([name]) => name)],
    ] as const
    for (const [what, names] of lines)
      if (names.length > 0)
        output.note(`${what} of MCP servers: ${names.slice(0, MOST_NAMES).join(', ')}${names.length > MOST_NAMES ? ', ...' : ''}`)
    before = now
  })
}

const MOST_NAMES = 20

interface ServersState {
  readonly tools: ReadonlyMap<string, AgentTool>
  readonly problems: ReadonlySet<string>
}
