import type { AgentTool } from '../tool/agent-tool.ts'

/** The metadata of a tool without its schemas, as plain data. */
export function toolMetadata(tool: AgentTool): Readonly<Record<string, unknown>> {
  const { name, version, title, description, effect, idempotent, permissions, estimates, source, tags } = tool
  const optional = { ...(title === undefined ? {} : { title }), ...(source === undefined ? {} : { source }) }
  return { name, version, description, effect, idempotent, permissions, tags, estimates, ...optional }
}
