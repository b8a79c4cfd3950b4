import type { ReturnedFailure } from '../../tool/result/returned.ts'
import { failedIn, groupFailure } from '../../tool/seam/group-failure.ts'
import type { GroupResults } from '../../tool/seam/group-plan.ts'
import type { ParallelPlan } from './branch.ts'

/** Too few branches succeeded: one failure that names the failed branches and their reasons. */
export function joinFailure(plan: ParallelPlan, ended: GroupResults): ReturnedFailure {
  const { branches, needed, join } = plan
  const group = { parts: branches, needed, ended }
  const failed = failedIn(group).length
  const succeeded = ended.results.filter((result) => result?.ok === true).length
  const isCounted = join.kind === 'quorum' || join.kind === 'partial'
  return groupFailure(group, {
    lead: isCounted
      ? `Only ${succeeded} of ${branches.length} branches succeeded, and ${needed} must`
      : `${failed} of ${branches.length} branches failed`,
    code: isCounted ? 'quorum_not_met' : 'branches_failed',
    late: lateBranches(plan, ended, failed),
  })
}

/** Cancelled branches are a reason if the time was up, but not if the failures of others decided it. */
function lateBranches(
  { branches, join: { afterMs }, needed }: ParallelPlan,
  { cancelled }: GroupResults,
  failed: number,
): readonly string[] {
  const isTimeUp = afterMs !== undefined && branches.length - failed >= needed
  return isTimeUp ? cancelled.map((label) => `${label} (not done after ${afterMs} ms)`) : []
}
