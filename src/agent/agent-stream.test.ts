import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { scriptedModel } from '../../test/fixtures/scripted-language-model.ts'
import { gate } from '../combinators/gate/gate.ts'
import { scriptedModelServer } from '../testing/model-server/scripted-model-server.ts'
import { tool } from '../tool/tool.ts'
import { agent } from './agent.ts'

const weather = tool({
  name: 'weather',
  description: 'Tells the weather of a city.',
  effect: 'read',
  inputSchema: z.object({ city: z.string() }),
  execute: ({ city }) => `${city}: rain`,
})
async function collected<T>(events: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const event of events) all.push(event)
  return all
}

const guide = { name: 'guide', role: 'Guide', goal: 'Help.' } as const

test('a stream tells texts, calls, results and the end [T18]', async () => {
  const { model } = scriptedModel({ text: 'Let me look.', calls: [['weather', { city: 'Oslo' }]] }, 'It rains in Oslo.')
  const events = await collected(agent({ ...guide, model, tools: [weather] }).stream('How is Oslo?'))
  expect(events.map((event) => (event.type === 'text' ? event.text : event.type))).toEqual([
    ...['Let ', 'me ', 'look.', 'tool-call', 'tool-result'],
    ...['It ', 'rains ', 'in ', 'Oslo.', 'end'],
  ])
  expect(events[3]).toEqual({ type: 'tool-call', path: 'guide/turn1.call1', tool: 'weather', input: { city: 'Oslo' } })
  expect(events[4]).toEqual({ type: 'tool-result', path: 'guide/turn1.call1', tool: 'weather', ok: true, text: 'Oslo: rain' })
  expect(events.at(-1)).toMatchObject({ type: 'end', result: { ok: true, value: { text: 'It rains in Oslo.', turns: 2 } } })
})

test('a call behind a gate is told once', async () => {
  const { model } = scriptedModel({ calls: [['weather', { city: 'Oslo' }]] }, 'Done.')
  const gated = agent({ ...guide, model, tools: [gate(weather)] })
  const events = await collected(gated.stream('How is Oslo?', { review: { review: () => ({ action: 'continue' }) } }))
  expect(events.map(({ type }) => type)).toEqual(['tool-call', 'tool-result', 'text', 'end'])
})

test('half a stream is asked for again, and the reader is told [T18]', async () => {
  await using server = await scriptedModelServer({ turns: [{ text: 'It rains a lot in Oslo.', cutOff: true }, { text: 'It rains.' }] })
  const model = createOpenAICompatible({ name: 'scripted', baseURL: server.url, includeUsage: true })('scripted')
  const events = await collected(agent({ ...guide, model, tools: [] }).stream('How is Oslo?', { random: () => 0 }))
  const retry = events.findIndex(({ type }) => type === 'retry')
  expect(retry).toBeGreaterThan(0)
  const text = events.slice(retry).flatMap((event) => (event.type === 'text' ? [event.text] : []))
  expect(text.join('')).toBe('It rains.')
  expect(events.at(-1)).toMatchObject({ type: 'end', result: { ok: true, text: 'It rains.' } })
})

test('a stream without a finish is a failure that says so', async () => {
  const { model } = scriptedModel('x')
  const cut: typeof model = {
    ...model,
    doStream: async () => ({ stream: ReadableStream.from([{ type: 'text-start' as const, id: '0' }]) }),
  }
  const events = await collected(agent({ ...guide, model: cut, tools: [] }).stream('Go.', { deadline: 400 }))
  expect(events.at(-1)).toMatchObject({
    type: 'end',
    result: { ok: false, error: { message: 'The answer of the model broke off in the middle.' } },
  })
})

test('leaving the loop ends the run', async () => {
  let signal: AbortSignal | undefined
  const slow = tool({
    name: 'weather',
    description: 'Hangs.',
    effect: 'read',
    execute: (_input, context) => ((signal = context.signal), new Promise<string>(() => {})),
  })
  const { model } = scriptedModel({ calls: [['weather', { input: '' }]] })
  for await (const { type } of agent({ ...guide, model, tools: [slow] }).stream('Go.')) if (type === 'tool-call') break
  await expect.poll(() => signal?.aborted).not.toBe(false)
})

test('a configuration error is thrown to the reader', async () => {
  const { model } = scriptedModel('x')
  await expect(collected(agent({ ...guide, model, tools: [] }).stream('Go.', { dedline: 1 } as object))).rejects.toThrow(
    "Did you mean 'deadline'",
  )
})

test('a reviewer who stops the run ends the stream with that, also for a slow reader', async () => {
  const { model } = scriptedModel({ text: 'Let me look.', calls: [['weather', { city: 'Oslo' }]] })
  const events = agent({ ...guide, model, tools: [gate(weather)] }).stream('How is Oslo?', {
    review: { review: () => ({ action: 'stop' }) },
  })
  const read = async (): Promise<void> => {
    for await (const { type } of events) if (type === 'text') await new Promise((resolve) => setTimeout(resolve, 20))
  }
  await expect(read()).rejects.toMatchObject({ code: 'exit_early' })
})
