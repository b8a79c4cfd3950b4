import { privateCopy } from '../schema/private-copy.ts'
import type { AgentTool } from './agent-tool.ts'
import { behaviourOf } from './behaviour.ts'
import { isToolError } from './errors/tool-error.ts'
import type { InputPort } from './input/input-port.ts'

/** The input as a tool would get it, for functions that judge it: changes to it do not reach the given input. */
export function acceptApart(port: InputPort, given: unknown, toolName: string): unknown {
  return port.accept(port.isPrivate ? given : privateCopy(given), toolName)
}

/** The same; undefined for an input that the tool will refuse. */
export async function acceptedInput(tool: AgentTool, given: unknown): Promise<{ readonly input: unknown } | undefined> {
  try {
    return { input: await acceptApart(behaviourOf(tool).input, given, tool.name) }
  } catch (error) {
    if (isToolError(error)) return undefined
    throw error
  }
}
