import type { Call } from '../../tool/engine/call.ts'
import type { ParallelPlan } from './branch.ts'
import { gather } from './gather.ts'
import { joinResults } from './join-results.ts'
import { race } from './race.ts'
import type { RaceResults } from './race-end.ts'

const NONE: readonly string[] = []

export async function runParallel(plan: ParallelPlan, input: unknown, call: Call): Promise<unknown> {
  const ended = plan.join.raced ? await raceToItsEnd(plan, input, call) : { results: await gather(plan, input, call), cancelled: NONE }
  return joinResults(plan, ended, call)
}

/** A race has not ended before its losers have undone what they did: until then it is never idle, and so is not let go. */
async function raceToItsEnd(plan: ParallelPlan, input: unknown, call: Call): Promise<RaceResults> {
  call.began()
  try {
    return await race(plan, input, call)
  } finally {
    call.ended()
  }
}
