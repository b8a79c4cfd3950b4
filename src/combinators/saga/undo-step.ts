import { adapt } from '../../tool/adapt.ts'
import type { Call } from '../../tool/engine/call.ts'
import { isFatal } from '../../tool/engine/fatal.ts'
import { Scope } from '../../tool/engine/scope.ts'
import { failureData, failureDetails } from '../../tool/result/failure-details.ts'
import { sleep } from '../../tool/engine/sleep.ts'
import { classifyError } from '../../tool/errors/classify-error.ts'
import { ToolError } from '../../tool/errors/tool-error.ts'
import type { FailureDetails } from '../../tool/result/result.ts'
import { callApart } from './call-apart.ts'
import type { LedgerEntry } from './ledger-entry.ts'
import { mayRepeat, type StepCompensation, type StepGiven } from './saga-plan.ts'

export interface StepUndoing {
  readonly entry: LedgerEntry
  readonly compensation: StepCompensation
  readonly given: StepGiven
}

/** How the undoing of a step ended: undefined where it is undone. */
export interface UndoFailure {
  readonly error: FailureDetails
  readonly fatal?: { readonly thrown: unknown } | undefined
}

/** Calls the compensation of a step, shielded from all that may have ended the saga, and again until its budget is spent. */
export async function undoStep(saga: Call, { entry, compensation, given }: StepUndoing): Promise<UndoFailure | undefined> {
  const { label, tool, backoff, deadlineMs } = compensation
  let input: unknown
  try {
    input = inputOf(entry, compensation, given)
  } catch (thrown) {
    return { error: detailsOf(thrown), fatal: isFatal(thrown) ? { thrown } : undefined }
  }
  const tried: Call[] = []
  for (let attempt = 1; ; attempt++) {
    const options = { attempt: ++entry.attempts, shielded: true, deadline: deadlineMs }
    const { call, result, fatal } = await callApart(saga, { label, tool, input, options })
    if (call !== undefined) tried.push(call)
    if (result.ok) {
      for (const each of tried) each.markUndone()
      return undefined
    }
    const { error } = result
    // Nothing can be recorded, so that nothing may begin: whoever takes the run up goes on from here.
    if (error.code === 'journal_failed') throw new ToolError(error.message, error)
    const isSpent = backoff.waitAfter(attempt, error, 0) === undefined
    if (fatal !== undefined || isSpent || !mayRetry(compensation, error)) return { error: failureData(error), fatal }
    const random = await saga.decide(`.jitter.${label}.${entry.attempts}`, saga.root.options.random ?? Math.random)
    await sleep(saga, backoff.waitAfter(attempt, error, random) ?? 0, {
      label: `.wait.${label}.${entry.attempts}`,
      scope: new Scope(saga.root.clock, Infinity),
    })
  }
}

function inputOf({ step, input, result }: LedgerEntry, compensation: StepCompensation, given: StepGiven): unknown {
  const value = result.ok ? result.value : undefined
  return adapt(`The input of the compensation of step '${step.label}'`, () =>
    compensation.input({ ...given, stepInput: input, result, value }),
  )
}

/** Whatever failed is tried again, but a person's no is one, and what may have happened is not done twice. */
function mayRetry({ tool }: StepCompensation, { class: errorClass, outcome }: FailureDetails): boolean {
  return errorClass !== 'rejected' && (outcome !== 'unknown' || mayRepeat(tool))
}

function detailsOf(thrown: unknown): FailureDetails {
  return failureData(failureDetails(classifyError(thrown)))
}
