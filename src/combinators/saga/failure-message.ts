import { type Part, partsOf } from '../../tool/seam/parts.ts'
import type { SagaFailure } from './saga-failure.ts'
import type { SagaLedger } from './saga-ledger.ts'

/** What a saga that failed said of its undoing, at the end of its message. */
interface SagaText {
  readonly text: string
  /** The paths of what it undid, the latest first. */
  readonly undone: readonly string[]
}

const reports = new WeakMap<object, SagaText>()

/** Why the whole failed, what was undone and what was not. What a saga inside the failed step said of that is said once, with the rest. */
export function failureMessage({ whole, entries, notUndone }: SagaLedger, failure: SagaFailure): string {
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

export function sentence(text: string): string {
  return /[.!?]$/.test(text.trim()) ? text.trim() : `${text.trim()}.`
}

function toldInside(part: Part): readonly SagaText[] {
  const own = reports.get(part)
  return [...partsOf(part).flatMap(toldInside), ...(own === undefined ? [] : [own])]
}

/** The longest that fits: one of these texts may be the end of another. */
function withoutEnd(lead: string, inner: readonly SagaText[]): string {
  const ends = inner.map(({ text }) => text).filter((text) => lead.endsWith(text))
  const length = Math.max(0, ...ends.map((text) => text.length))
  return lead.slice(0, lead.length - length).trimEnd()
}

function leadOf({ step, error }: SagaFailure): string {
  return step === undefined ? error.message : `Step '${step}' failed: ${error.message}`
}

function undoneText(undone: readonly string[], left: readonly string[]): string {
  if (left.length === 0) return undone.length === 0 ? 'There was nothing to undo.' : `Undone: ${undone.join(', ')}.`
  return `Not undone: ${left.join(', ')}.${undone.length === 0 ? '' : ` Undone: ${undone.join(', ')}.`}`
}
