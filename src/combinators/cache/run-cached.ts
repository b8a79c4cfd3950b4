import type { AgentTool } from '../../tool/agent-tool.ts'
import type { JsonData } from '../../tool/journal/codec.ts'
import { withIssue } from '../../tool/result/amendments.ts'
import { decodeResult, encodeResult } from '../../tool/result/result-codec.ts'
import type { SettledResult, SettledSuccess } from '../../tool/result/settled.ts'
import { callPart } from '../../tool/seam/parts.ts'
import { isEdited, type Notes } from '../../tool/seam/stand-in.ts'
import { settingsOf, type Whole } from '../../tool/seam/whole.ts'
import { cacheKey, type KeyFunction } from './cache-key.ts'
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
  readonly kept: SettledSuccess
  /** A reviewer asked for something else: the tool itself has answered. */
  isEdited: boolean
}

export async function runCached(plan: CachePlan, given: unknown, whole: Whole): Promise<SettledResult> {
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
  if (found !== null) return giveKept(plan, given, { whole, kept: keptResult(found) })
  const result = await callFresh(whole, tool, given)
  // What a record gives is as old as the record.
  const data = result.ok && !isReplay ? toData(result) : undefined
  if (data !== undefined) store.keep(key, { data, since, clock })
  return result
}

/** As data, so that nobody who changes what he was given changes what others get; undefined for what data cannot hold. */
function toData(result: SettledSuccess): JsonData | undefined {
  try {
    return encodeResult(result)
  } catch {
    return undefined
  }
}

/** The result of the call that gave it, as if it were given now. Its provenance is of that call, so that everybody can see how fresh it is. */
function keptResult(data: JsonData): SettledSuccess {
  const result = decodeResult(data, 'in the cache') as SettledSuccess
  const message = `Kept from a call that ended at ${new Date(result.provenance.timestamp).toISOString()}.`
  return withIssue(result, { severity: 'info', message })
}

function callFresh(whole: Whole, tool: AgentTool, input: unknown): Promise<SettledResult> {
  return callPart(whole, { label: 'fresh', tool, input })
}

async function giveKept(
  { doorkeeper, hits }: CachePlan,
  given: unknown,
  { whole, kept }: { whole: Whole; kept: SettledSuccess },
): Promise<SettledResult> {
  const hit: Hit = { kept, isEdited: false }
  hits.leave(whole, hit)
  const admitted = await callPart(whole, { label: 'kept', tool: doorkeeper, input: given })
  return admitted.ok && !hit.isEdited ? kept : admitted
}

/** What the doorkeeper does once the door has let the call in. */
export function passDoor(
  { tool, hits }: Pick<CachePlan, 'tool' | 'hits'>,
  input: unknown,
  whole: Whole,
): Promise<SettledResult> | SettledSuccess {
  const hit = hits.around(whole)
  if (hit !== undefined && !isEdited(whole)) return hit.kept
  if (hit !== undefined) hit.isEdited = true
  return callFresh(whole, tool, input)
}
