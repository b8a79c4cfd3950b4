import type { ReviewDecision, ReviewHandler, ReviewRequest } from '../tool/review.ts'
import { checkOptionNames, optionNames } from '../tool/option-names.ts'

type FieldsOf<D> = D extends unknown ? keyof D : never
type DecisionField = FieldsOf<ReviewDecision>

/** A decision that needs no person: always the same, or made from the request. */
export type AutomaticDecision = ReviewDecision | ((request: ReviewRequest) => ReviewDecision | Promise<ReviewDecision>)

const DECISION_NAMES = optionNames<Record<DecisionField, unknown>>({
  action: true,
  input: true,
  patch: true,
  value: true,
  reason: true,
  cause: true,
  by: true,
  tenant: true,
  identity: true,
  note: true,
  votes: true,
})

/** Catches misspelt fields of a decision that is always the same. */
export function checkDecision(decision: AutomaticDecision, whose: string): void {
  if (typeof decision !== 'function') checkOptionNames(decision, DECISION_NAMES, `The fields of a decision of ${whose}`)
}

/**
 * Decides without a person. It approves by default; it rejects a question, since it has no answer.
 * @example
 * const review = autoReview(({ risk }) => (risk === 'high' ? { action: 'reject' } : { action: 'continue' }))
 * const result = await gate(orders).call({ email: 'ada@example.com' }, { review })
 * console.log(result.ok) // true
 */
export function autoReview(decision: AutomaticDecision = approveCalls): ReviewHandler {
  checkDecision(decision, 'autoReview')
  const isUnnamed = typeof decision !== 'function' && decision.by === undefined
  return {
    channel: 'auto',
    deciders: isUnnamed ? 'unnamed' : 'claimed',
    review: (request) => (typeof decision === 'function' ? decision(request) : decision),
  }
}

function approveCalls({ kind }: ReviewRequest): ReviewDecision {
  return kind === 'approval'
    ? { action: 'continue', by: 'auto' }
    : { action: 'reject', by: 'auto', reason: 'Calls are approved automatically, and nobody is there to answer a question.' }
}
