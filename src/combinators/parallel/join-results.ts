import { adapt } from '../../tool/adapt.ts'
import { ToolError } from '../../tool/errors/tool-error.ts'
import { withIssue } from '../../tool/result/amendments.ts'
import { failureMessage } from '../../tool/result/failure-details.ts'
import type { ContentPart, ResultIssue, ToolResult } from '../../tool/result/result.ts'
import { success, type SuccessOptions } from '../../tool/result/returned.ts'
import type { SettledResult, SettledSuccess } from '../../tool/result/settled.ts'
import type { GroupResults } from '../../tool/seam/group-plan.ts'
import { diverged } from '../../tool/seam/recorded.ts'
import type { Whole } from '../../tool/seam/whole.ts'
import type { Branch, ParallelPlan } from './branch.ts'
import { joinFailure } from './join-failure.ts'

/** Makes one output from the results of the branches. */
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

/** The answer of one branch as that of the whole, with all its details and an issue that names the branch. */
function answerOf(branches: readonly Branch[], results: GroupResults['results'], index: number): SettledSuccess {
  const { label } = branches[index] as Branch
  return withIssue(results[index] as SettledSuccess, { severity: 'info', message: `Branch '${label}' answered.`, path: label })
}

/** The values of the successful branches, in the order of the branches. */
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

/** The details of the branches besides their values: other content, issues, the lowest confidence; and which branches are missing. */
function joinDetails({ branches, join }: ParallelPlan, { results, cancelled }: GroupResults): SuccessOptions {
  let content: ContentPart[] | undefined
  let issues: ResultIssue[] | undefined
  let confidence: number | undefined
  for (let index = 0; index < results.length; index++) {
    const result = results[index]
    if (result === undefined) continue
    const { label } = branches[index] as Branch
    if (!result.ok) {
      issues ??= []
      issues.push({ severity: 'warning', path: label, message: `Branch '${label}' failed: ${failureMessage(result.error)}` })
      continue
    }
    const { said } = result
    if (said === undefined) continue
    if (said.content !== undefined) content = [...(content ?? []), ...said.content]
    if (said.confidence !== undefined) confidence = Math.min(confidence ?? 1, said.confidence)
    if (said.issues !== undefined) issues = [...(issues ?? []), ...said.issues.map((issue) => within(label, issue))]
  }
  if (join.afterMs !== undefined && cancelled.length > 0)
    issues = [...(issues ?? []), ...cancelled.map((label) => late(label, join.afterMs))]
  return { content, issues, confidence }
}

function within(label: string, issue: ResultIssue): ResultIssue {
  return { ...issue, path: issue.path === undefined ? label : `${label}.${issue.path}` }
}

function late(label: string, afterMs: number | undefined): ResultIssue {
  return { severity: 'warning', path: label, message: `Branch '${label}' was not done after ${afterMs} ms.` }
}

/** No branch has a label that begins with a dot. */
export const BEST_LABEL = '.best'

/** The index of the success with the highest score. It is recorded, because the score may differ in the next version of the program. */
async function bestBranch(plan: ParallelPlan, results: readonly (SettledResult | undefined)[], whole: Whole): Promise<number> {
  const winner = await whole.decide(BEST_LABEL, () => highest(plan, results))
  const index = plan.branches.findIndex(({ label }) => label === winner)
  if (results[index]?.ok !== true) throw diverged(whole, BEST_LABEL, `a choice without '${winner}'`, `the choice of '${winner}'`)
  return index
}

/** Of equal scores, the branch declared first. */
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
