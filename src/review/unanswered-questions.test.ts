import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { byPerson, compound, corroborate, fallback, gate, type ReviewHandler, tool } from '../index.ts'

const Rate = z.object({ rate: z.number() })
const says = (name: string, rate: number) => tool({ name, description: 'd', effect: 'read', outputSchema: Rate, execute: () => ({ rate }) })
const down = tool({
  ...{ name: 'down', description: 'd', effect: 'read', outputSchema: Rate },
  execute: (): { rate: number } => {
    throw new Error('The feed is down.')
  },
})
const whole = { name: 'rate', description: 'd' } as const

const ASKING = {
  corroborate: corroborate({ a: says('a', 1), b: says('b', 2) }, { ...whole, fields: { rate: {} }, resolve: byPerson() }),
  fallback: fallback({ ...whole, outputSchema: Rate }, [down, byPerson()]),
  'a question in code': compound({ ...whole, parts: {}, run: (_input, { ask }) => ask({ question: 'Which?', answerSchema: Rate }) }),
  'a review in code': compound({ ...whole, parts: {}, run: (_input, { review }) => review({ why: 'Money.' }) }),
}

const lost: ReviewHandler = { review: () => Promise.reject(new Error('slack is down')) }
const SAID = 'No reviewer decided (The reviewer could not be reached: slack is down)'

describe.each(Object.entries(ASKING))('where nobody can be asked, %s', (_name, asking) => {
  test('says why, and does not say that nothing ran [T14]', async () => {
    const result = await asking.call('x', { review: lost })
    expect(result.ok).toBe(false)
    expect(result.text).toContain(SAID)
    expect(result.ok ? '' : result.error.hint).not.toContain('nothing ran')
  })
})

test('a gate says why, and that nothing ran [T14]', async () => {
  const result = await gate(says('pay', 1)).call('x', { review: lost })
  expect(result.text).toContain(SAID)
  expect(result.ok ? '' : result.error.hint).toMatch(/^No person who may decide could be asked, so nothing ran\. Say/)
})
