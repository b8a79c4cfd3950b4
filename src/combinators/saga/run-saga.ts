import { adapt } from '../../tool/adapt.ts'
import type { SettledFailure, SettledSuccess } from '../../tool/result/settled.ts'
import { ConfigurationError } from '../../tool/errors/configuration-error.ts'
import { isToolError } from '../../tool/errors/tool-error.ts'
import { withCompensation } from '../../tool/result/amendments.ts'
import { revivedDetails } from '../../tool/result/failure-details.ts'
import type { FailureDetails } from '../../tool/result/result.ts'
import { attempts, type AttemptsEnd } from '../../tool/seam/attempts.ts'
import { type AnyGiven, FirstGiven, GivenToStep } from '../../tool/given/step-given.ts'
import { refuseDetached } from '../../tool/seam/detached-steps.ts'
import { detailsOf, failureOf, successOf } from '../../tool/seam/failures.ts'
import { fatalIn, type Part, renewKeys, showResult, takeLeaveOfPast } from '../../tool/seam/parts.ts'
import { diverged, hadBegun, isCatchingUp, untilCaughtUp } from '../../tool/seam/recorded.ts'
import { mayRetry } from '../../tool/retry-rules.ts'
import { giveUndoing } from '../../tool/seam/undoing.ts'
import { closedError, isCancelled, toItsEnd } from '../../tool/seam/waiting.ts'
import { checkRecordable, isClosed, isRecorded, settingsOf, type Whole } from '../../tool/seam/whole.ts'
import { keepForRetry } from './retry-compensation.ts'
import { isOtherProgram, isRecordedFatal, revivedFailure, type SagaFailure } from './saga-failure.ts'
import { SagaLedger } from './saga-ledger.ts'
import type { SagaPlan, SagaStep } from './saga-plan.ts'
import { readRecord, type RecordedFailure, type SagaRecord } from './saga-record.ts'
import { brokenOff, failedResult, reportOf } from './saga-report.ts'
import { checkReached } from './unreached-effects.ts'

/** Runs the steps in order; if one fails, undoes those before it. It ends after the undoing, even if its caller has ended. */
export function runSaga(plan: SagaPlan, input: unknown, whole: Whole): Promise<SettledSuccess | SettledFailure> {
  return toItsEnd(whole, () => new SagaRun(plan, input, whole).run())
}

class SagaRun {
  readonly #plan: SagaPlan
  readonly #whole: Whole
  readonly #ledger: SagaLedger
  /** Steps only replay their records: this saga, or a tool around it, is being undone. */
  #isPast: boolean
  #output: unknown

  constructor(plan: SagaPlan, input: unknown, whole: Whole) {
    this.#plan = plan
    this.#whole = whole
    this.#ledger = new SagaLedger(whole, input)
    this.#isPast = takeLeaveOfPast(whole)
    renewKeys(whole)
    giveUndoing(whole, { undo: (isAgain) => this.#ledger.undoWithWhole(isAgain), hasUnreached: () => this.#ledger.hasUnreached })
  }

  async run(): Promise<SettledSuccess | SettledFailure> {
    try {
      return await this.#run()
    } catch (thrown) {
      if (isToolError(thrown) && thrown.code === 'journal_failed') return brokenOff(this.#ledger, detailsOf(thrown))
      throw thrown
    }
  }

  async #run(): Promise<SettledSuccess | SettledFailure> {
    const ledger = this.#ledger
    const record = readRecord(this.#whole)
    if (record === undefined) checkReviewer(this.#plan, this.#whole)
    refuseDetached(this.#whole)
    const isNew = record === undefined || record.state === 'running'
    await ledger.enter('running')
    const failure = await this.#goForward(record)
    if (failure === undefined) {
      if (isNew) await untilCaughtUp(this.#whole, 'the end')
      await ledger.enter('completed')
      return withCompensation(successOf(this.#whole, this.#output), reportOf(ledger))
    }
    if (failure.fatal !== undefined && isOtherProgram(failure.fatal.thrown)) throw failure.fatal.thrown
    if (failure.error.code === 'journal_failed' && isRecorded(this.#whole)) return brokenOff(ledger, failure.error)
    if (isNew) await untilCaughtUp(this.#whole, 'the undoing')
    else checkReached(this.#whole, ledger.entries)
    ledger.failure = failure
    await ledger.undo()
    const fatal = failure.fatal ?? ledger.fatal
    if (fatal !== undefined) throw fatal.thrown
    return withCompensation(failedResult(ledger, failure), keepForRetry(ledger))
  }

  /** Returns the failure if the saga did not complete. It goes no further than a recorded failure. */
  async #goForward(record: SagaRecord | undefined): Promise<SagaFailure | undefined> {
    const recorded = record?.failure
    if (recorded !== undefined) this.#isPast = true
    for (const step of this.#plan.steps) {
      if (isClosed(this.#whole) && this.#isAddedRead(step, recorded)) continue
      const failure = await this.#take(step, recorded)
      if (failure !== undefined) return failure
    }
    if (recorded !== undefined) return revivedFailure(recorded, undefined)
    // A saga recorded as completed stays completed: the run has continued after it.
    const isEnding = record === undefined || record.state === 'running'
    return (isEnding ? this.#cancelledLate() : undefined) ?? this.#makeOutput() ?? (isEnding ? this.#unkeepable() : undefined)
  }

  async #take(step: SagaStep, recorded: RecordedFailure | undefined): Promise<SagaFailure | undefined> {
    const { entries, results } = this.#ledger
    const isRecordedHere = recorded?.step === step.label
    const end = await this.#begin(step, isRecordedHere ? recorded : undefined)
    const result = isRecordedHere ? asRecorded(this.#whole, end, recorded) : end.result
    const { part, parts, fatal } = end
    const wasFatal = fatal !== undefined || (isRecordedHere && recorded.fatal !== undefined)
    entries.push({ step, part, parts, input: end.input, result, isFatal: wasFatal, attempts: 0, undoParts: [], notUndone: [] })
    if (isRecordedHere) return revivedFailure(recorded, fatal)
    if (result.ok) {
      results[step.label] = result
      return undefined
    }
    if (recorded === undefined) return { step: step.label, attempts: end.attempts, error: result.error, fatal }
    if (fatal !== undefined) throw fatal.thrown
    throw diverged(this.#whole, step.label, 'a step that fails', 'a step that succeeded')
  }

  async #begin(step: SagaStep, recorded: RecordedFailure | undefined): Promise<AttemptsEnd & { readonly input: unknown }> {
    const saga = this.#whole
    const { label, tool, backoff, input: make } = step
    let input: unknown
    try {
      input =
        make === undefined ? this.#ledger.input : adapt(`The input of step '${label}'`, () => make(this.#given), { outcome: 'not_started' })
    } catch (thrown) {
      const result = failureOf(saga, detailsOf(thrown), true)
      return { part: undefined, parts: [], input, result, fatal: fatalIn(thrown), attempts: 0, tried: undefined }
    }
    // A step that has begun goes on to its end, so that its shielded calls are made: nothing else begins in a closed scope.
    const isPast =
      !(step.compensation === undefined && this.#isAddedRead(step, recorded)) &&
      isRecorded(saga) &&
      (this.#isPast || (isClosed(saga) && !hadBegun(saga, label)))
    const end = await attempts(saga, {
      ...{ label, tool, input, backoff, isPast, last: recorded?.attempts },
      mayRetry: (error) => mayRetry(tool, error),
    })
    const { part, result } = end
    const given = { ...end, input: part === undefined ? input : part.given }
    if (!isPast || result.ok || result.error.code !== 'journal_failed') return given
    const error = closedError(saga, `step '${label}' of '${saga.tool}' did not go on`, result.error.outcome)
    return { ...given, result: shown(part, failureOf(part ?? saga, detailsOf(error))) }
  }

  /**
   * A changed program may add a step that only reads, even to a saga that is being undone: it is called. In a closed scope it cannot be
   * called, and is skipped while recorded steps after it are not reached. One with a compensation is not called: its undoing would be new.
   */
  #isAddedRead({ label, tool }: SagaStep, recorded: RecordedFailure | undefined): boolean {
    if (label === recorded?.step || tool.effect !== 'read' || hadBegun(this.#whole, label)) return false
    return isCatchingUp(this.#whole)
  }

  /** The caller cancelled it and will not read its result. */
  #cancelledLate(): SagaFailure | undefined {
    const canBeUndone = this.#plan.steps.every(({ compensation }) => compensation !== 'irreversible')
    if (!isCancelled(this.#whole) || !canBeUndone) return undefined
    return failedAfterwards(detailsOf(closedError(this.#whole, `'${this.#whole.tool}' had just ended`, 'failed')))
  }

  #makeOutput(): SagaFailure | undefined {
    const { output } = this.#plan
    try {
      this.#output = output === undefined ? this.#ledger.values : adapt(`The output of '${this.#plan.name}'`, () => output(this.#given))
      return undefined
    } catch (thrown) {
      return { ...failedAfterwards(detailsOf(thrown)), fatal: fatalIn(thrown) }
    }
  }

  /** A run whose result cannot be recorded would fail after the saga, and nothing would undo it. */
  #unkeepable(): SagaFailure | undefined {
    try {
      checkRecordable(this.#whole, this.#output)
      return undefined
    } catch (thrown) {
      const error = detailsOf(thrown)
      return failedAfterwards({ ...error, message: `The output of '${this.#plan.name}' cannot be recorded. ${error.message}` })
    }
  }

  get #given(): AnyGiven {
    const { input, results, entries } = this.#ledger
    const before = entries.at(-1)?.result
    return new GivenToStep(input, before?.ok === true ? before : new FirstGiven(input), results)
  }
}

function failedAfterwards(error: FailureDetails): SagaFailure {
  return { step: undefined, attempts: 0, error, fatal: undefined }
}

/** The recorded failure of the step: a replay in which nothing new begins may end differently. */
function asRecorded(saga: Whole, { part, result, fatal }: AttemptsEnd, recorded: RecordedFailure): AttemptsEnd['result'] {
  if (fatal !== undefined) {
    if (!isRecordedFatal(recorded, fatal)) throw fatal.thrown
    return result
  }
  const { error } = recorded
  if (!result.ok && result.error.message === error.message && result.error.outcome === error.outcome) return result
  return shown(part, failureOf(part ?? saga, revivedDetails(error)))
}

/** The step shows the same result. */
function shown(part: Part | undefined, result: SettledFailure): SettledFailure {
  return part === undefined ? result : showResult(part, result)
}

/** Checked before anything runs, not when the step begins. */
function checkReviewer({ steps }: SagaPlan, whole: Whole): void {
  const gated = steps.find(({ isGated }) => isGated)
  if (gated === undefined || settingsOf(whole).review !== undefined) return
  throw new ConfigurationError(
    'missing_review_handler',
    `Tool '${gated.tool.name}' requires approval but no ReviewHandler is configured. Pass one as 'review'.`,
  )
}
