import type { ReviewVote } from './deciders.ts'
import { equalAnswers } from './equal-answers.ts'
import type { ReviewDecision } from './review.ts'
import { nameWithTenant } from './tenants.ts'

/** Those who decided, as `ada, bob`; of an edit its editor first, as `cyd, approved by bob`. Empty where nobody was named. */
export function decidersText(decision: ReviewDecision): string {
  const { by, identity } = decision
  const counted = countedVotes(decision)
  if (counted.length === 0) return by === undefined ? '' : `${nameWithTenant(by, decision)}${identity === 'claimed' ? ' (claimed)' : ''}`
  const editors = counted.filter((vote) => vote.action === 'edit').map((vote) => nameWithTenant(vote.by, vote))
  const others = counted.filter((vote) => vote.action !== 'edit').map((vote) => nameWithTenant(vote.by, vote))
  return [...editors, ...(editors.length === 0 ? others : [`approved by ${others.join(', ')}`])].join(', ')
}

/** Approvals of an earlier edition, other answers, and votes before a rejection have not decided it. */
function countedVotes(decision: ReviewDecision): readonly ReviewVote[] {
  const { action, votes = [] } = decision
  if (action === 'answer') return equalAnswers(votes, decision.value)
  const last = votes.at(-1)?.edition
  return action === 'continue' || action === 'edit' ? votes.filter(({ edition }) => edition === last) : []
}
