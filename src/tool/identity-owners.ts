import { type AgentTool, identityOf } from './agent-tool.ts'

/** Over a whole tree an identity means one tool: breakers, limits and journals go by it. A layer goes by the name of what it wraps. */
export class IdentityOwners {
  readonly #owners = new Map<string, AgentTool>()

  /** Gives the other tool that has this identity already, where there is one. */
  claim(tool: AgentTool): AgentTool | undefined {
    if (tool.plan().layer) return undefined
    const identity = identityOf(tool)
    const owner = this.#owners.get(identity)
    if (owner === undefined) this.#owners.set(identity, tool)
    return owner === tool ? undefined : owner
  }
}
