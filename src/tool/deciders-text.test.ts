import { expect, test } from 'vitest'
import type { ReviewVote } from './deciders.ts'
import type { ReviewDecision } from './review.ts'
import { decidersText } from './deciders-text.ts'

const vote = (by: string, action: ReviewVote['action'], edition: number): ReviewVote => ({
  by,
  identity: 'authenticated',
  action,
  at: 0,
  edition,
})
const ADA = vote('ada', 'continue', 0)

test.each<readonly [ReviewDecision, string]>([
  [{ action: 'continue' }, ''],
  [{ action: 'continue', by: 'ada', identity: 'claimed' }, 'ada (claimed)'],
  [{ action: 'continue', by: 'bob', votes: [ADA, vote('bob', 'continue', 0)] }, 'ada, bob'],
  [{ action: 'edit', patch: {}, by: 'bob', votes: [ADA, vote('cyd', 'edit', 1), vote('bob', 'continue', 1)] }, 'cyd, approved by bob'],
  [
    {
      action: 'answer',
      value: { happened: false },
      by: 'bob',
      votes: [
        { ...vote('cyd', 'answer', 0), value: { happened: true } },
        { ...vote('ada', 'answer', 0), value: { happened: false } },
        { ...vote('bob', 'answer', 0), value: { happened: false } },
      ],
    },
    'ada, bob',
  ],
  [{ action: 'reject', by: 'eve', votes: [ADA, vote('bob', 'continue', 0)] }, 'eve'],
])('of %j', (decision, text) => {
  expect(decidersText(decision)).toBe(text)
})
