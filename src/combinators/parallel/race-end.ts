import type { Call } from '../../tool/engine/call.ts'
import { holdUntilCaughtUp } from '../../tool/engine/catch-up.ts'
import { diverged } from '../../tool/engine/decide.ts'
import type { SettledResult } from '../../tool/result/settled.ts'

/** What a race came to, as it is recorded: nothing that happens later counts. */
export interface RaceEnd {
  /** The branches that had ended, in the order of their declaration. */
  readonly ended: readonly string[]
  /** Those that were under way and are cancelled. */
  readonly cancelled: readonly string[]
}

export interface RaceResults {
  /** For every branch its result; undefined for one that had not ended. */
  readonly results: readonly (SettledResult | undefined)[]
  readonly cancelled: readonly string[]
}

/** No branch has a label that begins with a dot. */
export const JOINED_LABEL = '.joined'

/** Written before anybody is cancelled: after a crash in between, no other branch can win. */
export async function recordEnd(call: Call, end: RaceEnd): Promise<RaceEnd> {
  if (call.root.replay !== undefined) await holdUntilCaughtUp(call, `the end of ${call.path}`)
  return call.decide(JOINED_LABEL, () => end)
}

export function isRecorded(call: Call): boolean {
  return call.journal?.read(`${call.path}/${JOINED_LABEL}`) !== undefined
}

export function readEnd(call: Call): Promise<RaceEnd> {
  return call.decide(JOINED_LABEL, () => {
    throw diverged(call, `${call.path}/${JOINED_LABEL}`, 'nothing', 'a decision')
  })
}
