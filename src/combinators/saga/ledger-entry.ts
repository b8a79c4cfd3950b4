import type { CompensationOutcome, FailureDetails, ToolResult } from '../../tool/result/result.ts'
import type { Part } from '../../tool/seam/parts.ts'
import { leavesEffect } from '../../tool/seam/undoing.ts'
import type { SagaStep } from './saga-plan.ts'

/** A step that has begun, and what became of it when the saga was undone. */
export interface LedgerEntry {
  readonly step: SagaStep
  /** Its last attempt; undefined where not even its input could be made. */
  readonly part: Part | undefined
  /** All attempts. */
  readonly parts: readonly Part[]
  readonly input: unknown
  /** For one that ended with something fatal, that as a failure. */
  readonly result: ToolResult
  readonly isFatal: boolean
  status?: CompensationOutcome['status']
  /** How often its compensation was tried. */
  attempts: number
  error?: FailureDetails | undefined
  /** The effects in it that stand, by their paths within the saga. */
  notUndone: readonly string[]
}

/** It took effect, or nobody knows. */
export function mustBeUndone({ part, parts, result, isFatal }: LedgerEntry): boolean {
  if (part === undefined) return false
  if (isFatal) return parts.some(leavesEffect)
  return result.ok || result.error.outcome === 'unknown'
}

/** As it is reported: plain data. */
export function outcomeOf({ step, status = 'not_needed', attempts, error }: LedgerEntry): CompensationOutcome {
  return { step: step.label, status, attempts, ...(error === undefined ? {} : { error }) }
}
