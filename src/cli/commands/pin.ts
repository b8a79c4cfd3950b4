import { writeFileSync } from 'node:fs'
import type { McpConnection } from '../../bridges/mcp/index.ts'
import type { McpPins } from '../../runtime/mcp-server-entry.ts'
import { excerpt } from '../../schema/quote.ts'
import { printable } from '../../tool/printable.ts'
import { CliError } from '../cli-error.ts'
import type { Command } from '../command.ts'
import { EXIT } from '../exit-code.ts'
import { findConfig, loadConfig } from '../load-config.ts'
import { shortPath } from '../load-module.ts'
import { connectServers, pinsFile, readPins, tellFindings } from '../mcp-servers.ts'
import type { Output } from '../output.ts'

const LONGEST_DESCRIPTION = 300

/** `toolwright pin [server...]`: accepts what MCP servers say of their tools now. From then on a tool that says something else is refused. */
export const pin: Command = async ({ words, options, output }) => {
  const configFile = options.config ?? findConfig(process.cwd())
  const config = configFile === undefined ? {} : await loadConfig(configFile)
  const entries = config.mcpServers ?? {}
  if (configFile === undefined || Object.keys(entries).length === 0)
    throw new CliError('invalid_config', 'There are no MCP servers to pin.', {
      hint: "Name them in toolwright.config.ts, as 'mcpServers'.",
    })
  const unknown = words.find((name) => !Object.hasOwn(entries, name))
  if (unknown !== undefined)
    throw new CliError('usage', `There is no MCP server '${unknown}'.`, { hint: `The servers are: ${Object.keys(entries).join(', ')}.` })
  const chosen = Object.fromEntries(Object.entries(entries).filter(([name]) => words.length === 0 || words.includes(name)))
  const { servers } = await connectServers(chosen, { configFile, log: config.log, withPins: false })
  const findings = servers.findings()
  if (!output.json) tellFindings(findings, output)
  const file = pinsFile(configFile)
  const before = readPins(file)
  const reached = servers.servers.filter((each) => each.info() !== undefined)
  const now = Object.fromEntries(reached.map((each) => [each.name, each.pins()]))
  const changes = reached.flatMap((server) =>
    changesOf(server.name, { before: before[server.name] ?? {}, now: server.pins() }).map((change) => ({
      ...change,
      description: descriptionOf(server, change.tool),
    })),
  )
  writeFileSync(file, `${JSON.stringify(sorted({ ...before, ...now }), undefined, 2)}\n`)
  if (output.json) output.printJson({ file: shortPath(file), changes, findings })
  else output.print([...changes.map((each) => changeText(each, output)), `${count(now)} pinned in ${shortPath(file)}.`].join('\n'))
  return reached.length === servers.servers.length ? EXIT.ok : EXIT.failed
}

interface PinChange {
  readonly server: string
  readonly tool: string
  readonly change: 'new' | 'changed' | 'gone'
  readonly description?: string | undefined
}

/** A tool that cannot be used has none. */
function descriptionOf(server: McpConnection, tool: string): string | undefined {
  try {
    return server.tool(tool).description
  } catch {
    return undefined
  }
}

interface TwoPins {
  readonly before: McpPins
  readonly now: McpPins
}

function changesOf(server: string, { before, now }: TwoPins): readonly PinChange[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(now)])].toSorted()
  return names.flatMap((tool) => {
    const [old, own] = [before, now].map((pins) => (Object.hasOwn(pins, tool) ? pins[tool] : undefined))
    if (old === own) return []
    return [{ server, tool, change: old === undefined ? 'new' : own === undefined ? 'gone' : 'changed' } as const]
  })
}

function changeText({ server, tool, change, description }: PinChange, output: Output): string {
  const head = `${change.padEnd(8)} ${output.paint('bold', printable(`${server}/${tool}`))}`
  return description === undefined
    ? head
    : `${head}\n         ${printable(excerpt(description.replaceAll(/\s+/g, ' '), LONGEST_DESCRIPTION))}`
}

function sorted(pins: Readonly<Record<string, McpPins>>): Readonly<Record<string, McpPins>> {
  const inOrder = <T>(given: Readonly<Record<string, T>>): Readonly<Record<string, T>> =>
    Object.fromEntries(Object.entries(given).toSorted(([a], [b]) => (a < b ? -1 : 1)))
  return inOrder(Object.fromEntries(Object.entries(pins).map(([server, each]) => [server, inOrder(each)])))
}

function count(pins: Readonly<Record<string, McpPins>>): string {
  const tools = Object.values(pins).reduce((sum, each) => sum + Object.keys(each).length, 0)
  return `${tools} ${tools === 1 ? 'tool' : 'tools'}`
}
