import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { recordingReview } from 'toolwright/testing'
import { tellRefundStory } from './story.ts'
import { importFlags } from '../../test/fixtures/prepared.ts'

test('the story comes out as it is told', async () => {
  const told: string[] = []
  const review = recordingReview()
  await tellRefundStory({ print: (text) => void told.push(text), review })
  expect(review.requests).toMatchObject([
    { tool: 'issue_refund', why: 'A refund of 149.99 is above 100.', risk: 'high', caller: { principal: 'support-agent' } },
  ])
  expect(told.join('\n')).toContain('Taken up again: 149.99 paid back for order A-1001; told ada@example.com')
})

test('a person who rejects the refund is obeyed', async () => {
  const told: string[] = []
  await tellRefundStory({ print: (text) => void told.push(text), review: recordingReview({ action: 'reject' }) })
  expect(told.join('\n')).toContain('Nothing was paid and nobody was told.')
})

test('as a program it ends by itself where nobody is at the terminal', () => {
  const printed = execFileSync(process.execPath, [...importFlags, join(import.meta.dirname, 'main.ts'), '--once'], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  expect(printed).toContain('The model reads: 149.99 paid back')
})
