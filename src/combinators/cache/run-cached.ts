import { acceptedInput } from '../../tool/accepted-input.ts'
import { adapt } from '../../tool/adapt.ts'
import type { AgentTool } from '../../tool/agent-tool.ts'
import type { ToolContext } from '../../tool/context.ts'
import type { JsonData } from '../../tool/journal/codec.ts'
import { hashOf } from '../../tool/journal/hash.ts'
import { withIssue } from '../../tool/result/amendments.ts'
import { decodeResult, encodeResult } from '../../tool/result/result-codec.ts'
import type { SettledResult, SettledSuccess } from '../../tool/result/settled.ts'
import { areAllowed, callsInside, countAsInside } from '../../tool/seam/judged-inside.ts'
import { callPart } from '../../tool/seam/parts.ts'
import { isEdited, isEditedInside, type Notes } from '../../tool/seam/stand-in.ts'
import { settingsOf, type Whole } from '../../tool/seam/whole.ts'
import type { ResultStore } from './result-store.ts'

export interface CachePlan {
  readonly tool: AgentTool
  /** Passes the door in place of the tool, so that a cached result goes only to callers who may call the tool. */
  readonly doorkeeper: AgentTool
  readonly store: ResultStore
  readonly key: KeyFunction | undefined
  /** All principals share the results. */
  readonly isShared: boolean
  readonly hits: Notes<Hit>
}

/** A cached result on its way to a caller. */
export interface Hit {
  readonly kept: SettledSuccess
  /** A reviewer edited the input, so the tool itself has answered. */
  isEdited: boolean
}

export async function runCached(plan: CachePlan, given: unknown, whole: Whole): Promise<SettledResult> {
  const { tool, store } = plan
  // The result of an override must not be kept for calls of the real tool.
  const key = settingsOf(whole).overrides === undefined ? await cacheKey(whole, given, plan) : undefined
  if (key === undefined) return callFresh(whole, tool, given)
  const { clock } = whole
  const since = clock.tick()
  let isReplay = true
  const found = await whole.decide('cache.kept', async (): Promise<JsonData | null> => {
    isReplay = false
    const entry = store.find(key, clock)
    // If a call inside is not allowed any more, the tool runs again and meets the refusal itself.
    if (entry === undefined || !(await areAllowed(whole, entry.inside))) return null
    countAsInside(whole, entry.inside)
    return entry.data
  })
  if (found !== null) return giveKept(plan, given, { whole, kept: keptResult(found) })
  const result = await callFresh(whole, tool, given)
  // A result from a record is as old as the record. One of an edited input belongs to the edited input, and a person approved it once.
  const data = result.ok && !isReplay && !isEditedInside(whole) ? toData(result) : undefined
  if (data !== undefined) store.keep(key, { data, inside: callsInside(whole), since, clock })
  return result
}

/** As data, so that callers cannot change each other's results; undefined if data cannot hold it. */
function toData(result: SettledSuccess): JsonData | undefined {
  try {
    return encodeResult(result)
  } catch {
    return undefined
  }
}

/** The cached result. It keeps the provenance of the call that gave it, so that its age is visible. */
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

/** Runs after the door has admitted the call. */
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
 * The key under which two calls share a result: the input, or the value of the author's function, the principal with its permissions, and
 * the services of the call. Undefined if no key can be made: then the result is not cached.
 */
async function cacheKey(whole: Whole, given: unknown, { tool, key, isShared }: CachePlan): Promise<string | undefined> {
  const input = key === undefined ? { given } : await ownKey(whole, given, { tool, key })
  if (input === undefined) return undefined
  try {
    return hashOf([input, isShared ? 'everyone' : principalOf(whole), handlesOf(whole)])
  } catch {
    return undefined
  }
}

/** The author's function gets only valid inputs. An input that the tool will refuse is not looked up. */
async function ownKey(whole: Whole, given: unknown, { tool, key }: { tool: AgentTool; key: KeyFunction }): Promise<object | undefined> {
  const accepted = await acceptedInput(tool, given)
  if (accepted === undefined) return undefined
  const { input } = accepted
  return { own: adapt(`'key' of the cache of '${tool.name}'`, () => key(input, whole), { outcome: 'not_started' }) }
}

/** All fields of the principal, because a tool may read any of them, except its methods. A field that is not data counts as itself. */
function principalOf({ principal }: Whole): unknown {
  if (principal === undefined) return null
  // The tenant of an instance may be a getter.
  const { id, tenant } = principal
  const fields = Object.entries({ ...principal, id, tenant, permissions: principal.permissions.toSorted() })
  return fields.filter(([, value]) => typeof value !== 'function').map(([name, value]) => [name, dataOrHandle(value)])
}

function dataOrHandle(value: unknown): unknown {
  try {
    return { hash: hashOf(value) }
  } catch {
    return handle(value)
  }
}

function handlesOf(whole: Whole): unknown {
  const { secrets, services: given = {} } = settingsOf(whole)
  const services = Object.entries(given).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return [handle(secrets), services.map(([name, service]) => [name, handle(service)])]
}

const handles = new WeakMap<object, number>()
let count = 0

/** One id per object. */
function handle(value: unknown): unknown {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return value
  const known = handles.get(value) ?? ++count
  handles.set(value, known)
  return { handle: known }
}
