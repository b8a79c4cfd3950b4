import { type AgentTool, isTool } from '../tool/agent-tool.ts'
import { ConfigurationError } from '../tool/errors/configuration-error.ts'
import { printable } from '../tool/printable.ts'

/** Refuses what is no tool, and another tool of a name that is taken. `known` gives the tool that has a name. */
export function checkAdded(tools: readonly AgentTool[], known: (name: string) => AgentTool | undefined): void {
  const names = new Set<string>()
  for (const tool of tools) {
    if (!isTool(tool))
      throw new ConfigurationError('invalid_option', 'A catalog takes tools. Adopt the tools of other frameworks by `resolve` first.')
    const other = known(tool.name)
    if (names.has(tool.name) || (other !== undefined && other !== tool))
      throw new ConfigurationError(
        'duplicate_name',
        `Duplicate tool name: '${printable(tool.name)}'. Remove the other one first, or give one a prefix.`,
      )
    names.add(tool.name)
  }
}
