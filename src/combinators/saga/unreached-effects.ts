import type { Call } from '../../tool/engine/call.ts'
import { isCutOff } from '../../tool/engine/catch-up.ts'
import { effectsAmong } from '../../tool/engine/unvisited-effects.ts'
import { isUndoingOver, undoingOf } from '../../tool/journal/undoing.ts'
import type { LedgerEntry } from './ledger-entry.ts'
import { pathOf } from './saga-record.ts'

/**
 * When a saga that was taken up has undone all that it reached: the effects that it recorded and did not reach, by their paths within it. The
 * program has changed, or what led to them is refused. What belongs to a step that its compensation undid is undone with it; a step without
 * one is undone only as far as it was reached.
 */
export function unreachedEffects(saga: Call, entries: readonly LedgerEntry[]): readonly string[] {
  const { replay } = saga.root
  if (replay?.isCatchingUp !== true) return []
  const compensated = entries.filter(({ step, status }) => status === 'undone' && step.compensation !== undefined)
  for (const { path } of compensated.flatMap(({ calls }) => calls)) replay.passOver(path)
  const left = effectsAmong(replay.unvisitedIn(saga.path), saga.built).filter(({ path }) => !isUndoneInside(saga, path))
  replay.passOver(saga.path)
  return left.map(({ path }) => path.slice(saga.path.length + 1))
}

/**
 * Before a saga that was taken up goes on undoing: a step that took effect and that its program does not come to any more would never be
 * undone. Under the version that began the run it can be. A run that is cancelled or out of time is undone as far as it can be.
 */
export function checkReached(saga: Call, entries: readonly LedgerEntry[]): void {
  const { replay } = saga.root
  if (replay?.isCatchingUp !== true || isCutOff(saga)) return
  const reached = new Set(entries.map(({ step }) => step.label))
  const missed = effectsAmong(replay.unvisitedIn(saga.path), saga.built).filter(({ path }) => !reached.has(stepOf(saga, path)))
  if (missed.length > 0) throw replay.divergence(`undoes '${saga.path}'`)
}

function stepOf(saga: Call, path: string): string {
  const [label = ''] = path.slice(saga.path.length + 1).split(/[/:@]/, 1)
  return label
}

/** A saga in between has undone it, or has said that it could not. */
function isUndoneInside({ path: around, journal }: Call, path: string): boolean {
  for (let end = path.lastIndexOf('/'); end > around.length; end = path.lastIndexOf('/', end - 1)) {
    const entry = journal?.read(pathOf({ path: path.slice(0, end) }))
    const undoing = entry === undefined ? undefined : undoingOf(entry)
    if (undoing !== undefined && isUndoingOver(undoing)) return true
  }
  return false
}
