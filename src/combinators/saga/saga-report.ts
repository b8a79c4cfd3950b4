import { withCompensation } from '../../tool/result/amendments.ts'
import { failureData, failureMessage } from '../../tool/result/failure-details.ts'
import type { FailureDetails, SagaReport } from '../../tool/result/result.ts'
import { SettledFailure } from '../../tool/result/settled.ts'
import { failureOf } from '../../tool/seam/failures.ts'
import { type Part, partsOf } from '../../tool/seam/parts.ts'
import { isDurable } from '../../tool/seam/whole.ts'
import { keptResults } from './kept-results.ts'
import { type LedgerEntry, mustBeUndone, outcomeOf } from './ledger-entry.ts'
import type { SagaFailure } from './saga-failure.ts'
import type { SagaLedger } from './saga-ledger.ts'

const LOOK = 'The effects of the steps listed as not undone remain. A person must correct this; do not repeat the call before.'

/** The report of a saga. */
export function reportOf(ledger: SagaLedger): SagaReport {
  const { whole, state, failure, entries, notUndone, values } = ledger
  const durable = isDurable(whole)
  if (failure === undefined) return { state, durable, outcomes: [], notUndone: [] }
  return {
    state,
    path: whole.path,
    durable,
    ...(failure.step === undefined ? {} : { failedStep: failure.step }),
    error: failureData(failure.error),
    outcomes: entries.toReversed().map(outcomeOf),
    notUndone,
    results: keptResults(whole, values),
  }
}

/** The failure of the saga: the step's failure, and which steps were undone. If all were, repeating is safe. */
export function failedResult(ledger: SagaLedger, failure: SagaFailure): SettledFailure {
  const { whole, entries, notUndone } = ledger
  const { step: _inner, ...error } = failure.error
  const message = messageOf(ledger, failure)
  const details: FailureDetails =
    notUndone.length === 0
      ? { ...error, message, outcome: error.outcome === 'not_started' ? 'not_started' : 'failed' }
      : { ...error, message, outcome: 'unknown', retryable: false, hint: error.class === 'rejected' ? `${error.hint} ${LOOK}` : LOOK }
  return failureOf(whole, details, wasThrown(entries.at(-1)))
}

/** The journal failed: nothing can be recorded, so nothing may begin, not even undoing. */
export function brokenOff(ledger: SagaLedger, error: FailureDetails): SettledFailure {
  const { whole, state, entries, values } = ledger
  const standing = entries.filter((entry) => mustBeUndone(entry) && entry.status !== 'undone').map(({ step }) => step.label)
  const message = `${sentence(error.message)} The saga '${whole.tool}' is in its recorded state (${state}); resume it from its journal.`
  return withCompensation(failureOf(whole, { ...error, message }), {
    state,
    path: whole.path,
    durable: isDurable(whole),
    error: failureData(error),
    outcomes: entries.toReversed().flatMap((entry) => (entry.status === undefined ? [] : outcomeOf(entry))),
    notUndone: standing,
    results: keptResults(whole, values),
  })
}

/** Metrics distinguish thrown failures from returned ones. */
function wasThrown(last: LedgerEntry | undefined): boolean {
  return last?.result instanceof SettledFailure && last.result.thrown
}

/** The text about the undoing at the end of the message of a failed saga. */
interface SagaText {
  readonly text: string
  /** The paths of the undone steps, the latest first. */
  readonly undone: readonly string[]
}

const reports = new WeakMap<object, SagaText>()

/** Why the saga failed, and which steps were undone and which were not. Texts of sagas inside the failed step are not repeated. */
function messageOf({ whole, entries, notUndone }: SagaLedger, failure: SagaFailure): string {
  const failed = failure.step === undefined ? undefined : entries.at(-1)
  const inner = failed === undefined ? [] : failed.parts.flatMap(toldInside).toReversed()
  const undone = entries.toReversed().flatMap((entry) => {
    if (entry.status === 'undone') return [`${whole.path}/${entry.step.label}`]
    return entry === failed ? inner.flatMap((each) => each.undone) : []
  })
  const paths = [...new Set(undone)]
  const text = undoneText(
    paths.map((path) => path.slice(whole.path.length + 1)),
    notUndone,
  )
  reports.set(whole, { text, undone: paths })
  return `${withoutEnd(sentence(leadOf(failure)), inner)} ${text}`
}

function sentence(text: string): string {
  return /[.!?]$/.test(text.trim()) ? text.trim() : `${text.trim()}.`
}

function toldInside(part: Part): readonly SagaText[] {
  const own = reports.get(part)
  return [...partsOf(part).flatMap(toldInside), ...(own === undefined ? [] : [own])]
}

/** Removes the longest matching text: one of these texts may be the end of another. */
function withoutEnd(lead: string, inner: readonly SagaText[]): string {
  const ends = inner.map(({ text }) => text).filter((text) => lead.endsWith(text))
  const length = Math.max(0, ...ends.map((text) => text.length))
  return lead.slice(0, lead.length - length).trimEnd()
}

function leadOf({ step, error }: SagaFailure): string {
  return failureMessage({ step, message: failureMessage(error) })
}

function undoneText(undone: readonly string[], left: readonly string[]): string {
  if (left.length === 0) return undone.length === 0 ? 'There was nothing to undo.' : `Undone: ${undone.join(', ')}.`
  return `Not undone: ${left.join(', ')}.${undone.length === 0 ? '' : ` Undone: ${undone.join(', ')}.`}`
}
