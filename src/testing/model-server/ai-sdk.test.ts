import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { generateText, isStepCount, streamText, tool } from 'ai'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { fakeClock } from '../fake-clock.ts'
import { type ScriptedModelServer, scriptedModelServer } from './scripted-model-server.ts'

const weather = tool({
  description: 'Tells the weather of a city.',
  inputSchema: z.object({ city: z.string() }),
  execute: ({ city }) => ({ city, degrees: city.length }),
})
const modelOf = ({ url }: ScriptedModelServer) =>
  createOpenAICompatible({ name: 'scripted', baseURL: url, apiKey: 'sk-not-for-logs', includeUsage: true })('scripted-1')

const LOOP = [
  { toolCalls: [{ name: 'weather', arguments: { city: 'Oslo' } }], usage: { inputTokens: 10, outputTokens: 5 } },
  {
    text: 'Two more. 🌦️',
    toolCalls: [
      { name: 'weather', arguments: { city: 'Rome' } },
      { name: 'weather', arguments: { city: 'Lima' }, id: 'mine' },
    ],
    usage: { inputTokens: 20, outputTokens: 6 },
  },
  { reasoning: 'Sum up.', text: 'Oslo 4, Rome 4, Lima 4: mild everywhere.', usage: { inputTokens: 30, outputTokens: 7 } },
]
const settings = { tools: { weather }, stopWhen: isStepCount(5), prompt: 'How is the weather?', maxRetries: 0 }

describe.each([false, true])('a loop with tools over the wire, stream: %s', (stream) => {
  test('calls run, one by one and side by side, their results go back, and usage adds up', async () => {
    await using server = await scriptedModelServer({ turns: LOOP })
    const model = modelOf(server)
    const result = stream ? streamText({ ...settings, model }) : await generateText({ ...settings, model })
    expect(await result.text).toBe('Oslo 4, Rome 4, Lima 4: mild everywhere.')
    const steps = await result.steps
    expect(steps.map(({ finishReason }) => finishReason)).toEqual(['tool-calls', 'tool-calls', 'stop'])
    expect(steps[1]?.text).toBe('Two more. 🌦️')
    expect(steps[2]?.reasoningText).toBe('Sum up.')
    expect(steps.map(({ usage }) => [usage.inputTokens, usage.outputTokens])).toEqual([
      [10, 5],
      [20, 6],
      [30, 7],
    ])

    expect(server.unplayed).toEqual([])
    expect(server.requests.map(({ body }) => body.stream === true)).toEqual([stream, stream, stream])
    expect(server.requests[0]?.body.tools?.map((each) => each.function.name)).toEqual(['weather'])
    const answered = server.requests[2]?.body.messages.filter(({ role }) => role === 'tool')
    expect(answered?.map(({ tool_call_id: id, content }) => [id, content])).toEqual([
      ['call_1_1', '{"city":"Oslo","degrees":4}'],
      ['call_2_1', '{"city":"Rome","degrees":4}'],
      ['mine', '{"city":"Lima","degrees":4}'],
    ])
  })
})

test('a stream comes in several chunks', async () => {
  await using server = await scriptedModelServer({ turns: [{ text: 'A text of more than one chunk.' }] })
  const chunks: string[] = []
  for await (const chunk of streamText({ model: modelOf(server), prompt: 'Say it.' }).textStream) chunks.push(chunk)
  expect(chunks.length).toBeGreaterThan(2)
  expect(chunks.join('')).toBe('A text of more than one chunk.')
})

test('the credential of a client is in no record', async () => {
  await using server = await scriptedModelServer({ turns: [{ text: 'Hello.' }] })
  await generateText({ model: modelOf(server), prompt: 'Hi.' })
  expect(server.requests[0]?.headers['authorization']).toMatch(/^•+$/)
  expect(JSON.stringify(server.requests)).not.toContain('sk-not-for-logs')
})

test('a refusal that passes is retried at once by a client that honours retry-after-ms', async () => {
  await using server = await scriptedModelServer({ turns: [{ status: 429, message: 'Slow down.' }, { status: 503 }, { text: 'Now.' }] })
  const { text } = await generateText({ model: modelOf(server), prompt: 'Hi.' })
  expect([text, server.requests.length]).toEqual(['Now.', 3])
})

test.each([
  [
    { status: 429, message: 'Slow down.' },
    { statusCode: 429, message: 'Slow down.', isRetryable: true },
  ],
  [{ status: 500 }, { statusCode: 500, message: 'The script answers with status 500.' }],
  [
    { status: 401, message: 'Who are you?' },
    { statusCode: 401, isRetryable: false },
  ],
  [{ status: 429, headers: { 'retry-after-ms': '20' } }, { responseHeaders: expect.objectContaining({ 'retry-after-ms': '20' }) }],
  [{ broken: 'malformed' as const }, { message: 'Invalid JSON response' }],
  [{ broken: 'dropped' as const }, { message: expect.stringContaining('Cannot connect to API') }],
  [{ text: 'A text that never ends.', cutOff: true }, { message: expect.stringMatching(/terminated|Failed to process|Cannot connect/) }],
])('%j is the failure that a client knows', async (turn, expected) => {
  await using server = await scriptedModelServer({ turns: [turn] })
  const thrown = await generateText({ model: modelOf(server), prompt: 'Hi.', maxRetries: 0 }).catch((error: unknown) => error)
  expect(thrown).toBeInstanceOf(Error)
  expect(thrown).toMatchObject(expected)
})

test.each([[{ broken: 'malformed' as const }], [{ text: 'A text that is broken off before its end.', cutOff: true }]])(
  'a stream that is %j reports an error and ends',
  async (turn) => {
    await using server = await scriptedModelServer({ turns: [turn] })
    const errors: unknown[] = []
    const result = streamText({ model: modelOf(server), prompt: 'Hi.', maxRetries: 0, onError: ({ error }) => void errors.push(error) })
    let text = ''
    try {
      for await (const chunk of result.textStream) text += chunk
    } catch (error) {
      errors.push(error)
    }
    expect(errors).toHaveLength(1)
    expect('A text that is broken off before its end.'.startsWith(text)).toBe(true)
    expect(text).not.toBe('A text that is broken off before its end.')
  },
)

test('a call of a tool with arguments that are no JSON reaches the client as it stands', async () => {
  await using server = await scriptedModelServer({ turns: [{ toolCalls: [{ name: 'weather', arguments: '{"city":' }] }] })
  const { toolCalls } = await generateText({ ...settings, model: modelOf(server), stopWhen: isStepCount(1) })
  expect(toolCalls).toMatchObject([{ toolName: 'weather', invalid: true }])
})

test('a request beyond the script fails and names the turn', async () => {
  await using server = await scriptedModelServer({ turns: [{ toolCalls: [{ name: 'weather', arguments: { city: 'Oslo' } }] }] })
  await expect(generateText({ ...settings, model: modelOf(server) })).rejects.toThrow(
    'The script has no turn 2: it has 1 turn, and all are played.',
  )
})

test('a slow answer takes its time, and a client may give up on one that never comes', async () => {
  const clock = fakeClock()
  await using server = await scriptedModelServer({ clock, turns: [{ text: 'At last.', delayMs: 60_000 }, { broken: 'silent' }] })
  const slow = generateText({ model: modelOf(server), prompt: 'Hi.' })
  await expect.poll(() => clock.pending()).toBe(1)
  await clock.advance(60_000)
  expect((await slow).text).toBe('At last.')

  const cancel = new AbortController()
  const silent = generateText({ model: modelOf(server), prompt: 'Hi.', abortSignal: cancel.signal })
  await expect.poll(() => server.requests.length).toBe(2)
  cancel.abort()
  await expect(silent).rejects.toThrow(/abort/)
})
