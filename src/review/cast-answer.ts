import { frozen } from '../schema/frozen.ts'
import { privateCopy } from '../schema/private-copy.ts'
import { allRules, type DeciderRule, type Identified, voterOf, isSamePrincipal, recordOf, type ReviewVote } from '../tool/deciders.ts'
import { equalAnswers, isEqualAnswer } from '../tool/equal-answers.ts'
import type { ReviewDecision, ReviewRequest } from '../tool/review.ts'
import type { Cast } from './ballot.ts'
import { InboxError } from './inbox-error.ts'
import type { InboxItem } from './inbox.ts'

type Answer = Extract<ReviewDecision, { readonly action: 'answer' }>

export interface AnswerVote {
  readonly decision: Answer
  readonly decider: Identified
  readonly at: number
  readonly rule: DeciderRule
  /** The places of the rules that allow it. */
  readonly rules: readonly number[]
}

/** Whether one answer is not enough, or not everybody who may answer can answer for every rule. */
export function needsSeveral({ count, also = [] }: DeciderRule): boolean {
  return count > 1 || also.length > 0
}

/**
 * Counts an answer. Everybody has one: a later one replaces it. An answer decides when every rule has as many people behind an equal one as it
 * wants. Answers that differ leave the question open.
 */
export function castAnswer(item: InboxItem, { decision, decider, at, rule, rules }: AnswerVote): Cast {
  const { request } = item
  const { note, value } = decision
  const before = item.ballot?.votes ?? []
  const own = before.findLast((each) => isSamePrincipal(each, voterOf(decider)))
  if (own !== undefined && isEqualAnswer(own.value, value))
    throw new InboxError('already_voted', `'${decider.id}' has given this answer to request '${request.id}' already: ${othersMust(rule)}`)
  const vote: ReviewVote = {
    ...{ ...voterOf(decider), action: 'answer', at, edition: 0 },
    ...(note === undefined ? {} : { note }),
    value: privateCopy(value),
    ...(rule.also === undefined ? {} : { rules }),
  }
  const votes = [...before, vote]
  const equal = equalAnswers(votes, value)
  const isMet = allRules(rule).every(({ count }, place) => equal.filter((each) => (each.rules ?? [0]).includes(place)).length >= count)
  if (!isMet) return { ballot: frozen({ edition: 0, votes }) }
  return { decision: { ...privateCopy(decision), ...recordOf(decider), votes } }
}

/** `1 of 2 equal answers` */
export function answersText({ deciders }: ReviewRequest, given: number): string {
  const rules = allRules(deciders)
  if (rules.length > 1) return `${given} equal ${given === 1 ? 'answer' : 'answers'}, and ${rules.length} groups of people must agree`
  return `${given} of ${deciders?.count ?? 1} equal answers`
}

function othersMust({ also = [] }: DeciderRule): string {
  return also.length === 0 ? 'somebody else must give it too.' : 'the people of every approval of the call must give it too.'
}
