import { generateText, isStepCount } from 'ai'
import { expect, test } from 'vitest'
import { toAiSdk } from '../../src/bridges/ai-sdk/to-ai-sdk.ts'
import { activeTools, catalog } from '../../src/select/index.ts'
import { tool } from '../../src/tool/tool.ts'
import { scriptedLanguageModel } from '../fixtures/ai-sdk/scripted-language-model.ts'

const make = (name: string, description: string) => tool({ name, description, effect: 'read', execute: () => 'done' })
const TOOLS = [
  make('issue_refund', 'Pays an order back to a customer.'),
  make('weather_forecast', 'Tells the weather of the next days at a place.'),
  make('send_email', 'Sends a mail to a person.'),
  make('translate_text', 'Translates a text into another language.'),
]

test('each step of the AI SDK gets the schemas of the tools that the request needs [S3]', async () => {
  const model = scriptedLanguageModel([{ id: 'c1', tool: 'weather_forecast', input: { input: 'Paris' } }], 'It will rain.')
  await generateText({
    model,
    tools: toAiSdk(TOOLS).tools,
    prompt: 'will it rain in Paris tomorrow?',
    stopWhen: isStepCount(3),
    prepareStep: activeTools(await catalog(TOOLS), { k: 1, always: ['send_email'] }),
  })
  const offered = model.doGenerateCalls.map(({ tools = [] }) => tools.map(({ name }) => name).toSorted())
  expect(offered).toEqual([
    ['send_email', 'weather_forecast'],
    ['send_email', 'weather_forecast'],
  ])
})
