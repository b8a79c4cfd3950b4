import { checkEntryNames, type McpPins, type McpServerEntries, type McpServerEntry } from '../../../runtime/mcp-server-entry.ts'
import { isRecord } from '../../../schema/json-schema.ts'
import { quote } from '../../../schema/quote.ts'
import type { AgentTool } from '../../../tool/agent-tool.ts'
import { ConfigurationError } from '../../../tool/errors/configuration-error.ts'
import { checkOptionNames, optionNames } from '../../../tool/option-names.ts'
import { NameMemory } from '../../../tool/resolve/settle-names.ts'
import { checkConnection, type CheckedConnection, checkRoots, SETTING_NAMES } from './check-connection.ts'
import type { McpConnection } from './connect-mcp.ts'
import type { ConnectMcpOptions, McpConnectionSetting } from './connect-options.ts'
import { expandVariables, type Variables } from './expand-variables.ts'
import type { McpFinding } from './finding.ts'
import { LateConnection } from './late-connection.ts'

/** The options of `connectMcpServers`. */
export interface ConnectMcpServersOptions extends McpConnectionSetting {
  /** The pins of servers that name none themselves, by the names of the servers. */
  readonly pins?: Readonly<Record<string, McpPins>> | undefined
  /** For `${NAME}`; the environment of the process by default. */
  readonly variables?: Variables | undefined
}

const NAMES = optionNames<ConnectMcpServersOptions>({ ...SETTING_NAMES, pins: true, variables: true })

/** Connections to several MCP servers. They may stand in a list of tools, for all tools of all servers. */
export interface McpServers extends AsyncDisposable {
  /** The tools of all servers that were reached. The server that had a name first keeps it. */
  readonly tools: () => readonly AgentTool[]
  /** One server; one that was not reached has no tools until a `refresh` reaches it, but those of its `toolsFile`. Another name is a configuration error. */
  readonly server: (name: string) => McpConnection
  readonly servers: readonly McpConnection[]
  readonly findings: () => readonly McpFinding[]
  /** The hash of each tool, by server. */
  readonly pins: () => Readonly<Record<string, McpPins>>
  /** Reads the lists of all servers again, also of those that were not reached. A server that fails is a finding, and does not fail the others. */
  readonly refresh: () => Promise<void>
  /** Tries the servers that were not reached and whose tools would have such a name, for three seconds at most. */
  readonly lookFor: (name: string) => Promise<void>
  /** Calls back when the tools or the findings of a server have changed; the function that it returns ends that. */
  readonly onChange: (listener: () => void) => () => void
  readonly close: () => Promise<void>
}

const SERVER_NAME = /^[A-Za-z0-9_.-]{1,40}$/

/**
 * Connects to several MCP servers, in the format of desktop clients. A server that cannot be reached is a finding, and the others work. The name
 * of the server stands before the names of its tools.
 * @example
 * const servers = await connectMcpServers({
 *   files: { command: 'npx', args: ['-y', '\@modelcontextprotocol/server-filesystem', '.'], include: ['read_text_file'] },
 * })
 * console.log(servers.tools().map(({ name }) => name)) // [ 'files_read_text_file' ]
 * await servers.close()
 */
export async function connectMcpServers(entries: McpServerEntries, options: ConnectMcpServersOptions = {}): Promise<McpServers> {
  checkOptionNames(options, NAMES, 'The options of connectMcpServers')
  const { pins = {}, variables = process.env, ...setting } = options
  if (!isRecord(entries)) throw new ConfigurationError('invalid_option', `connectMcpServers takes servers by name, not ${quote(entries)}.`)
  checkRoots(setting.roots, 'The options of connectMcpServers')
  checkEntryNames(entries)
  const checked = Object.entries(entries).flatMap(([name, entry]) => checkedEntry(name, entry, { pins, variables, setting }))
  const connections = checked.map((each) => new LateConnection(each))
  const opened = await Promise.allSettled(connections.map((each) => each.begin()))
  const mistake = opened.find((each) => each.status === 'rejected')
  if (mistake !== undefined) {
    await Promise.all(connections.map((each) => each.face.close()))
    throw mistake.reason
  }
  return servers(connections)
}

interface Shared {
  readonly pins: Readonly<Record<string, McpPins>>
  readonly variables: Variables
  readonly setting: McpConnectionSetting
}

function checkedEntry(name: string, entry: McpServerEntry, { pins, variables, setting }: Shared): readonly CheckedConnection[] {
  if (!SERVER_NAME.test(name) || name === '__proto__')
    throw new ConfigurationError(
      'invalid_option',
      `The name of an MCP server must be 1 to 40 letters, digits, '_', '-' or '.', not ${quote(name)}.`,
    )
  if (!isRecord(entry))
    throw new ConfigurationError('invalid_option', `MCP server '${name}' must be an object with 'command' or 'url', not ${quote(entry)}.`)
  const { disabled = false, ...given } = entry
  if (typeof disabled !== 'boolean')
    throw new ConfigurationError('invalid_option', `'disabled' of MCP server '${name}' must be true or false.`)
  if (disabled) return []
  const expanded = expandVariables(given, variables, `MCP server '${name}'`) as ConnectMcpOptions
  const own = expanded.pins ?? (Object.hasOwn(pins, name) ? pins[name] : undefined)
  return [checkConnection({ ...setting, ...expanded, name, prefix: expanded.prefix ?? name, pins: own })]
}

function servers(connections: readonly LateConnection[]): McpServers {
  const faces = Object.freeze(connections.map(({ face }) => face))
  const names = new NameMemory()
  const close = async (): Promise<void> => void (await Promise.all(faces.map((each) => each.close())))
  return Object.freeze<McpServers>({
    servers: faces,
    server: (name) => {
      const found = faces.find((each) => each.name === name)
      if (found !== undefined) return found
      throw new ConfigurationError(
        'invalid_option',
        `There is no MCP server ${quote(name)}. The servers are: ${faces.map((each) => each.name).join(', ')}.`,
      )
    },
    tools: () => offered(faces, names).tools,
    findings: () => [...connections.flatMap((each) => each.findings()), ...offered(faces, names).findings],
    pins: () => Object.fromEntries(faces.map((each) => [each.name, each.pins()])),
    refresh: async () => void (await Promise.allSettled(faces.map((each) => each.refresh()))),
    lookFor: async (name) => void (await Promise.all(connections.map((each) => each.lookFor(name)))),
    onChange: (listener) => {
      const ends = faces.map((each) => each.onChange(listener))
      return () => {
        for (const end of ends) end()
      }
    },
    close,
    [Symbol.asyncDispose]: close,
  })
}

interface Offered {
  readonly tools: readonly AgentTool[]
  readonly findings: readonly McpFinding[]
}

/** The names of several servers may meet in spite of the prefixes. */
function offered(faces: readonly McpConnection[], names: NameMemory): Offered {
  const { tools, leftOut } = names.settle(faces.flatMap((by) => by.tools().map((tool) => ({ tool, by }))))
  const findings = leftOut.map(({ tool: { name, source = '' } }): McpFinding => ({
    severity: 'warning',
    code: 'name_taken',
    server: source.slice('mcp:'.length),
    tool: name,
    message: `Another server has a tool '${name}' already. This one is not offered.`,
    hint: "Give one of the servers another 'prefix'.",
  }))
  return { tools, findings }
}
