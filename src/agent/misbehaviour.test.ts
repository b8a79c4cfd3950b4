import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { type ModelTurn, scriptedModel } from '../../test/fixtures/scripted-language-model.ts'
import { retry } from '../combinators/retry/retry.ts'
import { fakeClock } from '../testing/fake-clock.ts'
import { scriptedModelServer } from '../testing/model-server/scripted-model-server.ts'
import type { ScriptedTurn } from '../testing/model-server/scripted-turn.ts'
import { tool } from '../tool/tool.ts'
import { agent } from './agent.ts'
import { unfinished } from './agent-answer.ts'
import type { AgentLimits } from './agent-limits.ts'

const weather = tool({
  name: 'weather',
  description: 'Tells the weather of a city.',
  effect: 'read',
  inputSchema: z.object({ city: z.string() }),
  execute: ({ city }) => `${city}: rain`,
})

function play(turns: readonly ModelTurn[], limits: AgentLimits = {}) {
  const { model, requests } = scriptedModel(...turns)
  const guide = agent({ name: 'guide', role: 'Guide', goal: 'Help.', model, tools: [weather], limits })
  return { run: (options = {}) => guide.run('How is Oslo?', options), requests, guide }
}

const oslo = { calls: [['weather', { city: 'Oslo' }]] } as const
const lastOf = (requests: readonly { readonly prompt: readonly unknown[] }[], at: number): string =>
  JSON.stringify(requests[at]?.prompt.at(-1))

test('a tool that does not exist is answered with the nearest names [T18]', async () => {
  const { run, requests } = play([{ calls: [['wether', { city: 'Oslo' }]] }, 'I do not know.'])
  expect(await run()).toMatchObject({ ok: true, value: { toolCalls: 1 } })
  expect(lastOf(requests, 1)).toContain("Error: There is no tool 'wether'. Did you mean 'weather'?")
})

test.each([
  ['{"city":', 'are not valid JSON'],
  ['[]', 'must be one JSON object'],
  ['{"town":"Oslo"}', "'city' is missing"],
  ['null', 'must be one JSON object'],
])('arguments %s are answered with what is wrong [T18]', async (input, told) => {
  const { run, requests } = play([{ calls: [['weather', input]] }, 'Sorry.'])
  expect(await run()).toMatchObject({ ok: true, text: 'Sorry.' })
  expect(lastOf(requests, 1)).toContain(told)
  expect(requests[1]?.prompt[2]).toMatchObject({ content: [{ type: 'tool-call', input: {} }] })
})

test('a failure of a tool is told to the model, and so is a defect', async () => {
  const broken = tool({
    name: 'weather',
    description: 'Fails.',
    effect: 'read',
    execute: () => {
      throw new TypeError('x is undefined')
    },
  })
  const { model, requests } = scriptedModel(oslo, 'Sorry.')
  expect(await agent({ role: 'Guide', goal: 'Help.', model, tools: [broken] }).run('Go.')).toMatchObject({ ok: true, text: 'Sorry.' })
  expect(lastOf(requests, 1)).toContain('error-text')
  expect(lastOf(requests, 1)).toContain('Error: ')
})

test('a model that repeats itself is told once, and must then answer [T18]', async () => {
  const answering: ModelTurn = (request) => (request.tools === undefined ? 'It rains.' : oslo)
  const { run, requests } = play([answering])
  expect(await run()).toMatchObject({ ok: true, text: 'It rains.', value: { stop: 'repeated', turns: 5, toolCalls: 4 } })
  expect(lastOf(requests, 3)).toContain('with these arguments 2 times, with the same result')
  expect(lastOf(requests, 4)).toContain('You repeat the same calls.')
})

test('a tool whose results change may be called again and again', async () => {
  let polled = 0
  const poll = tool({ name: 'poll', description: 'Polls.', effect: 'read', execute: () => `poll ${++polled}` })
  const { model } = scriptedModel((request, number) => (number > 6 ? 'Done.' : { calls: [['poll', { input: 'x' }]] }))
  expect(await agent({ role: 'Guide', goal: 'Help.', model, tools: [poll] }).run('Go.')).toMatchObject({
    value: { stop: 'answered', toolCalls: 6 },
  })
})

test('of 100 calls in one turn, those within the limit are made, and the rest is told of it [T18]', async () => {
  const calls = Array.from({ length: 100 }, (_, n) => ['weather', { city: `c${n}` }] as const)
  const { run, requests } = play([{ calls }, 'Much rain.'])
  expect(await run()).toMatchObject({ ok: true, text: 'Much rain.', value: { stop: 'limit', toolCalls: 25, turns: 2 } })
  const answers = requests[1]?.prompt.at(-2)
  const values =
    answers?.role === 'tool'
      ? answers.content.map((part) => (part.type === 'tool-result' && 'value' in part.output ? String(part.output.value) : ''))
      : []
  expect(values).toHaveLength(100)
  expect(values[24]).toBe('c24: rain')
  expect(values[25]).toContain('this task may make 25 tool calls, and all of them are used')
  expect(requests[1]?.tools).toBeUndefined()
})

test('a model that never stops ends at the limit, with a turn without tools [T18]', async () => {
  const endless: ModelTurn = (request, number) =>
    request.tools === undefined ? 'Enough.' : { calls: [['weather', { city: `c${number}` }]] }
  const { run, requests } = play([endless])
  expect(await run()).toMatchObject({ ok: true, text: 'Enough.', value: { stop: 'limit', turns: 26, toolCalls: 25 } })
  expect(lastOf(requests, 25)).toContain('You have used all 25 tool calls')
})

test('a model that calls tools even where it has none is a failure with the transcript', async () => {
  const { run } = play([(_request, number) => ({ calls: [['weather', { city: `c${number}` }]] })], { toolCalls: 3 })
  const result = await run()
  expect(result).toMatchObject({ ok: false, error: { code: 'loop_exhausted', outcome: 'failed' } })
  expect(result.text).toBe("Error: The agent 'guide' used its 3 tool calls and gave no answer.")
  expect(unfinished(result)).toMatchObject({ turns: 4, toolCalls: 3 })
})

test('without tool calls in its limits, an agent answers at once', async () => {
  const { run, requests } = play(['It may rain.'], { toolCalls: 0 })
  expect(await run()).toMatchObject({ ok: true, value: { stop: 'limit', turns: 1 } })
  expect(requests[0]?.tools).toBeUndefined()
})

test('with a budget of zero the model is not asked [T18]', async () => {
  const { run, requests } = play(['Hello.'], { tokens: 0 })
  const result = await run()
  expect(result).toMatchObject({ ok: false, error: { code: 'budget_exceeded' } })
  expect(result.text).toBe("Error: The agent 'guide' may use 0 tokens, which is too little to ask its model.")
  expect(requests).toHaveLength(0)
})

test('a budget of tokens leaves room for an answer', async () => {
  const endless: ModelTurn = (request, number) =>
    request.tools === undefined ? 'Enough.' : { calls: [['weather', { city: `c${number}` }]] }
  const { run, requests } = play([endless], { tokens: 100 })
  const result = await run()
  expect(result).toMatchObject({ ok: true, value: { stop: 'limit', text: 'Enough.' } })
  expect(result.usage?.tokens).toBeLessThanOrEqual(100)
  expect(lastOf(requests, requests.length - 1)).toContain('nearly used up')
})

test('an answer that is cut off says so', async () => {
  expect(await play([{ text: 'It is', finish: 'length' }]).run()).toMatchObject({ ok: true, value: { stop: 'cut_off' } })
  expect(await play([{ finish: 'length' }]).run()).toMatchObject({ ok: false, error: { class: 'semantic' } })
  expect(await play([{ finish: 'content-filter' }]).run()).toMatchObject({ ok: false, error: { class: 'semantic' } })
})

test('a model that answers nothing is asked again, a few times [T18]', async () => {
  const clock = fakeClock()
  const helped = play([{}, { text: '  ' }, 'It rains.'])
  expect(await clock.until(helped.run({ clock }))).toMatchObject({ ok: true, text: 'It rains.', usage: { tokens: 45 } })
  const silent = play([{}])
  const result = await clock.until(silent.run({ clock }))
  expect(result).toMatchObject({ ok: false, error: { code: 'upstream_error', message: 'The model answered nothing.' } })
  expect(silent.requests).toHaveLength(4)
  expect(unfinished(result)?.messages).toHaveLength(2)
})

test('two calls with one id are told apart', async () => {
  const { model, requests } = scriptedModel(oslo, 'Done.')
  const twice: typeof model = {
    ...model,
    doGenerate: async (request) => {
      const reply = await model.doGenerate(request)
      return { ...reply, content: [...reply.content, ...reply.content.filter(({ type }) => type === 'tool-call')] }
    },
  }
  await agent({ role: 'Guide', goal: 'Help.', model: twice, tools: [weather] }).run('Go.')
  expect(requests[1]?.prompt.at(-1)).toMatchObject({ content: [{ toolCallId: 'call_1_1' }, { toolCallId: 'turn1_call2' }] })
})

test('a model that gives no content is a clear failure', async () => {
  const { model } = scriptedModel('x')
  const odd = { ...model, doGenerate: async () => ({}) as never }
  const clock = fakeClock()
  const result = await clock.until(agent({ role: 'Guide', goal: 'Help.', model: odd, tools: [] }).run('Go.', { clock }))
  expect(result.text).toBe('Error: The answer of the model cannot be read: it has no content.')
})

test('a tool that hangs is cut off after the time of a call, and the model is told', async () => {
  const hang = tool({ name: 'weather', description: 'Hangs.', effect: 'read', execute: () => new Promise<string>(() => {}) })
  const { model, requests } = scriptedModel(oslo, 'No news.')
  const clock = fakeClock()
  const hanging = agent({ role: 'Guide', goal: 'Help.', model, tools: [hang], limits: { callDeadline: '5s' } })
  expect(await clock.until(hanging.run('Go.', { clock }))).toMatchObject({ ok: true, text: 'No news.' })
  expect(lastOf(requests, 1)).toContain('The deadline passed')
})

test('the deadline of the whole ends a model that hangs, with the transcript', async () => {
  const { model } = scriptedModel(oslo)
  let asked = 0
  const stuck = {
    ...model,
    doGenerate: async (request: Parameters<typeof model.doGenerate>[0]) =>
      ++asked > 1 ? new Promise<never>(() => {}) : model.doGenerate(request),
  }
  const clock = fakeClock()
  const result = await clock.until(
    agent({ role: 'Guide', goal: 'Help.', model: stuck, tools: [weather], limits: { deadline: '30s' } }).run('Go.', { clock }),
  )
  expect(result).toMatchObject({ ok: false, error: { class: 'deadline' } })
  expect(unfinished(result)).toMatchObject({ turns: 2, toolCalls: 1 })
})

const wire = async (
  turns: readonly ScriptedTurn[],
  use: (over: { readonly guide: ReturnType<typeof play>['guide']; readonly asked: () => number }) => Promise<void>,
) => {
  await using server = await scriptedModelServer({ turns })
  const model = createOpenAICompatible({ name: 'scripted', baseURL: server.url, includeUsage: true })('scripted')
  await use({ guide: agent({ name: 'guide', role: 'Guide', goal: 'Help.', model, tools: [weather] }), asked: () => server.requests.length })
}

test.concurrent.each<readonly [string, readonly ScriptedTurn[]]>([
  ['429', [{ status: 429, message: 'Slow down.' }]],
  ['500', [{ status: 500, message: 'Oh.' }]],
  ['an answer that is no JSON', [{ broken: 'malformed' }]],
  ['a dropped connection', [{ broken: 'dropped' }]],
  ['half an answer', [{ text: 'It rains a lot.', cutOff: true }]],
])('after %s the provider is asked again [T18]', async (_what, turns) => {
  await wire([...turns, { toolCalls: [{ name: 'weather', arguments: { city: 'Oslo' } }] }, { text: 'Rain.' }], async ({ guide, asked }) => {
    expect(await guide.run('How is Oslo?', { random: () => 0 })).toMatchObject({ ok: true, text: 'Rain.', value: { turns: 2 } })
    expect(asked()).toBe(3)
  })
})

test('a provider that refuses for good is a classified failure [T18]', async () => {
  await wire([{ status: 401, message: 'Wrong key.' }], async ({ guide, asked }) => {
    const result = await guide.run('How is Oslo?')
    expect(result).toMatchObject({ ok: false, error: { code: 'access_denied', class: 'authorization' } })
    expect(unfinished(result)).toMatchObject({ turns: 1 })
    expect(asked()).toBe(1)
  })
})

test('a run that fails after a tool took effect may have done something: it is not simply repeated', async () => {
  const paid: string[] = []
  const pay = tool({ name: 'pay', description: 'Pays.', effect: 'write', execute: (to) => (paid.push(to), 'paid') })
  const refused = Object.assign(new Error('Busy.'), { status: 503 })
  const { model } = scriptedModel({ calls: [['pay', { input: 'ann' }]] }, refused)
  const clock = fakeClock()
  const payer = retry(agent({ role: 'Clerk', goal: 'Pay.', model, tools: [pay] }).asTool(), { attempts: 3 })
  const result = await clock.until(payer.call({ task: 'Pay Ann.' }, { clock, deadline: '10m' }))
  expect(result).toMatchObject({ ok: false, error: { code: 'service_unavailable', outcome: 'unknown' } })
  expect(paid).toEqual(['ann'])
})

test('calls in the last turn are left out of the transcript, where nobody answers them', async () => {
  const { run } = play([(_request, number) => ({ text: `Turn ${number}.`, calls: [['weather', { city: `c${number}` }]] })], {
    toolCalls: 1,
  })
  const result = await run()
  expect(result).toMatchObject({ ok: true, text: 'Turn 2.', value: { stop: 'limit' } })
  expect(result.ok && result.value.messages.at(-1)).toEqual({ role: 'assistant', content: [{ type: 'text', text: 'Turn 2.' }] })
})
