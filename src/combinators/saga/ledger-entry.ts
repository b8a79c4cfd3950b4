import type { CompensationOutcome, FailureDetails, ToolResult } from '../../tool/result/result.ts'
import type { Part } from '../../tool/seam/parts.ts'
import { leavesEffect } from '../../tool/seam/undoing.ts'
import type { SagaStep } from './saga-plan.ts'

/** A step that has begun, and the result of its undoing. */
export interface LedgerEntry {
  readonly step: SagaStep
  /** Its last attempt; undefined if its input could not be made. */
  readonly part: Part | undefined
  /** All attempts. */
  readonly parts: readonly Part[]
  readonly input: unknown
  /** For a fatal end, the same as a failure. */
  readonly result: ToolResult
  readonly isFatal: boolean
  status?: CompensationOutcome['status']
  /** How often its compensation was tried. */
  attempts: number
  /** The calls of its compensation, in all rounds. */
  undoParts: readonly Part[]
  error?: FailureDetails | undefined
  /** The effects in it that were not undone, by their paths within the saga. */
  notUndone: readonly string[]
}

/** It took effect, or may have. */
export function mustBeUndone({ part, parts, result, isFatal }: LedgerEntry): boolean {
  if (part === undefined) return false
  if (isFatal) return parts.some(leavesEffect)
  return result.ok || result.error.outcome === 'unknown'
}

/** The reported form: plain data. */
export function outcomeOf({ step, status = 'not_needed', attempts, error }: LedgerEntry): CompensationOutcome {
  return { step: step.label, status, attempts, ...(error === undefined ? {} : { error }) }
}
