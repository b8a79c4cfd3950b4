import { excerpt } from '../../schema/quote.ts'
import type { ErrorClass } from '../../tool/errors/error-codes.ts'
import type { Outcome } from '../../tool/errors/tool-error.ts'
import { failureMessage } from '../../tool/result/failure-details.ts'
import type { FailureDetails } from '../../tool/result/result.ts'
import { failure, type ReturnedFailure } from '../../tool/result/returned.ts'
import type { GroupResults } from '../../tool/seam/group-plan.ts'
import type { ParallelPlan } from './branch.ts'

const LONGEST_MESSAGE = 200
const MAX_LISTED = 10

/** Classes of failures that no join may bypass, the gravest first: the whole fails with that code. */
const FINAL: readonly (readonly [ErrorClass, code: string])[] = [
  ['rejected', 'rejected'],
  ['cancelled', 'cancelled'],
  ['deadline', 'deadline_exceeded'],
]

interface Failed {
  readonly label: string
  readonly error: FailureDetails
}

/** Too few branches succeeded: one failure that names the failed branches and their reasons. */
export function joinFailure(plan: ParallelPlan, ended: GroupResults): ReturnedFailure {
  const { results, cancelled } = ended
  const failed = plan.branches.flatMap(({ label }, index): readonly Failed[] => {
    const result = results[index]
    return result === undefined || result.ok ? [] : [{ label, error: result.error }]
  })
  const errors = failed.map(({ error }) => error)
  const final = FINAL.find(([errorClass]) => errors.some((error) => error.class === errorClass))
  const succeeded = results.filter((result) => result?.ok === true).length
  const couldSucceed = succeeded + cancelled.length + errors.filter(({ retryable }) => retryable).length
  const waits = errors.map(({ retryAfterMs }) => retryAfterMs).filter((each) => each !== undefined)
  const isCounted = plan.join.kind === 'quorum' || plan.join.kind === 'partial'
  const total = plan.branches.length
  const lead = isCounted
    ? `Only ${succeeded} of ${total} branches succeeded, and ${plan.needed} must`
    : `${failed.length} of ${total} branches failed`
  return failure(`${lead}: ${reasons(plan, failed, cancelled)}`, {
    code: final?.[1] ?? (isCounted ? 'quorum_not_met' : 'branches_failed'),
    class: final?.[0] ?? commonClass(errors),
    retryable: final === undefined && couldSucceed >= plan.needed,
    outcome: outcomeOf(plan, ended),
    ...(waits.length === 0 ? {} : { retryAfterMs: Math.max(...waits) }),
  })
}

/** Cancelled branches are a reason if the time was up, but not if the failures of others decided it. */
function reasons({ branches, join: { afterMs }, needed }: ParallelPlan, failed: readonly Failed[], cancelled: readonly string[]): string {
  const isTimeUp = afterMs !== undefined && branches.length - failed.length >= needed
  const late = isTimeUp ? cancelled.map((label) => `${label} (not done after ${afterMs} ms)`) : []
  const all = [...failed.map(({ label, error }) => `${label} (${excerpt(failureMessage(error), LONGEST_MESSAGE)})`), ...late]
  const more = all.length - MAX_LISTED
  return `${all.slice(0, MAX_LISTED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}

/** The class that all failures share; `semantic` for mixed classes. */
function commonClass([first, ...rest]: readonly FailureDetails[]): ErrorClass {
  return first !== undefined && rest.every((each) => each.class === first.class) ? first.class : 'semantic'
}

/** Whether the whole took effect. The door judges branches that ended; a cancelled one may have taken effect. */
function outcomeOf({ branches }: ParallelPlan, { results, cancelled }: GroupResults): Outcome {
  const isUnknown =
    results.some((result) => result?.ok === false && result.error.outcome === 'unknown') ||
    branches.some(({ label, tool }) => tool.effect !== 'read' && cancelled.includes(label))
  if (isUnknown) return 'unknown'
  const hasBegun = cancelled.length > 0 || results.some((result) => result?.ok === true || result?.error.outcome === 'failed')
  return hasBegun ? 'failed' : 'not_started'
}
