import { adapt } from '../../tool/adapt.ts'
import type { Call } from '../../tool/engine/call.ts'
import { holdUntilCaughtUp } from '../../tool/engine/catch-up.ts'
import { cutError } from '../../tool/engine/cut-error.ts'
import { diverged } from '../../tool/engine/decide.ts'
import { isFatal } from '../../tool/engine/fatal.ts'
import type { Closure } from '../../tool/engine/scope.ts'
import { withCompensation, withSteps } from '../../tool/result/amendments.ts'
import { failureDetails, revivedDetails } from '../../tool/result/failure-details.ts'
import { SettledFailure, SettledSuccess } from '../../tool/result/settled.ts'
import { giveUndoing } from '../../tool/engine/undo-call.ts'
import { classifyError } from '../../tool/errors/classify-error.ts'
import { ConfigurationError } from '../../tool/errors/configuration-error.ts'
import { isToolError } from '../../tool/errors/tool-error.ts'
import type { Journal } from '../../tool/journal/journal.ts'
import type { FailureDetails } from '../../tool/result/result.ts'
import { callStep, type StepEnd } from './call-step.ts'
import { checkKept } from './kept-results.ts'
import { pastJournal, presentJournal } from './past-journal.ts'
import { keepForRetry } from './retry-compensation.ts'
import { isOtherProgram, isRecordedFatal, revivedFailure, type SagaFailure } from './saga-failure.ts'
import { SagaLedger } from './saga-ledger.ts'
import type { SagaPlan, SagaStep, StepGiven } from './saga-plan.ts'
import { readRecord, type RecordedFailure, type SagaRecord } from './saga-record.ts'
import { checkReached } from './unreached-effects.ts'
import { brokenOff, failedResult, reportOf } from './saga-report.ts'

/** What is around the saga has been cut off. */
const OVER: Closure = { kind: 'cancelled' }

/** Runs the steps in order; when one fails, undoes those before it. It ends when that is done, whatever has become of its caller. */
export async function runSaga(plan: SagaPlan, input: unknown, call: Call): Promise<SettledSuccess | SettledFailure> {
  const run = new SagaRun(plan, input, call)
  // Until then it is never idle: a compound that is, when its scope has closed, is let go.
  call.began()
  try {
    return await run.toItsEnd()
  } finally {
    call.ended()
  }
}

class SagaRun {
  readonly #plan: SagaPlan
  readonly #call: Call
  readonly #ledger: SagaLedger
  /** By which steps come only as far as they had come: this saga is being undone, or what is around it. */
  #past: Journal | undefined
  #output: unknown

  constructor(plan: SagaPlan, input: unknown, call: Call) {
    this.#plan = plan
    this.#call = call
    this.#ledger = new SagaLedger(call, input)
    if (call.journal !== undefined && presentJournal(call.journal) !== call.journal) {
      this.#past = call.journal
      call.journal = presentJournal(call.journal)
    }
    // What an attempt before did is undone: under the same keys, services would take this one for a repetition of it.
    for (let attempt = 0; attempt < call.triedBefore; attempt++) call.raiseGeneration()
    giveUndoing(call, { undo: (isAgain) => this.#ledger.undoWithWhole(isAgain), hasUnreached: () => this.#ledger.hasUnreached })
  }

  async toItsEnd(): Promise<SettledSuccess | SettledFailure> {
    try {
      return await this.#run()
    } catch (thrown) {
      if (isToolError(thrown) && thrown.code === 'journal_failed') return brokenOff(this.#ledger, failureDetails(thrown))
      throw thrown
    }
  }

  async #run(): Promise<SettledSuccess | SettledFailure> {
    const ledger = this.#ledger
    const record = readRecord(this.#call)
    if (record === undefined) checkReviewer(this.#plan, this.#call)
    const isNew = record === undefined || record.state === 'running'
    await ledger.enter('running')
    const failure = await this.#goForward(record)
    if (failure === undefined) {
      if (isNew) await holdUntilCaughtUp(this.#call, `the end of ${this.#call.path}`)
      await ledger.enter('completed')
      return withCompensation(new SettledSuccess(this.#call, this.#output), reportOf(ledger))
    }
    if (failure.fatal !== undefined && isOtherProgram(failure.fatal.thrown)) throw failure.fatal.thrown
    if (failure.error.code === 'journal_failed' && this.#call.journal !== undefined) return brokenOff(ledger, failure.error)
    if (isNew) await holdUntilCaughtUp(this.#call, `the undoing of ${this.#call.path}`)
    else checkReached(this.#call, ledger.entries)
    ledger.failure = failure
    await ledger.undo()
    const fatal = failure.fatal ?? ledger.fatal
    if (fatal !== undefined) throw fatal.thrown
    return withCompensation(failedResult(ledger, failure), keepForRetry(ledger))
  }

  /** Gives why it did not come to its end, if it did not. With a recorded failure it goes no further than that. */
  async #goForward(record: SagaRecord | undefined): Promise<SagaFailure | undefined> {
    const { journal } = this.#call
    const recorded = record?.failure
    if (recorded !== undefined && journal !== undefined) this.#past ??= pastJournal(journal)
    for (const step of this.#plan.steps) {
      if (this.#call.scope.closed !== undefined && this.#isAddedRead(step, recorded)) continue
      const failure = await this.#take(step, recorded)
      if (failure !== undefined) return failure
    }
    if (recorded !== undefined) return revivedFailure(recorded, undefined)
    // One that is recorded as completed stays so: what is around it has gone on.
    const isEnding = record === undefined || record.state === 'running'
    return (isEnding ? this.#cancelledLate() : undefined) ?? this.#makeOutput() ?? (isEnding ? this.#unkeepable() : undefined)
  }

  async #take(step: SagaStep, recorded: RecordedFailure | undefined): Promise<SagaFailure | undefined> {
    const { entries, results } = this.#ledger
    const isRecordedHere = recorded?.step === step.label
    const end = await this.#begin(step, isRecordedHere ? recorded : undefined)
    const result = isRecordedHere ? asRecorded(this.#call, end, recorded) : end.result
    const { call, calls, fatal, attempts } = end
    const wasFatal = fatal !== undefined || (isRecordedHere && recorded.fatal !== undefined)
    entries.push({ step, call, calls, input: end.input, result, isFatal: wasFatal, attempts: 0, notUndone: [] })
    if (isRecordedHere) return revivedFailure(recorded, fatal)
    if (result.ok) {
      results[step.label] = result.value
      return undefined
    }
    if (recorded === undefined) return { step: step.label, attempts, error: result.error, fatal }
    if (fatal !== undefined) throw fatal.thrown
    throw diverged(this.#call, `${this.#call.path}/${step.label}`, 'a step that fails', 'a step that succeeded')
  }

  async #begin(step: SagaStep, recorded: RecordedFailure | undefined): Promise<StepEnd & { readonly input: unknown }> {
    const saga = this.#call
    const { label, input: make } = step
    let input: unknown
    try {
      input =
        make === undefined ? this.#ledger.input : adapt(`The input of step '${label}'`, () => make(this.#given), { outcome: 'not_started' })
    } catch (thrown) {
      const result = new SettledFailure(saga, failureDetails(classifyError(thrown)), true)
      return { call: undefined, calls: [], input, result, fatal: isFatal(thrown) ? { thrown } : undefined, attempts: 0 }
    }
    const { journal, scope } = saga
    const past = this.#isAddedRead(step, recorded)
      ? undefined
      : (this.#past ?? (scope.closed === undefined || journal === undefined ? undefined : pastJournal(journal)))
    const end = await callStep(saga, { step, input, past, attempts: recorded?.attempts })
    const { call, result } = end
    const given = { ...end, input: call === undefined ? input : call.given }
    if (past === undefined || result.ok || result.error.code !== 'journal_failed') return given
    const error = cutError(scope.closed ?? OVER, `step '${label}' of '${saga.tool}' did not go on`, result.error.outcome)
    return { ...given, result: replaced(call, new SettledFailure(call ?? saga, failureDetails(error), false)) }
  }

  /**
   * A step that only reads may be added to the program, also of a saga that is being undone: it is simply called. In a closed scope it cannot
   * be called, and is skipped as long as steps after it have still to be reached.
   */
  #isAddedRead({ label, tool }: SagaStep, recorded: RecordedFailure | undefined): boolean {
    const { path, root } = this.#call
    if (label === recorded?.step || tool.effect !== 'read' || root.replay?.holds(`${path}/${label}`) !== false) return false
    return root.replay.isCatchingUpIn(path)
  }

  /** Whoever cancelled it will not look at what it came to. */
  #cancelledLate(): SagaFailure | undefined {
    const { closed } = this.#call.scope
    const canBeUndone = this.#plan.steps.every(({ compensation }) => compensation !== 'irreversible')
    if (closed?.kind !== 'cancelled' || !canBeUndone) return undefined
    return failedAfterwards(failureDetails(cutError(closed, `'${this.#call.tool}' had just ended`, 'failed')))
  }

  #makeOutput(): SagaFailure | undefined {
    const { output } = this.#plan
    try {
      this.#output =
        output === undefined ? { ...this.#ledger.results } : adapt(`The output of '${this.#plan.name}'`, () => output(this.#given))
      return undefined
    } catch (thrown) {
      return { ...failedAfterwards(failureDetails(classifyError(thrown))), fatal: isFatal(thrown) ? { thrown } : undefined }
    }
  }

  /** A recorded run that ended with what cannot be recorded would fail, with nobody left to undo it. */
  #unkeepable(): SagaFailure | undefined {
    const { journal } = this.#call
    if (journal === undefined) return undefined
    try {
      checkKept(journal, this.#output)
      return undefined
    } catch (thrown) {
      const error = failureDetails(classifyError(thrown))
      return failedAfterwards({ ...error, message: `The output of '${this.#plan.name}' cannot be recorded. ${error.message}` })
    }
  }

  get #given(): StepGiven {
    const { input, results } = this.#ledger
    return { input, results: { ...results } }
  }
}

function failedAfterwards(error: FailureDetails): SagaFailure {
  return { step: undefined, attempts: 0, error, fatal: undefined }
}

/** What the step came to when it failed, whatever it comes to now that nothing begins in it any more. */
function asRecorded(saga: Call, { call, result, fatal }: StepEnd, recorded: RecordedFailure): StepEnd['result'] {
  if (fatal !== undefined) {
    if (!isRecordedFatal(recorded, fatal)) throw fatal.thrown
    return result
  }
  const { error } = recorded
  if (!result.ok && result.error.message === error.message && result.error.outcome === error.outcome) return result
  return replaced(call, new SettledFailure(call ?? saga, revivedDetails(error), false))
}

/** The step shows it too. */
function replaced(call: Call | undefined, result: SettledFailure): SettledFailure {
  if (call?.result === undefined) return result
  const shown = withSteps(result, call.result.steps)
  call.result = shown
  return shown
}

/** Told before anything runs, and not when the step's turn comes. */
function checkReviewer({ steps }: SagaPlan, { root }: Call): void {
  const gated = steps.find(({ isGated }) => isGated)
  if (gated === undefined || root.options.review !== undefined) return
  throw new ConfigurationError('missing_review_handler', `Tool '${gated.tool.name}' requires approval but no ReviewHandler is configured.`)
}
