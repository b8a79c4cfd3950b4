import type { AgentTool } from '../tool/agent-tool.ts'

/** The metadata of a tool without its schemas, as plain data. */
export function toolMetadata(tool: AgentTool): Readonly<Record<string, unknown>> {
  const { name, version, description, effect, idempotent, permissions, estimates, source, tags } = tool
  return { name, version, description, effect, idempotent, permissions, tags, estimates, ...(source === undefined ? {} : { source }) }
}
