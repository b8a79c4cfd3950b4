import { kindOfProblem } from './kind-of-problem.ts'
import type { Plan } from './plan.ts'
import { runWorld } from './run-world.ts'
import { simplerPlans } from './simpler-plans.ts'

/** A smaller program draws another order of events: it counts if it fails in one of so many. */
const SCHEDULES = 40
const SCHEDULES_COUNTED = 300

export interface ShrunkPlan {
  readonly plan: Plan
  /** In how many of 300 schedules it fails: a small number says that the seed matters. */
  readonly failing: number
}

/** The simplest world that is found in the given time, and that has the same kind of problem in one of some schedules. */
export function shrinkPlan(plan: Plan, kind: string, isOver: () => boolean): ShrunkPlan {
  let smallest = plan
  for (let next = simplerThan(smallest, kind, isOver); next !== undefined; next = simplerThan(smallest, kind, isOver)) smallest = next
  let failing = 0
  for (let number = 0; number < SCHEDULES_COUNTED; number++) if (shows({ ...smallest, seed: 1000 + number }, kind)) failing++
  return { plan: smallest, failing }
}

/** Whether a world has a problem of this kind. */
function shows(plan: Plan, kind: string): boolean {
  return runWorld(plan).problems.some((problem) => kindOfProblem(problem) === kind)
}

function simplerThan(plan: Plan, kind: string, isOver: () => boolean): Plan | undefined {
  for (const simpler of simplerPlans(plan)) {
    for (let number = 0; number < SCHEDULES; number++) {
      if (isOver()) return undefined
      const seed = number === 0 ? plan.seed : (Math.imul(plan.seed, 31) + number * 7919) >>> 0
      const candidate = { ...simpler, seed }
      if (shows(candidate, kind)) return candidate
    }
  }
  return undefined
}
