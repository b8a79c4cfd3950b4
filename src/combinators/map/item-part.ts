import type { AgentTool } from '../../tool/agent-tool.ts'
import { behaviourOf } from '../../tool/behaviour.ts'
import type { Call } from '../../tool/calls/call.ts'
import { undoCall } from '../../tool/calls/undo-call.ts'
import type { PartOptions } from '../../tool/context.ts'
import type { ToolResult } from '../../tool/result.ts'

/** What a map runs by in one call. */
export interface ItemRun {
  readonly call: Call
  readonly tool: AgentTool
  readonly items: readonly unknown[]
  readonly concurrency: number
}

/** A deadline that shortens nothing, and by which a call gets a scope of its own. */
const OWN_SCOPE: PartOptions = { deadline: Infinity }

/** How to call items that may have to be cancelled by themselves. A tool with a deadline has a scope of its own already. */
export function apart({ tool, items, concurrency }: ItemRun): PartOptions | undefined {
  return Math.min(concurrency, items.length) > 1 && behaviourOf(tool).deadlineMs === undefined ? OWN_SCOPE : undefined
}

/** Calls the tool for one item; its label is the item's index. */
export function beginItem({ call, tool, items }: ItemRun, index: number, options: PartOptions | undefined): Promise<ToolResult> {
  return call.root.callPart(call, { label: String(index), tool, input: items[index], options, isUnique: true })
}

/** Closes the scopes of the items that are under way: their signals abort, their reviews are withdrawn, and nothing starts in them any more. */
export function cancelItems({ children = [], scope }: Call): void {
  const reason = new DOMException('Another item has failed.', 'AbortError')
  for (const child of children) {
    if (child.result === undefined && child.scope !== scope) child.scope.close({ kind: 'cancelled', reason })
  }
}

/**
 * What the cancelled came to is told by their events. Steps show what had ended, in a replay as in the run itself. A saga among the cancelled
 * that had completed before it heard of it is undone: nobody else would.
 */
export async function showOnly(call: Call, indexes: readonly number[]): Promise<void> {
  const labels = new Set(indexes.map(String))
  for (const child of [...(call.children ?? [])].toReversed()) if (!labels.has(child.label)) await undoCall(child)
  call.children = call.children?.filter(({ label }) => labels.has(label))
}
