import type { AgentTool } from '../tool/agent-tool.ts'
import { ToolError } from '../tool/errors/tool-error.ts'
import type { ToolRun } from './tool-run.ts'

/** The failure of a call that was dropped and may have taken effect: it is not made again. `why` says how it was dropped. */
export function droppedError(name: string, why: string): ToolError {
  return new ToolError(`The result of '${name}' is no longer known: ${why} The call may have taken effect, and is not made again.`, {
    code: 'outcome_unknown',
    outcome: 'unknown',
  })
}

/** The call was cancelled by its caller, and cannot have taken effect. That it was cancelled is no word of the tool, which may say anything. */
export function wasTakenBack({ end, isWithdrawn }: ToolRun, { effect }: AgentTool): boolean {
  if (!isWithdrawn || end === undefined || !('result' in end) || end.result.ok || end.result.error.code !== 'cancelled') return false
  return effect === 'read' || end.result.error.outcome !== 'unknown'
}
