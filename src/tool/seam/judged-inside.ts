import { acceptApart } from '../accepted-input.ts'
import { type AgentTool, identityOf } from '../agent-tool.ts'
import { behaviourOf } from '../behaviour.ts'
import { notPermitted } from '../engine/authorize.ts'
import { askPolicy, denied } from '../engine/judge.ts'
import type { Call } from '../engine/call.ts'
import { policyCall } from '../engine/policy-call.ts'
import type { ToolError } from '../errors/tool-error.ts'
import type { InputPort } from '../input/input-port.ts'
import { decode, encode, type JsonData } from '../journal/codec.ts'
import type { PolicyVerdict } from '../ports/policy.ts'
import { missingPermissions } from '../principal.ts'
import { callOf } from './call-of.ts'
import type { Whole } from './whole.ts'

type Called = Pick<AgentTool, 'name' | 'version' | 'effect' | 'permissions'>

/** A call inside a part, as it must be judged again before somebody gets the kept result of the part. */
export interface InnerCall {
  readonly called: Called
  /** Undefined if the tool is not known here: the policy then judges the input as it was given. */
  readonly port: InputPort | undefined
  /** Its path below the whole. */
  readonly place: string
  /** Undefined if no policy judged it, so that the input was not kept as it ran, or if the input is not data. */
  readonly given: JsonData | undefined
}

/** The calls inside the last part of a whole. */
export function callsInside(whole: Whole): readonly InnerCall[] {
  const call = callOf(whole)
  const isJudged = call.root.options.policy !== undefined
  const placeOf = (path: string): string => path.slice(call.path.length)
  const found: InnerCall[] = []
  const look = (part: Call): void => {
    const { built, behaviour, path, given, layer } = part
    if (layer === undefined)
      found.push({ called: built, port: behaviour.input, place: placeOf(path), given: isJudged ? toData(given) : undefined })
    lookInside(part)
  }
  const lookInside = (part: Call): void => {
    for (const each of kept.get(part) ?? []) found.push({ ...each, place: placeOf(part.path) + each.place })
    part.allParts.forEach(look)
  }
  const last = call.children?.at(-1)
  if (last !== undefined) lookInside(last)
  return found
}

const kept = new WeakMap<Call, readonly InnerCall[]>()

/** The whole gives a kept result: the calls that once gave it count as calls inside the whole. */
export function countAsInside(whole: Whole, calls: readonly InnerCall[]): void {
  kept.set(callOf(whole), calls)
}

function toData(given: unknown): JsonData | undefined {
  try {
    return encode(given)
  } catch {
    return undefined
  }
}

/** The calls in a form that a store can keep. */
export function innerCallsData(calls: readonly InnerCall[]): JsonData {
  return calls.map(({ called: { name, version, effect, permissions }, place, given }) => ({
    ...{ name, version, effect, permissions: [...permissions], place },
    ...(given === undefined ? {} : { given }),
  }))
}

/** The calls that a store kept. A tool that is still a part of `tool` is judged by its present permissions and schema. */
export function revivedInnerCalls(data: JsonData | undefined, tool: AgentTool): readonly InnerCall[] {
  if (!Array.isArray(data) || data.length === 0) return []
  const known = partsBelow(tool, new Map())
  return (data as readonly (Called & Pick<InnerCall, 'place' | 'given'>)[]).map(({ place, given, ...then }) => {
    const now = known.get(identityOf(then))
    return { called: now ?? then, port: now && behaviourOf(now).input, place, given }
  })
}

function partsBelow(tool: AgentTool, found: Map<string, AgentTool>): ReadonlyMap<string, AgentTool> {
  const plan = tool.plan()
  if (!plan.layer) found.set(identityOf(tool), tool)
  for (const { tool: part } of plan.parts) partsBelow(part, found)
  return found
}

/** Whether the permissions and the policy of the present caller allow each of these calls, without asking a person. */
export async function areAllowed(whole: Whole, calls: readonly InnerCall[]): Promise<boolean> {
  const call = callOf(whole)
  if (calls.some(({ called }) => missingPermissions(called.permissions, call.principal).length > 0)) return false
  for (const each of calls) if ((await verdictOn(call, each)) !== 'allow') return false
  return true
}

/**
 * Why the present caller may not make one of these calls; undefined if nobody denies one. A policy that asks for an approval denies nothing:
 * it is about a call that runs.
 */
export async function denialOf(whole: Whole, calls: readonly InnerCall[]): Promise<ToolError | undefined> {
  const call = callOf(whole)
  for (const each of calls) {
    const { name, permissions } = each.called
    const missing = missingPermissions(permissions, call.principal)
    if (missing.length > 0) return notPermitted(name, call.principal, missing)
    const verdict = await verdictOn(call, each)
    if (typeof verdict === 'object' && 'deny' in verdict) return denied(name, verdict.deny)
  }
  return undefined
}

async function verdictOn(call: Call, { called, port, place, given }: InnerCall): Promise<PolicyVerdict> {
  const { policy } = call.root.options
  if (policy === undefined) return 'allow'
  if (given === undefined) return { deny: 'the input of this call inside was not kept, so that it cannot be judged again' }
  const { name: tool, version, effect } = called
  return askPolicy(async () => {
    const input = port === undefined ? decode(given) : await acceptApart(port, decode(given), tool)
    return policy(policyCall(call, { tool, version, effect, path: `${call.path}${place}`, input }))
  })
}
