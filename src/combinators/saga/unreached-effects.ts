import { isUndoingOver, undoingOf } from '../../tool/journal/undoing.ts'
import { decidedAt } from '../../tool/seam/recorded.ts'
import { passOverUndone, refuseUnreached, unreachedSteps } from '../../tool/seam/undoing.ts'
import type { Whole } from '../../tool/seam/whole.ts'
import type { LedgerEntry } from './ledger-entry.ts'
import { SAGA_MARK } from './saga-record.ts'

/**
 * The recorded effects that a resumed saga did not reach before its undoing, by their paths within it: the program has changed, or the call
 * to them is refused. Effects inside a step are undone by its compensation; a step without one is undone only as far as it was reached.
 */
export function unreachedEffects(saga: Whole, entries: readonly LedgerEntry[]): readonly string[] {
  const compensated = entries.filter(({ step, status }) => status === 'undone' && step.compensation !== undefined)
  for (const part of compensated.flatMap(({ parts }) => parts)) passOverUndone(saga, part)
  const left = unreachedSteps(saga).filter(({ path }) => !isUndoneInside(saga, path))
  passOverUndone(saga, saga)
  return left.map(({ path }) => path.slice(saga.path.length + 1))
}

/**
 * Throws before a resumed saga continues its undoing if the program no longer reaches a step that took effect: it would never be undone.
 * The version that began the run can undo it. A run that is cancelled or out of time is undone as far as possible.
 */
export function checkReached(saga: Whole, entries: readonly LedgerEntry[]): void {
  const reached = new Set(entries.map(({ step }) => step.label))
  if (unreachedSteps(saga).some(({ path }) => !reached.has(stepOf(saga, path)))) refuseUnreached(saga)
}

function stepOf(saga: Whole, path: string): string {
  const [label = ''] = path.slice(saga.path.length + 1).split(/[/:@]/, 1)
  return label
}

/** A saga in between has undone it, or has reported that it could not. */
function isUndoneInside(saga: Whole, path: string): boolean {
  for (let end = path.lastIndexOf('/'); end > saga.path.length; end = path.lastIndexOf('/', end - 1)) {
    const inner = path.slice(0, end)
    const recorded = decidedAt(saga, inner, SAGA_MARK)
    const undoing = recorded === undefined ? undefined : undoingOf({ path: `${inner}${SAGA_MARK}`, ...recorded })
    if (undoing !== undefined && isUndoingOver(undoing)) return true
  }
  return false
}
