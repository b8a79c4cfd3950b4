import type { AgentTool } from '../../tool/agent-tool.ts'
import type { Call } from '../../tool/engine/call.ts'
import { diverged } from '../../tool/engine/decide.ts'
import { Cut } from '../../tool/engine/scope.ts'
import type { ToolResult } from '../../tool/result/result.ts'
import { failure, type ReturnedFailure, type ReturnedSuccess, success } from '../../tool/result/returned.ts'
import { ItemCalls } from './item-calls.ts'
import type { ItemRun } from './item-part.ts'
import { entryOf } from './map-entry.ts'
import { isStopRecorded } from './stop.ts'
import { type TakenUp, takeUp } from './take-up.ts'

export interface MapPlan {
  readonly tool: AgentTool
  readonly concurrency: number
  readonly mostItems: number
  readonly collects: boolean
}

type Mapped = ReturnedSuccess<unknown> | ReturnedFailure

export async function runMap({ tool, concurrency, mostItems, collects }: MapPlan, items: unknown, call: Call): Promise<Mapped> {
  if (!Array.isArray(items)) return refused(`Invalid input for tool '${call.tool}': expected a list.`)
  if (items.length > mostItems) {
    return refused(`Tool '${call.tool}' takes at most ${mostItems} items, and the list has ${items.length}. Send it in parts.`)
  }
  // Whoever changes the list while it is worked on does not change what is worked on.
  const run: ItemRun = { call, tool, items: [...items], concurrency }
  // It has not ended before the items that it cancels have: until then it is never idle, and so is not let go.
  call.began()
  try {
    if (isStopRecorded(call)) return failed(run, await takeUp(run))
    const calls = new ItemCalls(run, !collects)
    const stop = await calls.run()
    if (stop !== undefined) return failed(run, { stop, results: calls.results })
    return mapped(allOf(calls, call), collects)
  } finally {
    call.ended()
  }
}

function mapped(results: readonly ToolResult[], collects: boolean): Mapped {
  return collects ? collected(results) : success(results.map((result) => (result.ok ? result.value : undefined)))
}

function refused(message: string): ReturnedFailure {
  return failure(message, { code: 'invalid_input', outcome: 'not_started' })
}

/** The result of every item. Where the caller or the clock ended the whole, its failures are not those of single items. */
function allOf({ results }: ItemCalls, { scope }: Call): readonly ToolResult[] {
  const all = results.filter((result) => result !== undefined)
  if (scope.closed !== undefined && (all.length < results.length || all.some(wasCut))) throw new Cut(scope.closed)
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
function failed({ call, tool }: ItemRun, { stop, results }: TakenUp): Mapped {
  const result = results[stop.failed]
  if (result === undefined || result.ok) {
    throw diverged(call, call.path, `something other than a failure at index ${stop.failed}`, `a failure at index ${stop.failed}`)
  }
  const { message, outcome, ...error } = result.error
  const isUnknown = stop.cancelled.length > 0 && tool.effect !== 'read'
  return failure(`Item at index ${stop.failed} failed: ${message}`, { ...error, outcome: isUnknown ? 'unknown' : outcome })
}
