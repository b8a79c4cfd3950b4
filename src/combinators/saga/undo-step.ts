import { adapt } from '../../tool/adapt.ts'
import { ToolError } from '../../tool/errors/tool-error.ts'
import type { AnyGiven } from '../../tool/given/step-given.ts'
import { failureData } from '../../tool/result/failure-details.ts'
import type { FailureDetails } from '../../tool/result/result.ts'
import { attempts } from '../../tool/seam/attempts.ts'
import { detailsOf } from '../../tool/seam/failures.ts'
import { type Fatal, fatalIn } from '../../tool/seam/parts.ts'
import { mayRepeat } from '../../tool/metadata.ts'
import { markUndone } from '../../tool/seam/undoing.ts'
import type { Whole } from '../../tool/seam/whole.ts'
import type { LedgerEntry } from './ledger-entry.ts'
import type { StepCompensation } from './saga-plan.ts'

export interface StepUndoing {
  readonly entry: LedgerEntry
  readonly compensation: StepCompensation
  readonly given: Pick<AnyGiven, 'input' | 'results'>
}

/** The failure of undoing a step; undefined if it is undone. */
export interface UndoFailure {
  readonly error: FailureDetails
  readonly fatal?: Fatal | undefined
}

/** Calls the compensation of a step, shielded from the end of the saga, and retries until its budget is used. */
export async function undoStep(saga: Whole, { entry, compensation, given }: StepUndoing): Promise<UndoFailure | undefined> {
  const { label, tool, backoff, deadlineMs } = compensation
  let input: unknown
  try {
    input = inputOf(entry, compensation, given)
  } catch (thrown) {
    return { error: failureData(detailsOf(thrown)), fatal: fatalIn(thrown) }
  }
  const before = entry.attempts
  const end = await attempts(saga, {
    ...{ label, tool, input, backoff, before, shieldedMs: deadlineMs },
    mayRetry: (error) => mayTryAgain(compensation, error),
  })
  entry.attempts = before + end.attempts
  entry.undoParts = [...entry.undoParts, ...end.parts]
  const { result, fatal } = end
  if (result.ok) {
    entry.undoParts.forEach(markUndone)
    return undefined
  }
  // Nothing can be recorded, so nothing may begin: a resumed run continues here.
  if (result.error.code === 'journal_failed') throw new ToolError(result.error.message, result.error)
  return { error: failureData(result.error), fatal }
}

function inputOf({ step, input, result }: LedgerEntry, compensation: StepCompensation, given: StepUndoing['given']): unknown {
  const value = result.ok ? result.value : undefined
  return adapt(`The input of the compensation of step '${step.label}'`, () =>
    compensation.input({ ...given, stepInput: input, result, value }),
  )
}

/** Every failure is retried, except a rejection by a person and an unknown outcome of a tool that is not safe to repeat. */
function mayTryAgain({ tool }: StepCompensation, { code, class: errorClass, outcome }: FailureDetails): boolean {
  return code !== 'journal_failed' && errorClass !== 'rejected' && (outcome !== 'unknown' || mayRepeat(tool))
}
