import { acceptedInput } from '../../tool/accepted-input.ts'
import { adapt } from '../../tool/adapt.ts'
import type { AgentTool } from '../../tool/agent-tool.ts'
import type { ToolContext } from '../../tool/context.ts'
import type { JsonData } from '../../tool/journal/codec.ts'
import { hashOf } from '../../tool/journal/hash.ts'
import { withIssue } from '../../tool/result/amendments.ts'
import { decodeResult, encodeResult } from '../../tool/result/result-codec.ts'
import type { SettledResult, SettledSuccess } from '../../tool/result/settled.ts'
import { callPart } from '../../tool/seam/parts.ts'
import { isEdited, type Notes } from '../../tool/seam/stand-in.ts'
import { settingsOf, type Whole } from '../../tool/seam/whole.ts'
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

export type KeyFunction = (input: unknown, context: ToolContext) => unknown

/**
 * What two calls must have in common to share a result: the input, or what the author's function makes of it, the principal with its
 * permissions, and the handles through which a tool sees the world. Undefined where there is nothing to go by: such a call is not kept.
 */
async function cacheKey(
  whole: Whole,
  given: unknown,
  { tool, key }: { tool: AgentTool; key: KeyFunction | undefined },
): Promise<string | undefined> {
  const input = key === undefined ? { given } : await ownKey(whole, given, { tool, key })
  if (input === undefined) return undefined
  try {
    return hashOf([input, principalOf(whole), handlesOf(whole)])
  } catch {
    return undefined
  }
}

/** The author's function sees a valid input only. What the tool will refuse is not looked up. */
async function ownKey(whole: Whole, given: unknown, { tool, key }: { tool: AgentTool; key: KeyFunction }): Promise<object | undefined> {
  const accepted = await acceptedInput(tool, given)
  if (accepted === undefined) return undefined
  const { input } = accepted
  return { own: adapt(`'key' of the cache of '${tool.name}'`, () => key(input, whole), { outcome: 'not_started' }) }
}

function principalOf({ principal }: Whole): unknown {
  return principal === undefined ? null : [principal.id, principal.permissions.toSorted()]
}

function handlesOf(whole: Whole): unknown {
  const { secrets, services: given = {} } = settingsOf(whole)
  const services = Object.entries(given).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return [handle(secrets), services.map(([name, service]) => [name, handle(service)])]
}

const handles = new WeakMap<object, number>()
let count = 0

/** The same for the same object, and for no other. */
function handle(value: unknown): unknown {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return value
  const known = handles.get(value) ?? ++count
  handles.set(value, known)
  return { handle: known }
}
