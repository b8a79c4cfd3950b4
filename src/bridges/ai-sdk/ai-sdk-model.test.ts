import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { MockLanguageModelV4 } from 'ai/test'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { scriptedLanguageModel } from '../../../test/fixtures/ai-sdk/scripted-language-model.ts'
import { classify } from '../../combinators/branch/classify.ts'
import { modelClassifier } from '../../combinators/branch/model-classifier.ts'
import { scriptedModelServer } from '../../testing/model-server/scripted-model-server.ts'
import { tool } from '../../tool/tool.ts'
import { aiSdkModel } from './ai-sdk-model.ts'

test('a reply has the text, and the tokens and money that it took', async () => {
  const model = scriptedLanguageModel('Hello.')
  const reply = await aiSdkModel(model, { temperature: 0.5, costUsd: ({ totalTokens = 0 }) => totalTokens / 100 }).generate({
    system: 'Be brief.',
    prompt: 'Hi.',
  })
  expect(reply).toEqual({ text: 'Hello.', usage: { tokens: 15, costUsd: 0.15 } })
  expect(model.doGenerateCalls).toMatchObject([
    {
      temperature: 0.5,
      prompt: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: [{ type: 'text', text: 'Hi.' }] },
      ],
    },
  ])
})

test('a reply follows the schema, where one is given; what does not is given as text', async () => {
  const schema = { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] }
  const model = scriptedLanguageModel('{"n":4}', 'four')
  const own = aiSdkModel(model)
  expect(await own.generate({ prompt: 'How many?', schema })).toEqual({ text: '{"n":4}', value: { n: 4 }, usage: { tokens: 15 } })
  expect(model.doGenerateCalls[0]?.responseFormat).toMatchObject({ type: 'json', schema })
  expect(await own.generate({ prompt: 'How many?', schema })).toEqual({ text: 'four', usage: { tokens: 15 } })
})

test('the signal of the call reaches the model, and what the model throws reaches the call', async () => {
  const controller = new AbortController()
  const failing = new MockLanguageModelV4({
    doGenerate: async ({ abortSignal }) => {
      controller.abort(new Error('closed'))
      throw abortSignal?.reason ?? new Error('no signal')
    },
  })
  await expect(aiSdkModel(failing, { maxRetries: 0 }).generate({ prompt: 'p', signal: controller.signal })).rejects.toThrow('closed')
})

test('a classifier asks it over the wire', async () => {
  await using server = await scriptedModelServer({
    turns: [{ text: '{"routes":[{"route":"refund","confidence":0.9},{"route":"other","confidence":0.1}]}' }],
  })
  const answer = (name: string) =>
    tool({ name, description: `Handles ${name}.`, inputSchema: z.object({ text: z.string() }), effect: 'read', execute: () => name })
  const desk = classify(modelClassifier(), {
    name: 'desk',
    description: 'Sorts.',
    routes: { refund: { tool: answer('refund'), description: 'Money back.' }, other: { tool: answer('other'), description: 'The rest.' } },
  })
  const model = aiSdkModel(createOpenAICompatible({ name: 'scripted', baseURL: server.url, apiKey: 'k' })('scripted-1'))
  expect(await desk.call({ text: 'my money back' }, { model })).toMatchObject({
    ok: true,
    value: 'refund',
    usage: { tokens: expect.any(Number) },
  })
})

test('what is no model is refused', () => {
  expect(() => aiSdkModel(undefined as never)).toThrow(expect.objectContaining({ code: 'invalid_option' }))
})
