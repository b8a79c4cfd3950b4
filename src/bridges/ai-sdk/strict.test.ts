import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { generateText, isStepCount } from 'ai'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { openAiProblems } from '../../../test/dialects/vendor-rules.ts'
import { gate } from '../../combinators/gate/gate.ts'
import { scriptedModelServer } from '../../testing/model-server/scripted-model-server.ts'
import { recordingReview } from '../../testing/recording-review.ts'
import { tool } from '../../tool/tool.ts'
import { toAiSdk } from './to-ai-sdk.ts'

const inputSchema = z.object({
  city: z.string().min(2),
  days: z.int().max(7).default(1),
  labels: z.record(z.string(), z.string()).optional(),
})
const weather = tool({ name: 'weather', description: 'Tells the weather.', inputSchema, effect: 'read', execute: (input) => input })

test('strict tools reach the model in the dialect, and their inputs are decoded before they are validated', async () => {
  const sent = [
    { city: 'B', days: null, labels: [{ key: 'a', value: 'x' }] },
    { city: 'Bern', days: null, labels: null },
  ]
  await using server = await scriptedModelServer({
    turns: [...sent.map((each) => ({ toolCalls: [{ name: 'weather', arguments: each }] })), { text: 'Mild.' }],
  })
  const model = createOpenAICompatible({ name: 'scripted', baseURL: server.url, apiKey: 'k' })('scripted-1')
  const { tools } = toAiSdk({ weather }, { strict: true })
  const { steps } = await generateText({ model, prompt: 'p', tools, stopWhen: isStepCount(5), maxRetries: 0 })
  const [offered] = server.requests[0]?.body.tools ?? []
  expect(offered).toMatchObject({ function: { name: 'weather', strict: true } })
  expect(
    openAiProblems((offered as { function: { parameters: object } }).function.parameters).filter((each) => !each.includes('$schema')),
  ).toEqual([])
  const read = server.requests.at(-1)?.body.messages.filter(({ role }) => role === 'tool') ?? []
  expect(read[0]?.content).toContain("Invalid input for tool 'weather': 'city'")
  expect(steps.flatMap((step) => step.toolResults).map(({ output }) => output)).toEqual([{ city: 'Bern', days: 1 }])
})

test('a person reviews the input in the shape of the tool', async () => {
  const review = recordingReview({ action: 'continue' })
  const { tools } = toAiSdk({ weather: gate(weather) }, { strict: 'openai-strict', review })
  const call = { toolCallId: 'c1', messages: [], context: {} }
  const output = await tools.weather.execute({ city: 'Bern', days: null, labels: [{ key: 'a', value: 'x' }] } as never, call as never)
  expect(output).toEqual({ city: 'Bern', days: 1, labels: { a: 'x' } })
  expect(review.requests[0]?.input).toMatchObject({ city: 'Bern', labels: { a: 'x' } })
})

test('only the tools that fit into a request of Anthropic are strict, and none is without the option', () => {
  const many = Array.from({ length: 22 }, (_, index) =>
    tool({ name: `tool_${index}`, description: 'd', inputSchema: z.object({ a: z.string() }), effect: 'read', execute: () => 1 }),
  )
  const strict = Object.values(toAiSdk(many, { strict: 'anthropic-strict' }).tools).filter((each) => each.strict === true)
  expect(strict).toHaveLength(20)
  expect(Object.values(toAiSdk(many).tools).some((each) => 'strict' in each)).toBe(false)
})

test('Gemini gets null as a type, since the provider sends a JSON Schema', () => {
  const nullable = tool({
    name: 'n',
    description: 'd',
    inputSchema: z.object({ a: z.string().nullable() }),
    effect: 'read',
    execute: () => 1,
  })
  const { tools } = toAiSdk({ nullable }, { strict: 'gemini' })
  expect(tools.nullable.strict).toBeUndefined()
  expect(JSON.stringify((tools.nullable.inputSchema as { jsonSchema: unknown }).jsonSchema)).toContain('"type":"null"')
})
