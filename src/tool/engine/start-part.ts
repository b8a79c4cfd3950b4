import type { PartOptions } from '../context.ts'
import { callPart } from './call-part.ts'
import { Call } from './call.ts'
import { enterFor } from './door.ts'
import { settleThrown } from './settle.ts'
import type { SettledResult } from '../result/settled.ts'
import type { KnownPart, Waiter } from './waiter.ts'

/**
 * Calls a part in the scope of its caller. Gives the result where it is there at once; otherwise the waiter is told later, and undefined
 * is given. A promise for every part would cost as much as the rest of the call.
 */
export function startPart(waiter: Waiter, part: KnownPart, input: unknown): SettledResult | undefined {
  const { call: parent } = waiter
  const { root, scope } = parent
  const { deadlineMs, ownScope } = part.behaviour
  if (root.options.overrides !== undefined || root.stepDeadlineMs !== undefined || deadlineMs !== undefined || ownScope === true)
    return startPartApart(waiter, part, { input })
  const call = new Call(root, part.tool, part.behaviour, scope).belongTo(parent, part.label)
  parent.began()
  parent.children ??= []
  parent.children.push(call)
  call.position = part.position
  return enterFor(waiter, call, input)
}

export interface PartStart {
  readonly input: unknown
  readonly options?: PartOptions | undefined
}

/** Calls a part with a deadline or a signal of its own. The waiter is always told later. */
export function startPartApart(waiter: Waiter, { label, tool, position }: KnownPart, { input, options }: PartStart): undefined {
  callPart(waiter.call, { label, tool, input, options, isUnique: true }).then(
    (result) => waiter.partEnded(result, position),
    (fatal: unknown) => waiter.partFailed(fatal, position),
  )
}

/** A part without an input has failed before it could be called; its step says so all the same. */
export function refusePart(parent: Call, { label, tool, behaviour }: KnownPart, error: unknown): SettledResult {
  const call = new Call(parent.root, tool, behaviour, parent.scope).belongTo(parent, label)
  call.end = parent.scope.stamp()
  const result = settleThrown(call, error, false)
  call.result = result
  parent.children ??= []
  parent.children.push(call)
  return result
}
