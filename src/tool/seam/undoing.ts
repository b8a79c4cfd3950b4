import type { Call } from '../engine/call.ts'
import { checkNotRefused, isCutOff } from '../engine/catch-up.ts'
import { underWay } from '../engine/under-way.ts'
import { effectsAmong } from '../engine/unvisited-effects.ts'
import type { CallEntry } from '../journal/journal.ts'
import type { FailureDetails } from '../result/result.ts'
import { callOf } from './call-of.ts'
import type { Part } from './parts.ts'
import type { Whole } from './whole.ts'

/** An effect that was not undone, though its whole was. */
export interface Leftover {
  readonly path: string
  /** Why: undoing it was tried and failed; without one, there is no way to undo it. */
  readonly error?: FailureDetails | undefined
  /** The people on call have been told of it. */
  readonly isReported: boolean
}

export interface Undoing {
  /** Undoes the whole and gives the effects that are left. The second time it tries again the ones that failed. */
  readonly undo: (isAgain: boolean) => Promise<readonly Leftover[]>
  /** Whether effects of it are left that none of its parts shows: a run that was taken up did not reach them. */
  readonly hasUnreached: () => boolean
}

const undoings = new WeakMap<Call, Undoing>()

/** Says how a whole is undone by itself, however deep it lies in something that is undone. */
export function giveUndoing(whole: Whole, undoing: Undoing): void {
  undoings.set(callOf(whole), undoing)
}

/** Undoes all that can be undone of a part and of those inside it, the latest first. It is under way in the whole until it has ended. */
export function undoPart(whole: Whole, part: Part, isAgain = false): Promise<readonly Leftover[]> {
  return underWay(callOf(whole), () => undo(callOf(part), isAgain))
}

async function undo(call: Call, isAgain: boolean): Promise<readonly Leftover[]> {
  const left = await (undoings.get(call)?.undo(isAgain) ?? undoParts(call, isAgain))
  if (left.length === 0) call.markUndone()
  return left
}

async function undoParts(call: Call, isAgain: boolean): Promise<readonly Leftover[]> {
  if (call.behaviour.leaf) return tookEffect(call) ? [{ path: call.path, isReported: false }] : []
  const left: Leftover[] = []
  for (const part of call.allParts.toReversed()) left.unshift(...(await undo(part, isAgain)))
  return left
}

/** The combinator has undone a part by calling another. */
export function markUndone(part: Part): void {
  callOf(part).markUndone()
}

/** Whether something in a part took effect, or may have, and was not undone. */
export function leavesEffect(part: Part): boolean {
  return leaves(callOf(part))
}

function leaves(call: Call): boolean {
  if (call.isUndone) return false
  if (undoings.get(call)?.hasUnreached() === true) return true
  return call.behaviour.leaf ? tookEffect(call) : call.allParts.some(leaves)
}

/** Of a step that never ended nobody knows. */
function tookEffect({ effect, result, fatalOutcome = 'unknown' }: Call): boolean {
  if (effect === 'read') return false
  return result === undefined ? fatalOutcome === 'unknown' : result.ok || result.error.outcome === 'unknown'
}

/** Throws where the program is another one than the one that began the run, and the run is not over: then nothing is undone either. */
export function checkMayUndo(whole: Whole): void {
  checkNotRefused(callOf(whole))
}

/** The effects that the run recorded inside the whole and has not come to again: none where it has caught up. */
export function unreachedSteps(whole: Whole): readonly CallEntry[] {
  const { root, path, built } = callOf(whole)
  return root.replay?.isCatchingUp === true ? effectsAmong(root.replay.unvisitedIn(path), built) : []
}

/** The record of a part, or of the whole itself, stands for nothing any more: it is undone, or its effects are listed. */
export function passOverUndone(whole: Whole, part: Part | Whole): void {
  callOf(whole).root.replay?.passOver(part.path)
}

/** Throws where steps were not reached that took effect, and the run is not over: the version that began it can undo them. */
export function refuseUnreached(whole: Whole): void {
  const call = callOf(whole)
  if (isCutOff(call)) return
  throw call.root.replay?.divergence(`undoes '${call.path}'`)
}
