import type { ReviewDecision } from './review.ts'

/** Those who decided, as `ada, bob`; of an edit its editor first, as `cyd, approved by bob`. Empty where nobody was named. */
export function decidersText({ action, by, identity, votes = [] }: ReviewDecision): string {
  const last = votes.at(-1)?.edition
  // Approvals of an earlier edition, and those before a rejection, have not decided it.
  const counted = action === 'continue' || action === 'edit' ? votes.filter(({ edition }) => edition === last) : []
  if (counted.length === 0) return by === undefined ? '' : `${by}${identity === 'claimed' ? ' (claimed)' : ''}`
  const editors = counted.filter((vote) => vote.action === 'edit').map((vote) => vote.by)
  const others = counted.filter((vote) => vote.action !== 'edit').map((vote) => vote.by)
  return [...editors, ...(editors.length === 0 ? others : [`approved by ${others.join(', ')}`])].join(', ')
}
