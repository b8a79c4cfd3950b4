import { quote } from '../schema/quote.ts'
import { type AgentTool, isTool } from '../tool/agent-tool.ts'
import { ConfigurationError } from '../tool/errors/configuration-error.ts'
import type { OfferedFunction } from './language-model.ts'

/** A tool, and the name by which the model calls it. */
export interface OfferedTool {
  readonly name: string
  readonly tool: AgentTool
  /** It reads stored outputs: without it, their pointers are of no use. */
  readonly isReader?: boolean | undefined
  /** The model is always told of it. */
  readonly isPinned?: boolean | undefined
}

/** The tools of an agent by their names, checked. */
export function offeredTools(tools: unknown, whose: string): readonly OfferedTool[] {
  if (!Array.isArray(tools))
    throw new ConfigurationError('invalid_option', `The tools of ${whose} must be a list of tools, not ${quote(tools)}.`)
  return tools.map((each: unknown) => {
    if (!isTool(each))
      throw new ConfigurationError(
        'not_a_tool',
        `The tools of ${whose} hold ${quote(each)}, which is not a tool. Pass an agent as agent.asTool().`,
      )
    return { name: each.name, tool: each }
  })
}

export function checkNames(tools: readonly OfferedTool[], whose: string): void {
  const known = new Set<string>()
  for (const { name } of tools) {
    if (known.has(name)) throw new ConfigurationError('duplicate_name', `Duplicate tool name: '${name}' among the tools of ${whose}.`)
    known.add(name)
  }
}

/** How the model sees them. */
export function functionsOf(tools: readonly OfferedTool[]): readonly OfferedFunction[] {
  return tools.map(({ name, tool: { specification } }) => ({
    type: 'function',
    name,
    description: specification.description,
    inputSchema: specification.parameters,
  }))
}
