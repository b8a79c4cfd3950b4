import { adapt } from '../../tool/adapt.ts'
import { ToolError } from '../../tool/errors/tool-error.ts'
import type { SettledResult } from '../../tool/result/settled.ts'
import { diverged } from '../../tool/seam/recorded.ts'
import type { Whole } from '../../tool/seam/whole.ts'
import type { ParallelPlan } from './branch.ts'

/** No branch has a label that begins with a dot. */
export const BEST_LABEL = '.best'

/** Where the success with the highest score stands. It is recorded: the score may be another in the next version of the program. */
export async function bestBranch(plan: ParallelPlan, results: readonly (SettledResult | undefined)[], whole: Whole): Promise<number> {
  const winner = await whole.decide(BEST_LABEL, () => highest(plan, results))
  const index = plan.branches.findIndex(({ label }) => label === winner)
  if (results[index]?.ok !== true) throw diverged(whole, BEST_LABEL, `a choice without '${winner}'`, `the choice of '${winner}'`)
  return index
}

/** Of equals, the one that was declared first. */
function highest({ name, branches, join }: ParallelPlan, results: readonly (SettledResult | undefined)[]): string {
  const score = join.score as (value: unknown, label: string) => number
  let highestScore = Number.NEGATIVE_INFINITY
  let winner: string | undefined
  for (const [index, { label }] of branches.entries()) {
    const result = results[index]
    if (result?.ok !== true) continue
    const scored: unknown = adapt(`The score of '${name}'`, () => score(result.value, label))
    if (typeof scored !== 'number' || Number.isNaN(scored)) {
      throw new ToolError(`The score of '${name}' for branch '${label}' is not a number.`, { code: 'adapter_failed' })
    }
    if (winner !== undefined && scored <= highestScore) continue
    highestScore = scored
    winner = label
  }
  return winner as string
}
