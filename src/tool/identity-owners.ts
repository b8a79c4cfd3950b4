import { type AgentTool, identityOf } from './agent-tool.ts'

/** In a whole tree an identity is one tool: breakers, limits and journals use it as their key. A layer has the identity of the tool inside. */
export class IdentityOwners {
  readonly #owners = new Map<string, AgentTool>()

  /** Returns the other tool that has this identity already, if there is one. */
  claim(tool: AgentTool): AgentTool | undefined {
    if (tool.plan().layer) return undefined
    const identity = identityOf(tool)
    const owner = this.#owners.get(identity)
    if (owner === undefined) this.#owners.set(identity, tool)
    return owner === tool ? undefined : owner
  }

  /** The same without a claim. */
  ownerOf(tool: AgentTool): AgentTool | undefined {
    if (tool.plan().layer) return undefined
    const owner = this.#owners.get(identityOf(tool))
    return owner === tool ? undefined : owner
  }
}
