import { behaviourOf } from '../../tool/behaviour.ts'
import type { AgentTool } from '../../tool/agent-tool.ts'
import type { Call } from '../../tool/engine/call.ts'
import type { PartOptions } from '../../tool/context.ts'

/** A deadline that shortens nothing, and by which a call gets a scope of its own. */
const OWN_SCOPE: PartOptions = { deadline: Infinity }

/** How to call a branch that may have to be cancelled by itself. A tool with a deadline has a scope of its own already. */
export function cancellable(tool: AgentTool): PartOptions | undefined {
  return behaviourOf(tool).deadlineMs === undefined ? OWN_SCOPE : undefined
}

/** Closes the scopes of the branches: their signals abort, their open reviews are withdrawn, and nothing starts in them any more. */
export function cancelBranches({ children = [], scope }: Call): void {
  const reason = new DOMException('The branch is not needed any more.', 'AbortError')
  for (const child of children) if (child.scope !== scope) child.scope.close({ kind: 'cancelled', reason })
}
