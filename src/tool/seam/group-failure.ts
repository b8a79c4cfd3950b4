import { excerpt } from '../../schema/quote.ts'
import type { ErrorClass } from '../errors/error-codes.ts'
import type { Outcome } from '../errors/tool-error.ts'
import { isWithheld } from '../errors/withheld.ts'
import type { KnownPart } from '../engine/known-part.ts'
import { failureMessage } from '../result/failure-details.ts'
import type { FailureDetails } from '../result/result.ts'
import { failure, type ReturnedFailure } from '../result/returned.ts'
import type { GroupResults } from './group-plan.ts'

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

/** A group of which too few parts have succeeded. */
export interface FailedGroup {
  readonly parts: readonly Pick<KnownPart, 'label' | 'tool'>[]
  /** How many must succeed. */
  readonly needed: number
  readonly ended: GroupResults
}

interface Words {
  /** `2 of 3 branches failed`. */
  readonly lead: string
  /** The code, where no failure inside is final. */
  readonly code: string
  /** More reasons. */
  readonly late?: readonly string[] | undefined
}

/** Too few parts succeeded: one failure that names the failed parts and their reasons. */
export function groupFailure(group: FailedGroup, { lead, code, late = [] }: Words): ReturnedFailure {
  const { needed, ended } = group
  const { results, cancelled } = ended
  const failed = failedIn(group)
  const errors = failed.map(({ error }) => error)
  const final = FINAL.find(([errorClass]) => errors.some((error) => error.class === errorClass))
  const succeeded = results.filter((result) => result?.ok === true).length
  const couldSucceed = succeeded + cancelled.length + errors.filter(({ retryable }) => retryable).length
  const waits = errors.map(({ retryAfterMs }) => retryAfterMs).filter((each) => each !== undefined)
  return failure(`${lead}: ${reasons(failed, late)}`, {
    code: final?.[1] ?? code,
    class: final?.[0] ?? commonClass(errors),
    retryable: final === undefined && couldSucceed >= needed,
    outcome: outcomeOf(group),
    ...(waits.length === 0 ? {} : { retryAfterMs: Math.max(...waits) }),
    internal: errors.some(isWithheld),
  })
}

/** The parts that have failed, in their order. */
export function failedIn({ parts, ended: { results } }: FailedGroup): readonly Failed[] {
  return parts.flatMap(({ label }, index): readonly Failed[] => {
    const result = results[index]
    return result === undefined || result.ok ? [] : [{ label, error: result.error }]
  })
}

function reasons(failed: readonly Failed[], late: readonly string[]): string {
  const all = [...failed.map(({ label, error }) => `${label} (${excerpt(failureMessage(error), LONGEST_MESSAGE)})`), ...late]
  const more = all.length - MAX_LISTED
  return `${all.slice(0, MAX_LISTED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}

/** The class that all failures share; `semantic` for mixed classes. */
function commonClass([first, ...rest]: readonly FailureDetails[]): ErrorClass {
  return first !== undefined && rest.every((each) => each.class === first.class) ? first.class : 'semantic'
}

/** Whether the whole took effect. The door judges parts that ended; a cancelled one may have taken effect. */
function outcomeOf({ parts, ended: { results, cancelled } }: FailedGroup): Outcome {
  const isUnknown =
    results.some((result) => result?.ok === false && result.error.outcome === 'unknown') ||
    parts.some(({ label, tool }) => tool.effect !== 'read' && cancelled.includes(label))
  if (isUnknown) return 'unknown'
  const hasBegun = cancelled.length > 0 || results.some((result) => result?.ok === true || result?.error.outcome === 'failed')
  return hasBegun ? 'failed' : 'not_started'
}
