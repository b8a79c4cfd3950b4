import { createHash } from 'node:crypto'
import type { AgentTool } from '../tool/agent-tool.ts'

/** The same for tools that are made up alike: labels, names and effects, but not versions. */
export function planPrint(tool: AgentTool): string {
  return createHash('sha256').update(outline(tool)).digest('base64url')
}

function outline(tool: AgentTool): string {
  const { kind, parts, detail = '' } = tool.plan()
  return `${tool.name}:${tool.effect}:${kind}:${detail}(${parts.map((part) => `${part.label}=${outline(part.tool)}`).join(',')})`
}
