import { type AgentTool, identityOf } from '../agent-tool.ts'
import { ConfigurationError } from '../errors/configuration-error.ts'
import { IdentityOwners } from '../identity-owners.ts'

/** Refuses a list in whose trees two different tools have one identity. */
export function checkIdentities(tools: readonly AgentTool[]): void {
  const owners = new IdentityOwners()
  const met = new Set(tools)
  // A set hands out what is added to it on the way, each tool once.
  for (const each of met) {
    if (owners.claim(each) !== undefined) {
      throw new ConfigurationError(
        'duplicate_name',
        `Duplicate tool name: '${each.name}' (two different tools are both ${identityOf(each)}; give one another name or version)`,
      )
    }
    for (const part of each.plan().parts) met.add(part.tool)
  }
}
