import { retryPath, undoingValue } from '../../tool/journal/undoing.ts'
import type { CompensationOutcome, FailureDetails, SagaState } from '../../tool/result/result.ts'
import { decided, diverged, record } from '../../tool/seam/recorded.ts'
import { isRecorded, type Whole } from '../../tool/seam/whole.ts'

/** The recorded state of a saga: one entry, replaced at each transition. */
export interface SagaRecord {
  readonly state: SagaState
  /** From 1; each retry of the failed compensations by a person is a new round. */
  readonly round: number
  /** It had completed, and is undone with the tool around it. */
  readonly hadCompleted?: boolean
  readonly failure?: RecordedFailure
  readonly outcomes?: readonly CompensationOutcome[]
  readonly notUndone?: readonly string[]
}

/** Why a saga is undone. Recorded before the first compensation, so that no later replay goes forward. */
export interface RecordedFailure {
  /** Undefined if all steps had succeeded. */
  readonly step?: string
  /** The number of attempts of the step. */
  readonly attempts?: number
  /** Without its cause. */
  readonly error: FailureDetails
  /** A fatal error, thrown after everything is undone. */
  readonly fatal?: { readonly code: string; readonly message: string }
}

const STAGES: readonly (readonly SagaState[])[] = [
  ['running'],
  ['completed'],
  ['compensating'],
  ['compensated', 'aborted', 'compensation_failed'],
]

/** The mark of the record of a saga. */
export const SAGA_MARK = ':saga'

export function readRecord(saga: Whole): SagaRecord | undefined {
  const recorded = decided<{ readonly undoing?: SagaRecord } | null>(saga, SAGA_MARK)
  if (recorded === undefined) return undefined
  const undoing = recorded.value?.undoing
  if (undoing === undefined) throw diverged(saga, SAGA_MARK, 'the record of a saga', 'a decision')
  return undoing
}

/** Records a transition, unless it is already recorded. */
export async function writeRecord(saga: Whole, next: SagaRecord): Promise<void> {
  if (!isRecorded(saga)) return
  const before = readRecord(saga)
  if (before !== undefined && (placeOf(before) > placeOf(next) || (before.round === next.round && before.state === next.state))) return
  await record(saga, SAGA_MARK, undoingValue(next), 'unknown')
}

/** Whether a person has requested a retry of the failed compensations of this round. */
export function isRetryAsked(saga: Whole, round: number): boolean {
  return decided(saga, retryPath(SAGA_MARK, round)) !== undefined
}

/** Requests the retry. */
export function askRetry(saga: Whole, round: number): Promise<void> {
  return record(saga, retryPath(SAGA_MARK, round), true, 'not_started')
}

function placeOf({ state, round }: SagaRecord): number {
  return round * STAGES.length + STAGES.findIndex((stage) => stage.includes(state))
}
