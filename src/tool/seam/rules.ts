import type { AgentTool } from '../agent-tool.ts'
import type { ErrorClass } from '../errors/error-codes.ts'
import type { FailureDetails } from '../result/result.ts'

const FINAL: ReadonlySet<ErrorClass> = new Set(['rejected', 'cancelled', 'deadline'])

/** A person, the caller or the clock has decided: continuing with another tool would bypass that decision. */
export function isFinal({ class: errorClass }: Pick<FailureDetails, 'class'>): boolean {
  return FINAL.has(errorClass)
}

/** Whether a tool may be called again if it is not known whether it took effect. */
export function mayRepeat({ effect, idempotent }: Pick<AgentTool, 'effect' | 'idempotent'>): boolean {
  return effect === 'read' || idempotent !== false
}

/** Whether another attempt may help and is safe. If the journal has failed, nothing may begin. */
export function mayRetry(tool: AgentTool, { code, retryable, outcome }: FailureDetails): boolean {
  return retryable && code !== 'journal_failed' && (outcome !== 'unknown' || mayRepeat(tool))
}
