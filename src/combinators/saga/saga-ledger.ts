import { failureMessage } from '../../tool/result/failure-details.ts'
import type { SagaState, ToolSuccess } from '../../tool/result/result.ts'
import { checkMayUndo, type Leftover, leavesEffect, markUndone, undoPart } from '../../tool/seam/undoing.ts'
import type { Whole } from '../../tool/seam/whole.ts'
import { type LedgerEntry, mustBeUndone, outcomeOf } from './ledger-entry.ts'
import { type Alarm, raiseAlarm } from './raise-alarm.ts'
import { isAbort, isOtherProgram, recordedFailure, type SagaFailure } from './saga-failure.ts'
import type { StepCompensation } from './saga-plan.ts'
import { isRetryAsked, writeRecord } from './saga-record.ts'
import { undoStep } from './undo-step.ts'
import { unreachedEffects } from './unreached-effects.ts'

/** The begun steps of a saga. They are undone from here: the latest first, each exactly once. */
export class SagaLedger {
  readonly whole: Whole
  readonly input: unknown
  readonly entries: LedgerEntry[] = []
  /** The results of the steps that succeeded, by their labels. */
  readonly results: Record<string, ToolSuccess> = {}
  state: SagaState = 'running'
  round = 1
  /** Undefined unless it failed by itself. */
  failure: SagaFailure | undefined
  /** A fatal error of a compensation, thrown after all is undone. */
  fatal: SagaFailure['fatal']

  /** Recorded effects that the program no longer reaches. */
  #unreached: readonly string[] = []

  constructor(whole: Whole, input: unknown) {
    this.whole = whole
    this.input = input
  }

  /** The values of the steps that succeeded, by their labels. */
  get values(): Record<string, unknown> {
    return Object.fromEntries(Object.entries(this.results).map(([label, { value }]) => [label, value]))
  }

  async enter(state: SagaState): Promise<void> {
    this.state = state
    const { round, failure, entries } = this
    const isOver = state !== 'running' && state !== 'completed' && state !== 'compensating'
    await writeRecord(this.whole, {
      state,
      round,
      ...(failure === undefined ? {} : { failure: recordedFailure(failure) }),
      ...(failure === undefined && (isOver || state === 'compensating') ? { hadCompleted: true } : {}),
      ...(isOver ? { outcomes: entries.toReversed().map(outcomeOf), notUndone: this.notUndone } : {}),
    })
  }

  /** Undoes all steps. Failed compensations are retried as often as a person has requested. */
  async undo(): Promise<void> {
    checkMayUndo(this.whole)
    for (;;) {
      await this.enter('compensating')
      for (const entry of this.entries.toReversed())
        if (entry.status === undefined || entry.status === 'failed') await this.#undoEntry(entry)
      await this.#accountForUnreached()
      await this.enter(this.#end)
      if (!this.canRetry || !isRetryAsked(this.whole, this.round)) return
      this.round++
    }
  }

  /** Another round for the failed compensations. */
  async undoAgain(): Promise<void> {
    this.round++
    await this.undo()
  }

  /** Called if a tool around it is undone: a completed saga is undone now; a failed one has undone itself. */
  async undoWithWhole(isAgain: boolean): Promise<readonly Leftover[]> {
    if (this.state === 'completed') await this.undo()
    else if (isAgain && this.canRetry) await this.undoAgain()
    const isReported = this.state === 'compensation_failed'
    const left = this.entries.flatMap(({ notUndone, error }) =>
      notUndone.map((path) => ({ path: `${this.whole.path}/${path}`, isReported, ...(error === undefined ? {} : { error }) })),
    )
    return [...left, ...this.#unreached.map((path) => ({ path: `${this.whole.path}/${path}`, isReported: true }))]
  }

  get hasUnreached(): boolean {
    return this.#unreached.length > 0
  }

  get canRetry(): boolean {
    return this.state === 'compensation_failed' && this.entries.some(({ status }) => status === 'failed')
  }

  get notUndone(): readonly string[] {
    return [...this.entries.flatMap((entry) => entry.notUndone), ...this.#unreached]
  }

  get #end(): SagaState {
    if (this.notUndone.length > 0) return 'compensation_failed'
    return this.failure !== undefined && isAbort(this.failure) ? 'aborted' : 'compensated'
  }

  async #accountForUnreached(): Promise<void> {
    this.#unreached = [...this.#unreached, ...unreachedEffects(this.whole, this.entries)]
    for (const step of this.#unreached)
      await this.#alarm({
        kind: 'not_undone',
        step,
        message: `Step '${step}' of '${this.whole.tool}' took effect, and the program no longer reaches it: it was not undone.`,
        isWarning: false,
      })
  }

  async #undoEntry(entry: LedgerEntry): Promise<void> {
    const { compensation } = entry.step
    if (!mustBeUndone(entry)) entry.status = 'not_needed'
    else if (compensation === 'irreversible') await this.#leave(entry)
    else if (compensation === undefined) await this.#undoInside(entry)
    else await this.#compensate(entry, compensation)
  }

  async #leave(entry: LedgerEntry): Promise<void> {
    const { label } = entry.step
    entry.status = 'skipped'
    entry.notUndone = [label]
    await this.#alarm({
      kind: 'not_undone',
      step: label,
      message: `Step '${label}' of '${this.whole.tool}' cannot be undone, and the saga failed after it.`,
      isWarning: false,
    })
  }

  async #compensate(entry: LedgerEntry, compensation: StepCompensation): Promise<void> {
    const { label } = entry.step
    const { input, results } = this
    const failed = await undoStep(this.whole, { entry, compensation, given: { input, results: { ...results } } })
    entry.status = failed === undefined ? 'undone' : 'failed'
    entry.error = failed?.error
    entry.notUndone = failed === undefined ? [] : [label]
    if (failed === undefined) {
      entry.parts.forEach(markUndone)
      return
    }
    if (failed.fatal !== undefined && isOtherProgram(failed.fatal.thrown)) throw failed.fatal.thrown
    this.fatal ??= failed.fatal
    await this.#alarm({
      kind: 'compensation_failed',
      step: label,
      message: `Step '${label}' of '${this.whole.tool}' could not be undone: ${failureMessage(failed.error)}`,
      error: failed.error,
      isWarning: false,
    })
  }

  /** In a step without a compensation, only the sagas inside it are undone. */
  async #undoInside(entry: LedgerEntry): Promise<void> {
    const { parts, step } = entry
    if (!parts.some(leavesEffect)) {
      entry.status = 'not_needed'
      return
    }
    const left: Leftover[] = []
    for (const each of parts.toReversed()) left.unshift(...(await undoPart(this.whole, each, entry.status === 'failed')))
    const failed = left.find(({ error }) => error !== undefined)
    entry.status = left.length === 0 ? 'undone' : failed === undefined ? 'skipped' : 'failed'
    entry.error = failed?.error
    entry.notUndone = left.map(({ path }) =>
      parts.some((each) => each.path === path) ? step.label : path.slice(this.whole.path.length + 1),
    )
    if (left.every(({ isReported }) => isReported)) return
    await this.#alarm({
      kind: 'not_undone',
      step: step.label,
      message: `Step '${step.label}' of '${this.whole.tool}' took effect and has no compensation: it was not undone.`,
      isWarning: true,
    })
  }

  #alarm(alarm: Omit<Alarm, 'round'>): Promise<void> {
    return raiseAlarm(this.whole, { ...alarm, round: this.round })
  }
}
