import { FIXED_PLANS } from './fixed-plans.ts'
import { kindOfProblem } from './kind-of-problem.ts'
import { runWorld } from './run-world.ts'

/** What became of a fixed plan. */
export interface FixedReport {
  readonly name: string
  readonly schedules: number
  /** In how many schedules it showed what it once showed. */
  readonly showing: number
  /** Every kind of problem that it showed, with the first seed. */
  readonly problems: Readonly<Record<string, number>>
}

/** Runs every fixed plan in so many schedules. */
export function runFixedPlans(schedules: number): readonly FixedReport[] {
  return FIXED_PLANS.map(({ name, showed, plan }) => {
    const problems: Record<string, number> = {}
    let showing = 0
    for (let seed = 1; seed <= schedules; seed++) {
      const kinds = runWorld({ ...plan(seed), seed }).problems.map(kindOfProblem)
      for (const kind of kinds) problems[kind] ??= seed
      if (kinds.some((kind) => kind.startsWith(showed))) showing++
    }
    return { name, schedules, showing, problems }
  })
}
