import type { FailureDetails } from '../result/result.ts'
import type { Call } from './call.ts'

/** An effect that stands, though what it belonged to is undone. */
export interface Leftover {
  readonly path: string
  /** Why it stands: undoing it was tried and failed; without one, there is no way to undo it. */
  readonly error?: FailureDetails | undefined
  /** Whoever is on call has been told of it. */
  readonly isTold: boolean
}

export interface Undoing {
  /** Undoes the call and gives the effects that stand. The second time it tries again what failed. */
  readonly undo: (isAgain: boolean) => Promise<readonly Leftover[]>
  /** Whether effects of it stand that none of its parts shows: a run that was taken up did not reach them. */
  readonly hasUnreached: () => boolean
}

const undoings = new WeakMap<Call, Undoing>()

/** Says how a call is undone by itself, however deep it lies in what is to be undone. */
export function giveUndoing(call: Call, undoing: Undoing): void {
  undoings.set(call, undoing)
}

/** Undoes what can be undone of a call and of those inside it, the latest first. */
export async function undoCall(call: Call, isAgain = false): Promise<readonly Leftover[]> {
  const left = await (undoings.get(call)?.undo(isAgain) ?? undoParts(call, isAgain))
  if (left.length === 0) call.markUndone()
  return left
}

async function undoParts(call: Call, isAgain: boolean): Promise<readonly Leftover[]> {
  if (call.behaviour.leaf) return tookEffect(call) ? [{ path: call.path, isTold: false }] : []
  const left: Leftover[] = []
  for (const part of call.allParts.toReversed()) left.unshift(...(await undoCall(part, isAgain)))
  return left
}

/** Whether something in a call took effect, or may have, and was not undone. */
export function leavesEffect(call: Call): boolean {
  if (call.isUndone) return false
  if (undoings.get(call)?.hasUnreached() === true) return true
  return call.behaviour.leaf ? tookEffect(call) : call.allParts.some(leavesEffect)
}

/** Of a step that never ended nobody knows. */
function tookEffect({ effect, result, fatalOutcome = 'unknown' }: Call): boolean {
  if (effect === 'read') return false
  return result === undefined ? fatalOutcome === 'unknown' : result.ok || result.error.outcome === 'unknown'
}
