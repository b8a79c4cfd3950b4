import type { AgentTool } from '../agent-tool.ts'
import type { ErrorClass } from '../errors/error-codes.ts'
import type { FailureDetails } from '../result/result.ts'

const FINAL: ReadonlySet<ErrorClass> = new Set(['rejected', 'cancelled', 'deadline'])

/** A person, the caller or the clock has decided: to go on with something else would be to go around them. */
export function isFinal({ class: errorClass }: Pick<FailureDetails, 'class'>): boolean {
  return FINAL.has(errorClass)
}

/** Whether it does no harm to call a tool again when nobody knows if it took effect. */
export function mayRepeat({ effect, idempotent }: Pick<AgentTool, 'effect' | 'idempotent'>): boolean {
  return effect === 'read' || idempotent !== false
}

/** Whether another attempt may help and does no harm. What cannot be recorded must not begin. */
export function mayRetry(tool: AgentTool, { code, retryable, outcome }: FailureDetails): boolean {
  return retryable && code !== 'journal_failed' && (outcome !== 'unknown' || mayRepeat(tool))
}
