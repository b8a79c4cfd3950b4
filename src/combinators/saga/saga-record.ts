import type { Call } from '../../tool/engine/call.ts'
import { diverged } from '../../tool/engine/decide.ts'
import { readEntry, writeEntry } from '../../tool/engine/journal-access.ts'
import { decode, encode, type JsonData } from '../../tool/journal/codec.ts'
import { retryPath, undoingValue } from '../../tool/journal/undoing.ts'
import type { CompensationOutcome, FailureDetails, SagaState } from '../../tool/result/result.ts'

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

export function readRecord(call: Call): SagaRecord | undefined {
  const path = pathOf(call)
  const entry = readEntry(call, path)
  if (entry === undefined) return undefined
  if (entry.kind !== 'decision') throw diverged(call, path, 'a decision', `a ${entry.kind}`)
  const { undoing } = (entry.value ?? {}) as { readonly undoing?: JsonData }
  if (undoing === undefined) throw diverged(call, path, 'the record of a saga', 'a decision')
  return decode(undoing) as SagaRecord
}

/** Records a transition, unless the record has got there already. */
export async function writeRecord(call: Call, record: SagaRecord): Promise<void> {
  const { journal } = call
  if (journal === undefined) return
  const before = readRecord(call)
  if (before !== undefined && (placeOf(before) > placeOf(record) || (before.round === record.round && before.state === record.state)))
    return
  journal.inFlight?.(1)
  try {
    await writeEntry(call, { kind: 'decision', path: pathOf(call), value: undoingValue(encode(record)) }, 'unknown')
  } finally {
    journal.inFlight?.(-1)
  }
}

/** Whether a person has asked for what failed in this round to be tried again. */
export function isRetryAsked(call: Call, round: number): boolean {
  return readEntry(call, retryPath(pathOf(call), round)) !== undefined
}

/** Asks for it. */
export async function askRetry(call: Call, round: number): Promise<void> {
  await writeEntry(call, { kind: 'decision', path: retryPath(pathOf(call), round), value: true }, 'not_started')
}

/** Where a saga with this path has its record. */
export function pathOf({ path }: Pick<Call, 'path'>): string {
  return `${path}:saga`
}

function placeOf({ state, round }: SagaRecord): number {
  return round * STAGES.length + STAGES.findIndex((stage) => stage.includes(state))
}
