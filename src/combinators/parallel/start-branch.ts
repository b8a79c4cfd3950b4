import { adapt } from '../../tool/adapt.ts'
import { behaviourOf } from '../../tool/behaviour.ts'
import { Call } from '../../tool/calls/call.ts'
import { settleThrown } from '../../tool/calls/settle.ts'
import type { ToolResult } from '../../tool/result.ts'
import type { Branch } from './branch.ts'

/** The same for every branch of a run. */
export interface BranchStart {
  /** The input of the whole. */
  readonly input: unknown
  /** The branch can be cancelled by itself. */
  readonly isApart: boolean
}

/** Calls a branch with its own input, or with that of the whole. Rejects only with what is fatal. */
export function startBranch(call: Call, branch: Branch, start: BranchStart): Promise<ToolResult> {
  const { label, tool, transform } = branch
  let { input } = start
  if (transform !== undefined) {
    try {
      input = adapt(`The input of branch '${label}'`, () => transform(input as never), { outcome: 'not_started' })
    } catch (error) {
      return Promise.resolve(refused(call, branch, error))
    }
  }
  const options = start.isApart ? branch.apart : undefined
  return call.root.callPart(call, { label, tool, input, options, isUnique: true })
}

/** A branch without an input has failed before it could be called; its step says so all the same. */
function refused(parent: Call, { label, tool }: Branch, error: unknown): ToolResult {
  const call = new Call(parent.root, { built: tool, behaviour: behaviourOf(tool), scope: parent.scope, parent, label })
  call.endedAt = parent.scope.stamp()
  call.result = settleThrown(call, error, false)
  parent.children ??= []
  parent.children.push(call)
  return call.result
}
