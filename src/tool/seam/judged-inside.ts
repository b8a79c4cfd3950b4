import { acceptApart } from '../accepted-input.ts'
import type { AgentTool } from '../agent-tool.ts'
import type { Call } from '../engine/call.ts'
import { policyCall } from '../engine/policy-call.ts'
import { decode, encode, type JsonData } from '../journal/codec.ts'
import { missingPermissions } from '../principal.ts'
import { callOf } from './call-of.ts'
import type { Whole } from './whole.ts'

/** A call inside a part, as it must be judged again before somebody gets the kept result of the part. */
export interface InnerCall {
  readonly built: AgentTool
  readonly behaviour: Call['behaviour']
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
    if (layer === undefined) found.push({ built, behaviour, place: placeOf(path), given: isJudged ? toData(given) : undefined })
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

/** Whether the permissions and the policy of the present caller allow each of these calls, without asking a person. */
export async function areAllowed(whole: Whole, calls: readonly InnerCall[]): Promise<boolean> {
  const call = callOf(whole)
  const { policy } = call.root.options
  if (calls.some(({ built }) => missingPermissions(built.permissions, call.principal).length > 0)) return false
  if (policy === undefined) return true
  for (const { built, behaviour, place, given } of calls) {
    const { name: tool, version, effect } = built
    if (given === undefined) return false
    try {
      const input = await acceptApart(behaviour.input, decode(given), tool)
      if ((await policy(policyCall(call, { tool, version, effect, path: `${call.path}${place}`, input }))) !== 'allow') return false
    } catch {
      return false
    }
  }
  return true
}
