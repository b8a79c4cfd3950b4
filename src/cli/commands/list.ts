import { fitted } from '../../telemetry/one-line.ts'
import { printable } from '../../tool/printable.ts'
import type { Command } from '../command.ts'
import { EXIT } from '../exit-code.ts'
import { textTable } from '../text-table.ts'
import { toolMetadata } from '../tool-metadata.ts'
import { type ConfiguredServers, tellFindings } from '../mcp-servers.ts'
import type { AgentTool } from '../../tool/agent-tool.ts'
import { openWorkspace } from '../workspace.ts'

/** Descriptions of other servers may have thousands of characters; `describe` and `--json` show all of them. */
const LONGEST_DESCRIPTION = 120

/** `toolwright list`: lists the tools. */
export const list: Command = async ({ options, output }) => {
  const workspace = await openWorkspace(options)
  const { tools, from, mcp, findings } = workspace
  if (output.json) {
    const shown = tools.tools.map((tool) => ({ ...toolMetadata(tool), ...serverOf(tool, mcp) }))
    output.printJson({ from, tools: shown, ...(mcp === undefined ? {} : { findings }) })
    return EXIT.ok
  }
  tellFindings(findings, output)
  if (tools.tools.length === 0) {
    output.note(printable(`There are no tools in ${from}.`))
    return EXIT.ok
  }
  const rows = tools.tools.map((tool) => {
    const { name, effect, permissions, description } = tool
    const { server = '-', pinned = false } = serverOf(tool, mcp)
    return [
      name,
      effect,
      ...(mcp === undefined ? [] : [server === '-' || pinned ? server : `${server} (not pinned)`]),
      permissions.join(' ') || '-',
      fitted(description.replaceAll(/\s+/g, ' ').trim(), LONGEST_DESCRIPTION).trimEnd(),
    ]
  })
  const table = textTable([['name', 'effect', ...(mcp === undefined ? [] : ['server']), 'permissions', 'description'], ...rows], {
    width: output.width,
    paint: (text, { row, column }) => (row === 0 ? output.paint('dim', text) : column === 0 ? output.paint('bold', text) : text),
  })
  output.print(table)
  return EXIT.ok
}

interface OfServer {
  readonly server?: string
  readonly pinned?: boolean
}

/** The MCP server that a tool comes from, and whether its tools are pinned. */
function serverOf({ source = '' }: AgentTool, mcp: ConfiguredServers | undefined): OfServer {
  const server = source.startsWith('mcp:') ? source.slice('mcp:'.length) : undefined
  if (mcp === undefined || server === undefined || !mcp.servers.servers.some(({ name }) => name === server)) return {}
  return { server, pinned: mcp.pinned.has(server) }
}
