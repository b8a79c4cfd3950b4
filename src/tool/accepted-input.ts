import type { AgentTool } from './agent-tool.ts'
import { behaviourOf } from './behaviour.ts'
import { isToolError } from './errors/tool-error.ts'

/** The input as the tool would get it; undefined for one that the tool will refuse. */
export async function acceptedInput(tool: AgentTool, given: unknown): Promise<{ readonly input: unknown } | undefined> {
  try {
    return { input: await behaviourOf(tool).input.accept(given, tool.name) }
  } catch (error) {
    if (isToolError(error)) return undefined
    throw error
  }
}
