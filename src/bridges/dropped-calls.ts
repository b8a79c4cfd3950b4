import type { AgentTool } from '../tool/agent-tool.ts'
import { ToolError } from '../tool/errors/tool-error.ts'
import type { CallEnd } from './parked-call.ts'

/** The failure of a call that was dropped and may have taken effect: it is not made again. `why` says how it was dropped. */
export function droppedError(name: string, why: string): ToolError {
  return new ToolError(`The result of '${name}' is no longer known: ${why} The call may have taken effect, and is not made again.`, {
    code: 'outcome_unknown',
    outcome: 'unknown',
  })
}

/** The call was cancelled, and cannot have taken effect. */
export function wasTakenBack(end: CallEnd, { effect }: AgentTool): boolean {
  if (!('result' in end) || end.result.ok || end.result.error.code !== 'cancelled') return false
  return effect === 'read' || end.result.error.outcome !== 'unknown'
}
