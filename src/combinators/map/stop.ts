import type { Call } from '../../tool/engine/call.ts'
import { decideAt, diverged } from '../../tool/engine/decide.ts'
import { readEntry } from '../../tool/engine/journal-access.ts'

/** Under which the end before the end of the list is recorded. No item has a label with a dot. */
export const STOP_LABEL = 'items.failed'

/** How a list came to its end before all of it was done, as it is recorded: nothing that happens later counts. */
export interface Stop {
  /** The index of the item that failed. */
  readonly failed: number
  /** The items that had ended by then. */
  readonly ended: readonly number[]
  /** Those that were under way and are cancelled. */
  readonly cancelled: readonly number[]
}

export function isStopRecorded(call: Call): boolean {
  return readEntry(call, placeOf(call)) !== undefined
}

/**
 * Who failed first differs from run to run: it is written before the others are cancelled. A replay gives back all that is recorded within
 * one turn of the event loop, so that in a recorded run whatever comes in one turn has come at the same time.
 */
export async function recordStop(call: Call, standing: () => Stop): Promise<void> {
  if (call.journal === undefined) standing()
  else await decideAt(call, placeOf(call), () => turn().then(standing))
}

export function readStop(call: Call): Promise<Stop> {
  return decideAt<Stop>(call, placeOf(call), () => {
    throw diverged(call, placeOf(call), 'nothing', 'a decision')
  })
}

/** Lets everything that is recorded come back. */
function turn(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve))
}

function placeOf(call: Call): string {
  return `${call.path}/${STOP_LABEL}`
}
