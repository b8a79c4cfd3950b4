import { expect, test } from 'vitest'
import { z } from 'zod'
import { compound, tool } from '../index.ts'
import { autoReview } from './auto-review.ts'

const pay = tool({
  name: 'pay',
  description: 'Pays.',
  inputSchema: z.object({ amount: z.number() }),
  requireApproval: true,
  execute: ({ amount }) => amount,
})
const ask = compound({
  name: 'ask',
  description: 'Asks.',
  parts: {},
  run: (question, context) => context.ask({ question, answerSchema: z.string() }),
})

test('approves every call by default, and says who did [T15]', async () => {
  const by: unknown[] = []
  const result = await pay.call(
    { amount: 5 },
    { review: autoReview(), on: (event) => event.type === 'review.decided' && by.push(event.by) },
  )
  expect(result).toMatchObject({ ok: true, value: 5 })
  expect(by).toEqual(['auto'])
})

test('has no answer to a question, which is a rejection [T14]', async () => {
  expect(await ask.call('Which?', { review: autoReview() })).toMatchObject({
    error: { code: 'rejected', message: expect.stringContaining('nobody is there to answer a question') },
  })
})

test('gives a fixed decision [T15]', async () => {
  expect(await ask.call('Which?', { review: autoReview({ action: 'answer', value: 'the first' }) })).toMatchObject({ value: 'the first' })
  expect(await pay.call({ amount: 5 }, { review: autoReview({ action: 'edit', input: { amount: 3 } }) })).toMatchObject({ value: 3 })
})

test('decides by the request, also later [T15]', async () => {
  const review = autoReview(async ({ input }) =>
    z.object({ amount: z.number().max(10) }).safeParse(input).success ? { action: 'continue' } : { action: 'reject', reason: 'too much' },
  )
  expect(await pay.call({ amount: 10 }, { review })).toMatchObject({ ok: true })
  expect(await pay.call({ amount: 11 }, { review })).toMatchObject({
    error: { code: 'rejected', message: expect.stringContaining('who says "too much": ') },
  })
})

test('a function that throws, or forgets to decide, rejects [T14]', async () => {
  const broken = autoReview(() => {
    throw new Error('no rules loaded')
  })
  expect(await pay.call({ amount: 1 }, { review: broken })).toMatchObject({ error: { code: 'reviewer_unreachable' } })
  // @ts-expect-error a decision is wanted
  expect(await pay.call({ amount: 1 }, { review: autoReview(() => true) })).toMatchObject({ error: { code: 'reviewer_unreachable' } })
})
