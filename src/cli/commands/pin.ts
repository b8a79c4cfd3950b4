import { writeFileSync } from 'node:fs'
import type { McpToolDefinition } from '../../bridges/mcp/index.ts'
import type { McpPins } from '../../runtime/mcp-server-entry.ts'
import { printable } from '../../tool/printable.ts'
import { CliError } from '../cli-error.ts'
import type { Command, CommonOptions } from '../command.ts'
import { EXIT } from '../exit-code.ts'
import { counted } from '../findings-text.ts'
import { findConfig, loadConfig } from '../load-config.ts'
import { shortPath } from '../load-module.ts'
import { connectServers, pinsFile, readPins, tellFindings } from '../mcp-servers.ts'
import { jsonText, type Output } from '../output.ts'

interface PinOptions extends CommonOptions {
  readonly dryRun?: boolean | undefined
}

/**
 * `toolwright pin [server...]`: accepts what MCP servers say of their tools now. From then on a tool that says something else is refused. All that
 * is accepted is shown; with `--dry-run` it is shown alone.
 */
export const pin: Command<PinOptions> = async ({ words, options, output }) => {
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
  const changes = reached.flatMap((server) => {
    const definitions = new Map(server.definitions().map((each) => [each.name, each]))
    return changesOf(server.name, { before: before[server.name] ?? {}, now: server.pins() }).map((change) => ({
      ...change,
      ...definitions.get(change.tool),
    }))
  })
  const { dryRun = false } = options
  if (!dryRun) writeFileSync(file, `${JSON.stringify(sorted({ ...before, ...now }), undefined, 2)}\n`)
  if (output.json) output.printJson({ file: shortPath(file), written: !dryRun, changes, findings })
  else {
    const end = dryRun ? `${counted(changes.length, 'change')}. Nothing was written.` : `${count(now)} pinned in ${shortPath(file)}.`
    output.print([...changes.map((each) => changeText(each, output)), end].join('\n'))
    const away = servers.servers.filter((each) => !reached.includes(each)).map(({ name }) => name)
    if (away.length > 0) output.note(`Not reached, and pinned as before: ${away.join(', ')}.`)
  }
  return reached.length === servers.servers.length ? EXIT.ok : EXIT.failed
}

/** A tool that is gone has nothing but its name. */
interface PinChange extends Partial<McpToolDefinition> {
  readonly server: string
  readonly tool: string
  readonly change: 'new' | 'changed' | 'gone'
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

/** All that the hash stands for: nothing is accepted that was not shown. No line of a description can look like another fact. */
function changeText(
  { server, tool, change, title, description, annotations, inputSchema, outputSchema }: PinChange,
  output: Output,
): string {
  const facts = { title, description, annotations, input: inputSchema, output: outputSchema }
  const lines = Object.entries(facts).flatMap(([what, each]) => {
    if (each === undefined || Object.keys(each).length === 0) return []
    const text = typeof each === 'string' ? each : jsonText(each, 2)
    return [`         ${output.paint('dim', what)}`, ...text.split(/\r\n|\n/).map((line) => `           ${printable(line)}`)]
  })
  return [`${change.padEnd(8)} ${output.paint('bold', printable(`${server}/${tool}`))}`, ...lines].join('\n')
}

function sorted(pins: Readonly<Record<string, McpPins>>): Readonly<Record<string, McpPins>> {
  const inOrder = <T>(given: Readonly<Record<string, T>>): Readonly<Record<string, T>> =>
    Object.fromEntries(Object.entries(given).toSorted(([a], [b]) => (a < b ? -1 : 1)))
  return inOrder(Object.fromEntries(Object.entries(pins).map(([server, each]) => [server, inOrder(each)])))
}

function count(pins: Readonly<Record<string, McpPins>>): string {
  const tools = Object.values(pins).reduce((sum, each) => sum + Object.keys(each).length, 0)
  return counted(tools, 'tool')
}
