import type { AgentTool } from '../../tool/agent-tool.ts'
import type { ToolFailure, ToolResult } from '../../tool/result/result.ts'
import { failure, type ReturnedFailure, type ReturnedSuccess, success } from '../../tool/result/returned.ts'
import { group } from '../../tool/seam/group.ts'
import type { EndRule, GroupResults } from '../../tool/seam/group-plan.ts'
import { diverged } from '../../tool/seam/recorded.ts'
import { knownPart } from '../../tool/seam/sequence.ts'
import { throwIfClosed, type Whole } from '../../tool/seam/whole.ts'
import { entryOf } from './map-entry.ts'

export interface MapPlan {
  readonly tool: AgentTool
  readonly concurrency: number
  readonly maxItems: number
  readonly collects: boolean
}

type Mapped = ReturnedSuccess<unknown> | ReturnedFailure

/** The first failure ends the map. Where the caller or the clock has ended it, every item comes to its own end. */
const STOP_AT_FAILURE: EndRule = {
  after: (latest, { isClosed: isOver }) => (latest.ok ? 'go on' : isOver ? 'begin no more' : 'end'),
}

export async function runMap({ tool, concurrency, maxItems, collects }: MapPlan, given: unknown, whole: Whole): Promise<Mapped> {
  if (!Array.isArray(given)) return refused(`Invalid input for tool '${whole.tool}': expected a list.`)
  if (given.length > maxItems) {
    return refused(`Tool '${whole.tool}' takes at most ${maxItems} items, and the list has ${given.length}. Send it in parts.`)
  }
  // A copy: a caller who changes the list meanwhile does not change the items that are worked on.
  const items: readonly unknown[] = [...given]
  const ended = await group(
    whole,
    {
      // The label of an item is its index.
      parts: items.map((_, index) => knownPart(String(index), tool, index)),
      limit: concurrency,
      inputOf: (index) => items[index],
      isApart: Math.min(concurrency, items.length) > 1,
      leavesOutRefused: true,
      ...(collects ? {} : { rule: STOP_AT_FAILURE }),
    },
    items,
  )
  const failedAt = collects ? -1 : ended.results.findIndex((result) => result?.ok === false)
  if (failedAt >= 0) return failed(ended, failedAt, tool)
  const all = allOf(ended, items.length, whole)
  return collects ? collected(all) : success(all.map((result) => (result.ok ? result.value : undefined)))
}

function refused(message: string): ReturnedFailure {
  return failure(message, { code: 'invalid_input', outcome: 'not_started' })
}

/** The result of every item. Where the caller or the clock ended the whole, its failures are not those of single items. */
function allOf({ results, isEarly }: GroupResults, count: number, whole: Whole): readonly ToolResult[] {
  const all = results.filter((result) => result !== undefined)
  if (all.length < count || all.some(wasCut)) throwIfClosed(whole)
  if (isEarly || all.length < count) throw diverged(whole, '', 'no item that fails', 'that an item failed')
  return all
}

function wasCut(result: ToolResult): boolean {
  return !result.ok && (result.error.class === 'cancelled' || result.error.class === 'deadline')
}

function collected(results: readonly ToolResult[]): Mapped {
  const entries = results.map(entryOf)
  const failures = entries.filter((entry) => !entry.ok).length
  if (failures === 0) return success(entries)
  return success(entries, { issues: [{ severity: 'warning', message: `${failures} of ${entries.length} items failed.` }] })
}

/** An item that was cancelled while it changed something may have changed it. */
function failed({ results, cancelled }: GroupResults, index: number, { effect }: AgentTool): Mapped {
  const { message, outcome, ...error } = (results[index] as ToolFailure).error
  const isUnknown = cancelled.length > 0 && effect !== 'read'
  return failure(`Item at index ${index} failed: ${message}`, { ...error, outcome: isUnknown ? 'unknown' : outcome })
}
