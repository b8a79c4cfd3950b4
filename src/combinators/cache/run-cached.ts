import type { AgentTool } from '../../tool/agent-tool.ts'
import type { JsonData } from '../../tool/journal/codec.ts'
import type { ToolResult } from '../../tool/result.ts'
import { type ReturnedSuccess, success } from '../../tool/returned.ts'
import { callPart } from '../../tool/seam/parts.ts'
import { isEdited, type Notes } from '../../tool/seam/stand-in.ts'
import { settingsOf, type Whole } from '../../tool/seam/whole.ts'
import { cacheKey, type KeyFunction } from './cache-key.ts'
import { fromData, type KeptResult, resultOf, toData } from './kept-result.ts'
import type { ResultStore } from './result-store.ts'

export interface CachePlan {
  readonly tool: AgentTool
  /** Passes the door in place of the tool, so that a kept result is given only to who may call it. */
  readonly doorkeeper: AgentTool
  readonly store: ResultStore
  readonly key: KeyFunction | undefined
  readonly hits: Notes<Hit>
}

/** A kept result on its way to a caller. */
export interface Hit {
  readonly kept: KeptResult
  /** A reviewer asked for something else: the tool itself has answered. */
  isEdited: boolean
}

export async function runCached(plan: CachePlan, given: unknown, whole: Whole): Promise<ToolResult> {
  const { tool, store, key: own } = plan
  // What stands in for a tool in a test must not be kept for those who call the tool itself.
  const key = settingsOf(whole).overrides === undefined ? await cacheKey(whole, given, { tool, key: own }) : undefined
  if (key === undefined) return callFresh(whole, tool, given)
  const { clock } = whole
  const since = clock.tick()
  let isReplay = true
  const found = await whole.decide('cache.kept', (): JsonData | null => {
    isReplay = false
    return store.find(key, clock) ?? null
  })
  if (found !== null) return giveKept(plan, given, { whole, kept: fromData(found) })
  const result = await callFresh(whole, tool, given)
  // What a record gives is as old as the record.
  const data = result.ok && !isReplay ? toData(result) : undefined
  if (data !== undefined) store.keep(key, { data, since, clock })
  return result
}

function callFresh(whole: Whole, tool: AgentTool, input: unknown): Promise<ToolResult> {
  return callPart(whole, { label: 'fresh', tool, input })
}

async function giveKept(
  { doorkeeper, hits }: CachePlan,
  given: unknown,
  { whole, kept }: { whole: Whole; kept: KeptResult },
): Promise<ToolResult> {
  const hit: Hit = { kept, isEdited: false }
  hits.leave(whole, hit)
  const admitted = await callPart(whole, { label: 'kept', tool: doorkeeper, input: given })
  return admitted.ok && !hit.isEdited ? resultOf(kept) : admitted
}

/** What the doorkeeper does once the door has let the call in. */
export function passDoor(
  { tool, hits }: Pick<CachePlan, 'tool' | 'hits'>,
  input: unknown,
  whole: Whole,
): Promise<ToolResult> | ReturnedSuccess<unknown> {
  const hit = hits.around(whole)
  if (hit !== undefined && !isEdited(whole)) return success(hit.kept.value, hit.kept.options)
  if (hit !== undefined) hit.isEdited = true
  return callFresh(whole, tool, input)
}
