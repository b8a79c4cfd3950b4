import type { Call } from '../../tool/calls/call.ts'
import type { ParallelPlan } from './branch.ts'
import { gather } from './gather.ts'
import { joinResults } from './join-results.ts'
import { race } from './race.ts'

const NONE: readonly string[] = []

export async function runParallel(plan: ParallelPlan, input: unknown, call: Call): Promise<unknown> {
  const ended = plan.join.raced ? await race(plan, input, call) : { results: await gather(plan, input, call), cancelled: NONE }
  return joinResults(plan, ended, call)
}
