import type { ContentPart, ResultIssue } from '../../tool/result/result.ts'
import type { SuccessOptions } from '../../tool/result/returned.ts'
import type { GroupResults } from '../../tool/seam/group-plan.ts'
import type { Branch, ParallelPlan } from './branch.ts'

/** What the branches say beside their values: images and the like, issues, the lowest confidence; and which branches are missing. */
export function joinDetails({ branches, join }: ParallelPlan, { results, cancelled }: GroupResults): SuccessOptions {
  let content: ContentPart[] | undefined
  let issues: ResultIssue[] | undefined
  let confidence: number | undefined
  for (let index = 0; index < results.length; index++) {
    const result = results[index]
    if (result === undefined) continue
    const { label } = branches[index] as Branch
    if (!result.ok) {
      issues ??= []
      issues.push({ severity: 'warning', path: label, message: `Branch '${label}' failed: ${result.error.message}` })
      continue
    }
    if (result.content !== undefined) content = [...(content ?? []), ...result.content]
    if (result.confidence !== undefined) confidence = Math.min(confidence ?? 1, result.confidence)
    if (result.issues !== undefined) issues = [...(issues ?? []), ...result.issues.map((issue) => within(label, issue))]
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
