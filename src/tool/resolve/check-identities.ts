import { type AgentTool, identityOf } from '../agent-tool.ts'
import { ConfigurationError } from '../errors/configuration-error.ts'

/** Over the whole tree an identity means one tool: breakers, limits and journals go by it. A layer goes by the name of what it wraps. */
export function checkIdentities(tools: readonly AgentTool[]): void {
  const owners = new Map<string, AgentTool>()
  const seen = new Set<AgentTool>()
  const visit = (each: AgentTool): void => {
    if (seen.has(each)) return
    seen.add(each)
    const plan = each.plan()
    if (!plan.layer) {
      const identity = identityOf(each)
      const owner = owners.get(identity)
      if (owner !== undefined) {
        throw new ConfigurationError(
          'duplicate_name',
          `Duplicate tool name: '${each.name}' (two different tools are both ${identity}; give one another name or version)`,
        )
      }
      owners.set(identity, each)
    }
    for (const part of plan.parts) visit(part.tool)
  }
  for (const each of tools) visit(each)
}
