import { isSamePrincipal, type ReviewVote } from './deciders.ts'
import { hashOf } from './journal/hash.ts'

/** The votes for the same answer, each the last one of its voter. */
export function equalAnswers(votes: readonly ReviewVote[], value: unknown): readonly ReviewVote[] {
  return votes.filter((vote, at) => isEqualAnswer(vote.value, value) && !votes.slice(at + 1).some((later) => isSamePrincipal(later, vote)))
}

/** Answers are compared as JSON, in which they are kept. */
export function isEqualAnswer(one: unknown, other: unknown): boolean {
  return keyOf(one) === keyOf(other)
}

function keyOf(value: unknown): string {
  return hashOf(JSON.parse(JSON.stringify(value) ?? 'null'))
}
