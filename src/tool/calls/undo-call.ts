import type { FailureDetails } from '../result.ts'
import type { Call } from './call.ts'

/** An effect that stands, though what it belonged to is undone. */
export interface Leftover {
  readonly path: string
  /** Why it stands: undoing it was tried and failed; without one, there is no way to undo it. */
  readonly error?: FailureDetails | undefined
  /** Whoever is on call has been told of it. */
  readonly isTold: boolean
}

/** Undoes what a call did and gives what it could not undo. The second time it tries again what failed. */
export type Undoing = (isAgain: boolean) => Promise<readonly Leftover[]>

const undoings = new WeakMap<Call, Undoing>()

/** Says how a call is undone by itself, however deep it lies in what is to be undone. */
export function giveUndoing(call: Call, undoing: Undoing): void {
  undoings.set(call, undoing)
}

/** Undoes what can be undone of a call and of those inside it, the latest first. */
export async function undoCall(call: Call, isAgain = false): Promise<readonly Leftover[]> {
  const left = await (undoings.get(call)?.(isAgain) ?? undoParts(call, isAgain))
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
  return call.behaviour.leaf ? tookEffect(call) : call.allParts.some(leavesEffect)
}

/** Of a step that never ended nobody knows. */
function tookEffect({ effect, result, fatalOutcome = 'unknown' }: Call): boolean {
  if (effect === 'read') return false
  return result === undefined ? fatalOutcome === 'unknown' : result.ok || result.error.outcome === 'unknown'
}
