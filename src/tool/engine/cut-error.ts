import { type Outcome, ToolError } from '../errors/tool-error.ts'
import type { Closure } from './scope.ts'

/** The failure that a closing scope stands for. */
export function cutError(closure: Closure, where: string, outcome: Outcome): ToolError {
  return closure.kind === 'deadline'
    ? new ToolError(`The deadline passed: ${where}.`, { code: 'deadline_exceeded', outcome })
    : new ToolError(`The call was cancelled: ${where}.`, { code: 'cancelled', outcome, cause: closure.reason })
}
