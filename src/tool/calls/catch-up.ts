import type { Call } from './call.ts'
import { isCut } from './scope.ts'
import { underWay } from './under-way.ts'

/**
 * Whether something new at a path has to wait until the run has come by all that it recorded. What only reads does not wait: a new version may
 * look at more. Nor does what undoes, since it might wait for records that a refused flow no longer reaches, nor do the notes of
 * combinators. Where the scope is closed nothing new begins anyway.
 */
export function mustCatchUp(call: Call, path: string): boolean {
  const { replay } = call.root
  if (replay === undefined || !replay.isHolding || call.scope.closed !== undefined) return false
  return replay.isRehearsal || (call.effect !== 'read' && !isNote(path) && !call.isShielded)
}

/** The label begins with a dot. */
function isNote(path: string): boolean {
  return path.charCodeAt(path.lastIndexOf('/') + 1) === 46
}

/** Waits for it; throws where the program does not come by what is recorded. A scope that closes meanwhile ends the wait. */
export async function catchUp(call: Call, next: string): Promise<void> {
  const { replay } = call.root
  if (replay === undefined) return
  if (replay.isRehearsal && call.effect === 'read') replay.wouldRead(next)
  try {
    await underWay(call, () => call.scope.race(replay.caughtUp(next)))
  } catch (error) {
    if (!isCut(error)) throw error
  }
}
