import type { AgentTool } from '../agent-tool.ts'
import { ConfigurationError } from './configuration-error.ts'

/** The error for a tool that cannot run durably, since its runtime does not have it, or has another one of its name. */
export function unregisteredTool({ name }: AgentTool, isNameTaken: boolean): ConfigurationError {
  const known = isNameTaken ? 'is another one than the registered tool of that name' : 'is not among the tools of this runtime'
  return new ConfigurationError(
    'unregistered_tool',
    `The tool '${name}' ${known}. A durable run is taken up by name, maybe by another process: pass the tool to createRuntime({ tools }).`,
  )
}
