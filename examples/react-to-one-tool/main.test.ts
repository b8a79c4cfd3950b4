import { expect, test } from 'vitest'
import { compare } from './story.ts'

test('a pipeline gives the answer of the chain with two model calls instead of four, and fewer tokens', async () => {
  const { byModel, byPipeline } = await compare()
  expect([byModel.answer, byPipeline.answer]).toEqual(['It costs 164.989 with tax.', 'It costs 164.989 with tax.'])
  expect([byModel.modelCalls, byPipeline.modelCalls]).toEqual([4, 2])
  expect(byPipeline.tokens).toBeLessThan(byModel.tokens / 2)
})
