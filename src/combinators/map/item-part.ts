import type { AgentTool } from '../../tool/agent-tool.ts'
import { behaviourOf } from '../../tool/behaviour.ts'
import type { Call } from '../../tool/engine/call.ts'
import { passOverCancelled } from '../../tool/engine/unvisited-effects.ts'
import { underWay } from '../../tool/engine/under-way.ts'
import { undoCall } from '../../tool/engine/undo-call.ts'
import type { PartOptions } from '../../tool/context.ts'
import type { ToolResult } from '../../tool/result/result.ts'

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

/** Whether an item may be begun: any, while the scope is open; in one that is closed, an item that had begun, and one that does nothing by itself while the run catches up. */
export function mayBegin({ call, tool }: ItemRun, index: number): boolean {
  if (call.scope.closed === undefined) return true
  const { replay } = call.root
  return replay !== undefined && (hasBegun(call, index) || (!behaviourOf(tool).leaf && replay.isCatchingUp))
}

/** Of a run that is taken up, the index of the last item that had begun: items begin in their order. -1 where none had. */
export function lastBegun({ call, items }: ItemRun): number {
  return call.root.replay === undefined ? -1 : items.findLastIndex((_, index) => hasBegun(call, index))
}

/** What an item recorded says that it had begun. */
function hasBegun({ root, path }: Call, index: number): boolean {
  return root.replay?.holds(`${path}/${index}`) === true
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
  const cancelled = (call.children ?? []).filter(({ label }) => !labels.has(label)).toReversed()
  for (const child of cancelled) {
    await underWay(call, () => undoCall(child))
    // What is left of its record stands for nothing any more.
    passOverCancelled(call, child.path)
  }
  call.showOnly(labels)
}
