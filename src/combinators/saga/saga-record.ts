import { retryPath } from '../../tool/journal/undoing.ts'
import type { CompensationOutcome, FailureDetails, SagaState } from '../../tool/result/result.ts'
import { decided, diverged, record } from '../../tool/seam/recorded.ts'
import { isRecorded, type Whole } from '../../tool/seam/whole.ts'

/** Where a saga stands, as it is recorded: in one entry, in which each transition replaces the one before. */
export interface SagaRecord {
  readonly state: SagaState
  /** From 1; each time that a person has the failed compensations tried again is another. */
  readonly round: number
  /** It had completed, and is undone with what is around it. */
  readonly hadCompleted?: boolean
  readonly failure?: RecordedFailure
  readonly outcomes?: readonly CompensationOutcome[]
  readonly notUndone?: readonly string[]
}

/** Why a saga is undone: recorded before anything is, so that from then on no replay goes forward. */
export interface RecordedFailure {
  /** Undefined where all steps had succeeded. */
  readonly step?: string
  /** How often the step had been tried. */
  readonly attempts?: number
  /** Without its cause. */
  readonly error: FailureDetails
  /** What has to pass when everything is undone. */
  readonly fatal?: { readonly code: string; readonly message: string }
}

const STAGES: readonly (readonly SagaState[])[] = [
  ['running'],
  ['completed'],
  ['compensating'],
  ['compensated', 'aborted', 'compensation_failed'],
]

/** How the record of a saga is marked. */
export const SAGA_MARK = ':saga'

export function readRecord(saga: Whole): SagaRecord | undefined {
  const recorded = decided<{ readonly undoing?: SagaRecord } | null>(saga, SAGA_MARK)
  if (recorded === undefined) return undefined
  const undoing = recorded.value?.undoing
  if (undoing === undefined) throw diverged(saga, SAGA_MARK, 'the record of a saga', 'a decision')
  return undoing
}

/** Records a transition, unless the record has got there already. */
export async function writeRecord(saga: Whole, next: SagaRecord): Promise<void> {
  if (!isRecorded(saga)) return
  const before = readRecord(saga)
  if (before !== undefined && (placeOf(before) > placeOf(next) || (before.round === next.round && before.state === next.state))) return
  await record(saga, SAGA_MARK, { undoing: next }, 'unknown')
}

/** Whether a person has asked for the failed compensations of this round to be tried again. */
export function isRetryAsked(saga: Whole, round: number): boolean {
  return decided(saga, retryPath(SAGA_MARK, round)) !== undefined
}

/** Asks for it. */
export function askRetry(saga: Whole, round: number): Promise<void> {
  return record(saga, retryPath(SAGA_MARK, round), true, 'not_started')
}

function placeOf({ state, round }: SagaRecord): number {
  return round * STAGES.length + STAGES.findIndex((stage) => stage.includes(state))
}
