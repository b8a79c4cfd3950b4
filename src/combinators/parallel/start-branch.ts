import { adapt } from '../../tool/adapt.ts'
import { Call } from '../../tool/engine/call.ts'
import { startPart, startPartApart } from '../../tool/engine/start-part.ts'
import { settleThrown } from '../../tool/engine/settle.ts'
import type { Waiter } from '../../tool/engine/waiter.ts'
import type { SettledResult } from '../../tool/result/settled.ts'
import type { Branch } from './branch.ts'

/** The same for every branch of a run. */
export interface BranchStart {
  /** The input of the whole. */
  readonly input: unknown
  /** The branch can be cancelled by itself. */
  readonly isApart: boolean
}

/** Calls a branch with its own input, or with that of the whole. Gives what is there at once; the waiter is told of the rest. */
export function startBranch(waiter: Waiter, branch: Branch, { input, isApart }: BranchStart): SettledResult | undefined {
  const { label, transform, apart } = branch
  let own = input
  if (transform !== undefined) {
    try {
      own = adapt(`The input of branch '${label}'`, () => transform(input as never), { outcome: 'not_started' })
    } catch (error) {
      return refused(waiter.call, branch, error)
    }
  }
  return isApart ? startPartApart(waiter, branch, { input: own, options: apart }) : startPart(waiter, branch, own)
}

/** A branch without an input has failed before it could be called; its step says so all the same. */
function refused(parent: Call, { label, tool, behaviour }: Branch, error: unknown): SettledResult {
  const call = new Call(parent.root, tool, behaviour, parent.scope).belongTo(parent, label)
  call.end = parent.scope.stamp()
  const result = settleThrown(call, error, false)
  call.result = result
  parent.children ??= []
  parent.children.push(call)
  return result
}
