import type { Call } from '../engine/call.ts'
import { checkNotRefused, isCutOff } from '../engine/catch-up.ts'
import { effectsAmong, leftBehind, passOverPart } from '../engine/unvisited-effects.ts'
import { hiddenField } from '../hidden-field.ts'
import type { CallEntry } from '../journal/journal.ts'
import type { FailureDetails } from '../result/result.ts'
import { callOf } from './call-of.ts'
import type { Part } from './parts.ts'
import { toItsEnd } from './waiting.ts'
import type { Whole } from './whole.ts'

/** An effect that was not undone with its whole. */
export interface Leftover {
  readonly path: string
  /** The error of its compensation; undefined if it has none. */
  readonly error?: FailureDetails | undefined
  /** The alert hook has been called for it. */
  readonly isReported: boolean
}

export interface Undoing {
  /** Undoes the whole and returns the effects that remain. The second call retries the failed ones. */
  readonly undo: (isAgain: boolean) => Promise<readonly Leftover[]>
  /** Whether recorded effects remain that the resumed run did not reach. */
  readonly hasUnreached: () => boolean
}

const undoings = hiddenField<Call, Undoing>()

/** Registers how a whole undoes itself, at any depth inside a tool that is undone. */
export function giveUndoing(whole: Whole, undoing: Undoing): void {
  undoings.set(callOf(whole), undoing)
}

/** The record of a part no longer counts. Its effects that were not undone remain with the whole, unless the part is called again. */
export function passOver(whole: Whole, label: string): void {
  passOverPart(callOf(whole), label)
}

/**
 * Undoes all that can be undone of a part and of those inside it, the latest first. The whole does not end before, but its run may be parked
 * while a person is asked about a compensation.
 */
export function undoPart(whole: Whole, part: Part, isAgain = false): Promise<readonly Leftover[]> {
  return toItsEnd(whole, () => undo(callOf(part), isAgain))
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
  return [...leftBehind(call).map((path) => ({ path, isReported: false })), ...left]
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
  return call.behaviour.leaf ? tookEffect(call) : call.allParts.some(leaves) || leftBehind(call).length > 0
}

/** The outcome of a step that never ended is `unknown`. */
function tookEffect({ effect, result, fatalOutcome = 'unknown' }: Call): boolean {
  if (effect === 'read') return false
  return result === undefined ? fatalOutcome === 'unknown' : result.ok || result.error.outcome === 'unknown'
}

/** Throws if the program has changed since the run began and the run is not over: then nothing is undone either. */
export function checkMayUndo(whole: Whole): void {
  checkNotRefused(callOf(whole))
}

/** The recorded effects inside the whole that are not reached yet: none if it has caught up. */
export function unreachedSteps(whole: Whole): readonly CallEntry[] {
  const { root, path, built } = callOf(whole)
  return root.replay?.isCatchingUp === true ? effectsAmong(root.replay.unvisitedIn(path), built) : []
}

/** The record of a part, or of the whole, no longer counts: it is undone, or its effects are listed. */
export function passOverUndone(whole: Whole, part: Part | Whole): void {
  callOf(whole).root.replay?.passOver(part.path)
}

/** Throws if effects were not reached and the run is not over: the version that began it can undo them. */
export function refuseUnreached(whole: Whole): void {
  const call = callOf(whole)
  if (isCutOff(call)) return
  throw call.root.replay?.divergence(`undoes '${call.path}'`)
}
