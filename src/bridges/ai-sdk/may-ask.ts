import type { AgentTool } from '../../tool/agent-tool.ts'

/** Whether a plan shows that a person may be asked somewhere inside: at a gate, or by a tool with the tag `human`. */
export function mayAsk(tool: AgentTool): boolean {
  const met = new Set([tool])
  // A set hands out what is added to it on the way, each tool once.
  for (const each of met) {
    const { gated, parts } = each.plan()
    if (gated === true || each.tags.includes('human')) return true
    for (const part of parts) met.add(part.tool)
  }
  return false
}
