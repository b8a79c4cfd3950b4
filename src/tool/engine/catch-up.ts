import { isUndoPath } from '../journal/undoing.ts'
import { nextTurn } from '../ports/clock.ts'
import type { Call } from './call.ts'
import { ENDED, isCut, Scope } from './scope.ts'
import { underWay } from './under-way.ts'

/**
 * Whether a new step must wait until the run has reached all its records. A read does not wait: a new version may read more. Notes of
 * combinators do not wait either. In a closed scope nothing new begins except undoing, which must not wait for records that a refused flow
 * no longer reaches.
 */
export function mustCatchUp(call: Call, path: string): boolean {
  const { replay } = call.root
  if (replay === undefined || !replay.isHolding || call.journal?.isClosed === true) return false
  const mayRepeat = mayBeRecordedElsewhere(call, path)
  if (!mustWait(call) && !mayRepeat) return false
  if (replay.isRehearsal) return true
  if (call.effect === 'read' || isNote(path)) return false
  // A person may ask for another round of undoing when much has been recorded after the first.
  return !call.isShielded || mayRepeat || (replay.isHoldingUndoing && call.triedBefore === 0)
}

/**
 * A shielded call that undoes nothing, such as a clean-up, in a run that is over: the version before may have made it under another label, and
 * then the record has a call of this tool that is not reached.
 */
function mayBeRecordedElsewhere(call: Call, path: string): boolean {
  if (!call.isShielded || isUndoPath(path) || !isRunOver(call)) return false
  return call.root.replay?.unvisited.some((entry) => entry.kind === 'call' && entry.tool === call.tool) === true
}

/** A changed program begins nothing, except undoing in a run that was cancelled or is out of time. */
function mustWait(call: Call): boolean {
  return call.root.replay?.refusal !== undefined ? !isRunOver(call) : !isCutOff(call)
}

/** The scope of this call or of one around it is closed. A shielded call has an open scope in a closed one. */
export function isCutOff(call: Call): boolean {
  for (let each: Call | undefined = call; each !== undefined; each = each.parent) if (each.scope.closed !== undefined) return true
  return false
}

function isRunOver(call: Call): boolean {
  const { closed } = topOf(call).scope
  return closed !== undefined && closed !== ENDED
}

function topOf(call: Call): Call {
  let top = call
  while (top.parent !== undefined) top = top.parent
  return top
}

/** The label begins with a dot. */
function isNote(path: string): boolean {
  return path.charCodeAt(path.lastIndexOf('/') + 1) === 46
}

/** Waits for the records; throws if the program does not reach them. If the scope closes, the wait ends. */
export async function catchUp(call: Call, next: string, isEffect = !call.isShielded): Promise<void> {
  const { replay } = call.root
  if (replay === undefined) return
  if (replay.isRehearsal && call.effect === 'read') replay.wouldRead(next)
  await waitFor(call, replay.caughtUp(next, isEffect))
  if (isEffect && replay.isStopped) await endStopped(call)
}

/**
 * A recorded stop ends the run, also where a compound does not wait for the part that was stopped: what is held would wait for ever. The stop
 * first passes through the layers that wait for it; each of them closes its own scope.
 */
async function endStopped(call: Call): Promise<void> {
  if (call.scope.closed === undefined) await underWay(call, () => new Promise<void>(nextTurn))
  if (call.scope.closed === undefined) topOf(call).scope.close(ENDED)
}

/** Throws if the program has changed and the run is not over: then nothing is undone either. */
export function checkNotRefused(call: Call): void {
  const { replay } = call.root
  if (replay?.refusal !== undefined && !isRunOver(call)) throw replay.refusal
}

/**
 * Waits until the run has reached all its records, before a combinator records its end or its undoing: under a changed program that record
 * would be wrong, and the version that began the run could not continue.
 */
export async function holdUntilCaughtUp(call: Call, next: string): Promise<void> {
  const { replay } = call.root
  if (replay?.isHoldingUndoing === true && mustWait(call)) await waitFor(call, replay.caughtUp(next, false))
}

async function waitFor(call: Call, caughtUp: Promise<void>): Promise<void> {
  try {
    await underWay(call, () => call.scope.race(caughtUp))
  } catch (error) {
    if (!isCut(error)) throw error
  }
}

/** Whether a compound of a run that was taken up has, or leads to, recorded parts: then it is entered also in a closed scope. */
export function mayReachRecords({ root: { replay }, behaviour, path }: Call): boolean {
  return !behaviour.leaf && replay !== undefined && (replay.isCatchingUp || replay.hasBegun(path))
}

/** How long the validation of such a compound may take when its scope is closed. */
const LONGEST_VALIDATION_MS = 10_000

/** Waits for an asynchronous schema. A closed scope ends the wait, except where recorded parts would then not be reached. */
export function whileValidating<T>(call: Call, checked: PromiseLike<T>): Promise<T> {
  const scope = mayReachRecords(call) ? new Scope(call.root.clock, LONGEST_VALIDATION_MS) : call.scope
  return underWay(call, () => scope.race(checked))
}
