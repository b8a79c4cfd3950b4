import { adapt } from '../../tool/adapt.ts'
import type { SettledResult, SettledSuccess } from '../../tool/result/settled.ts'
import { withIssue } from '../../tool/result/amendments.ts'
import type { ToolResult } from '../../tool/result/result.ts'
import { success } from '../../tool/result/returned.ts'
import type { GroupResults } from '../../tool/seam/group-plan.ts'
import type { Whole } from '../../tool/seam/whole.ts'
import { bestBranch } from './best-branch.ts'
import type { Branch, ParallelPlan } from './branch.ts'
import { joinDetails } from './join-details.ts'
import { joinFailure } from './join-failure.ts'

/** Makes one output of what the branches came to. */
export function joinResults(plan: ParallelPlan, ended: GroupResults, whole: Whole): unknown {
  const { branches, join, merge, needed } = plan
  const { results } = ended
  let succeeded = 0
  for (const result of results) if (result?.ok === true) succeeded++
  if (succeeded < needed) return joinFailure(plan, ended)
  if (merge !== undefined) return adapt(`The merge of '${plan.name}'`, () => merge(byLabel(branches, results) as never))
  if (join.kind === 'first') return answerOf(branches, results, results.findIndex(isSuccess))
  if (join.kind === 'best') return bestBranch(plan, results, whole).then((index) => answerOf(branches, results, index))
  return success(valuesOf(plan, results, succeeded), joinDetails(plan, ended))
}

function isSuccess(result: SettledResult | undefined): boolean {
  return result?.ok === true
}

/** The answer of one branch as that of the whole, with all that the branch said of it, and a note of which branch it was. */
function answerOf(branches: readonly Branch[], results: GroupResults['results'], index: number): SettledSuccess {
  const { label } = branches[index] as Branch
  return withIssue(results[index] as SettledSuccess, { severity: 'info', message: `Branch '${label}' answered.`, path: label })
}

/** The values of those that succeeded, in the order of the branches. */
function valuesOf(
  { branches, blank }: ParallelPlan,
  results: GroupResults['results'],
  succeeded: number,
): Readonly<Record<string, unknown>> {
  const values: Record<string, unknown> = succeeded === branches.length ? { ...blank } : {}
  for (let index = 0; index < branches.length; index++) {
    const result = results[index]
    if (result?.ok === true) values[(branches[index] as Branch).label] = result.value
  }
  return values
}

function byLabel(branches: readonly Branch[], results: GroupResults['results']): Readonly<Record<string, ToolResult>> {
  const labelled: Record<string, ToolResult> = {}
  for (const [index, { label }] of branches.entries()) {
    const result = results[index]
    if (result !== undefined) labelled[label] = result
  }
  return labelled
}
