import type { AgentTool } from '../../tool/agent-tool.ts'
import type { Call } from '../../tool/engine/call.ts'
import type { JsonData } from '../../tool/journal/codec.ts'
import { withIssue } from '../../tool/result/amendments.ts'
import { decodeResult, encodeResult } from '../../tool/result/result-codec.ts'
import type { SettledResult, SettledSuccess } from '../../tool/result/settled.ts'
import { cacheKey, type KeyFunction } from './cache-key.ts'
import type { ResultStore } from './result-store.ts'

export interface CachePlan {
  readonly tool: AgentTool
  /** Passes the door in place of the tool, so that a kept result is given only to who may call it. */
  readonly doorkeeper: AgentTool
  readonly store: ResultStore
  readonly key: KeyFunction | undefined
  readonly hits: WeakMap<Call, Hit>
}

/** A kept result on its way to a caller. */
interface Hit {
  readonly kept: SettledSuccess
  /** A reviewer asked for something else: the tool itself has answered. */
  isEdited: boolean
}

export async function runCached(plan: CachePlan, given: unknown, call: Call): Promise<SettledResult> {
  const { tool, store, key: own } = plan
  // What stands in for a tool in a test must not be kept for those who call the tool itself.
  const key = call.root.options.overrides === undefined ? await cacheKey(call, given, { tool, key: own }) : undefined
  if (key === undefined) return callFresh(call, tool, given)
  const { clock } = call
  const since = clock.tick()
  let isReplay = true
  const found = await call.decide('cache.kept', (): JsonData | null => {
    isReplay = false
    return store.find(key, clock) ?? null
  })
  if (found !== null) return giveKept(plan, given, { call, kept: keptResult(found) })
  const result = await callFresh(call, tool, given)
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

function callFresh(call: Call, tool: AgentTool, input: unknown): Promise<SettledResult> {
  return call.root.callPart(call, { label: 'fresh', tool, input })
}

async function giveKept(
  { doorkeeper, hits }: CachePlan,
  given: unknown,
  { call, kept }: { call: Call; kept: SettledSuccess },
): Promise<SettledResult> {
  const hit: Hit = { kept, isEdited: false }
  hits.set(call, hit)
  const admitted = await call.root.callPart(call, { label: 'kept', tool: doorkeeper, input: given })
  return admitted.ok && !hit.isEdited ? kept : admitted
}

/** What the doorkeeper does once the door has let the call in. */
export function passDoor(
  { tool, hits }: Pick<CachePlan, 'tool' | 'hits'>,
  input: unknown,
  call: Call,
): Promise<SettledResult> | SettledSuccess {
  const hit = call.parent === undefined ? undefined : hits.get(call.parent)
  if (hit !== undefined && call.generation === 0) return hit.kept
  if (hit !== undefined) hit.isEdited = true
  return callFresh(call, tool, input)
}
