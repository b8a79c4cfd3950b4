import { expect, test, vi } from 'vitest'
import { z } from 'zod'
import { scriptedModel } from '../../test/fixtures/scripted-language-model.ts'
import { gate } from '../combinators/gate/gate.ts'
import { tool } from '../tool/tool.ts'
import { agent } from './agent.ts'
import { unfinished } from './agent-answer.ts'

const findOrders = tool({
  name: 'find_orders',
  description: 'Finds the orders of a customer.',
  effect: 'read',
  inputSchema: z.object({ email: z.string() }),
  execute: ({ email }) => ({ email, latest: { id: 'o1', total: 42 } }),
})
const clerk = { name: 'refund_clerk', role: 'Refund clerk', goal: 'Refund what is due.' } as const

test('an agent calls its tools and answers [T18]', async () => {
  const { model, requests } = scriptedModel({ calls: [['find_orders', { email: 'a@b.c' }]] }, 'It was order o1.')
  const refunds = agent({ ...clerk, model, tools: [findOrders], prices: { inputPerMillion: 1, outputPerMillion: 10 } })
  const result = await refunds.run('What did a@b.c order last?')
  expect(result).toMatchObject({
    ok: true,
    text: 'It was order o1.',
    value: { text: 'It was order o1.', value: undefined, stop: 'answered', turns: 2, toolCalls: 1 },
    usage: { tokens: 30 },
  })
  if (!result.ok) return
  expect(result.value.usage).toEqual({ inputTokens: 20, outputTokens: 10, cachedInputTokens: 0, costUsd: 0.00012 })
  expect(result.value.messages.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'tool', 'assistant'])
  expect(requests[0]?.tools).toMatchObject([{ type: 'function', name: 'find_orders', inputSchema: { required: ['email'] } }])
  expect(requests[1]?.prompt.at(-1)).toEqual({
    role: 'tool',
    content: [
      {
        type: 'tool-result',
        toolCallId: 'call_1_1',
        toolName: 'find_orders',
        output: { type: 'text', value: '{"email":"a@b.c","latest":{"id":"o1","total":42}}' },
      },
    ],
  })
  expect(result.steps?.map(({ path }) => path)).toEqual(['refund_clerk/turn1', 'refund_clerk/turn1.call1', 'refund_clerk/turn2'])
})

test('arguments with null reach the tool and the transcript as they were sent', async () => {
  const echo = tool({
    name: 'echo',
    description: 'Echoes.',
    effect: 'read',
    inputSchema: z.object({ a: z.null() }),
    execute: (input) => input,
  })
  const { model, requests } = scriptedModel({ calls: [['echo', { a: null }]] }, 'Done.')
  await agent({ ...clerk, model, tools: [echo] }).run('Go.')
  expect(requests[1]?.prompt[2]).toMatchObject({ content: [{ input: { a: null } }] })
  expect(requests[1]?.prompt[3]).toMatchObject({ content: [{ output: { value: '{"a":null}' } }] })
})

test('a text has its variables, whose values are data', async () => {
  const { model, requests } = scriptedModel('Hello.')
  const greeter = agent({ role: 'Clerk of {{shop}}', goal: 'Greet {{ who }}.', model, tools: [] })
  await greeter.run('Go.', { variables: { shop: '{{who}}', who: 'Ada' } })
  expect(requests[0]?.prompt[0]?.content).toBe('You are: Clerk of {{who}}\n\nYour goal: Greet Ada.')
})

test('a missing variable is an error before the model is asked', async () => {
  const { model, requests } = scriptedModel('Hello.')
  const greeter = agent({ role: 'Clerk of {{shop}}', goal: 'Sell.', model, tools: [] })
  const result = await greeter.run('Go.', { variables: { shopp: 'Bakery' } })
  expect(result).toMatchObject({ ok: false, error: { code: 'invalid_input', outcome: 'not_started' } })
  expect(result.text).toBe("Error: The texts of agent 'agent' need the variable 'shop'. Did you mean 'shopp'?")
  expect(requests).toHaveLength(0)
})

test('an agent with an output gives a value of its schema', async () => {
  const { model, requests } = scriptedModel('```json\n{"id":"o1"}\n```')
  const finder = agent({ ...clerk, model, tools: [], output: z.object({ id: z.string() }) })
  const result = await finder.run('Which?')
  expect(result).toMatchObject({ ok: true, value: { value: { id: 'o1' }, stop: 'answered' } })
  expect(requests[0]?.responseFormat).toMatchObject({ type: 'json', schema: { required: ['id'] } })
  const asTool = await finder.asTool().call({ task: 'Which?' })
  expect(asTool).toMatchObject({ ok: true, value: { id: 'o1' } })
  expect(finder.asTool().specification.outputSchema).toMatchObject({ required: ['id'] })
})

test('an answer that does not fit is corrected once', async () => {
  const { model, requests } = scriptedModel('{"id":1}', '{"id":"o1"}')
  const result = await agent({ ...clerk, model, tools: [], output: z.object({ id: z.string() }) }).run('Which?')
  expect(result).toMatchObject({ ok: true, value: { value: { id: 'o1' }, turns: 2 } })
  expect(JSON.stringify(requests[1]?.prompt.at(-1))).toContain("does not fit the required form: 'id'")
})

test('an answer that does not fit twice is a failure with the transcript', async () => {
  const { model } = scriptedModel('no JSON')
  const result = await agent({ ...clerk, model, tools: [], output: z.object({ id: z.string() }) }).run('Which?')
  expect(result).toMatchObject({ ok: false, error: { code: 'invalid_output' } })
  expect(unfinished(result)).toMatchObject({ turns: 2, usage: { inputTokens: 20 } })
  expect(unfinished(result)?.messages.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'user', 'assistant'])
})

test('an output that is no object is wrapped for the model', async () => {
  const { model, requests } = scriptedModel('{"input":[1,2]}')
  const result = await agent({ ...clerk, model, tools: [], output: z.array(z.number()) }).run('Which?')
  expect(result).toMatchObject({ ok: true, value: { value: [1, 2] } })
  expect(requests[0]?.responseFormat).toMatchObject({ schema: { type: 'object', required: ['input'] } })
})

test('calls of one turn run side by side, at most so many at a time', async () => {
  let under = 0
  let most = 0
  const slow = tool({
    name: 'slow',
    description: 'Takes its time.',
    effect: 'read',
    inputSchema: z.object({ n: z.number() }),
    execute: async ({ n }) => {
      most = Math.max(most, ++under)
      await new Promise((resolve) => setImmediate(resolve))
      under--
      return n
    },
  })
  const calls = Array.from({ length: 6 }, (_, n) => ['slow', { n }] as const)
  const { model, requests } = scriptedModel({ calls }, 'Done.')
  await agent({ ...clerk, model, tools: [slow], limits: { parallel: 3 } }).run('Go.')
  expect(most).toBe(3)
  expect(requests[1]?.prompt.at(-1)).toMatchObject({ content: [0, 1, 2, 3, 4, 5].map((n) => ({ output: { value: String(n) } })) })
})

test('a gate inside an agent asks the reviewer; a rejection is told to the model', async () => {
  const pay = gate(
    tool({ name: 'pay', description: 'Pays.', effect: 'irreversible', inputSchema: z.object({ to: z.string() }), execute: () => 'paid' }),
  )
  const { model, requests } = scriptedModel({ calls: [['pay', { to: 'ann' }]] }, 'Nobody was paid.')
  const result = await agent({ ...clerk, model, tools: [pay] }).run('Pay Ann.', {
    review: { review: () => ({ action: 'reject', reason: 'not today' }) },
  })
  expect(result.text).toBe('Nobody was paid.')
  expect(JSON.stringify(requests[1]?.prompt.at(-1))).toContain('Error: Rejected')
})

test('the id of a model is looked up at the default provider of the AI SDK, when it is needed', async () => {
  const { model } = scriptedModel('Hello.')
  const asked: string[] = []
  const provider = { languageModel: (id: string) => (asked.push(id), model) }
  vi.stubGlobal('AI_SDK_DEFAULT_PROVIDER', provider)
  try {
    const named = agent({ ...clerk, model: 'some/model', tools: [] })
    expect(asked).toEqual([])
    expect((await named.run('Go.')).text).toBe('Hello.')
    expect(asked).toEqual(['some/model'])
  } finally {
    vi.unstubAllGlobals()
  }
})

test('a model of an older specification is read too', async () => {
  const reply = {
    content: [{ type: 'text', text: 'Hello.' }],
    finishReason: 'stop',
    usage: { inputTokens: 7, outputTokens: 2, totalTokens: 9, cachedInputTokens: 3 },
    warnings: [],
  }
  const model = { ...scriptedModel('x').model, specificationVersion: 'v2', doGenerate: async () => reply }
  const result = await agent({ ...clerk, model, tools: [] }).run('Go.')
  expect(result).toMatchObject({ ok: true, value: { stop: 'answered', usage: { inputTokens: 7, outputTokens: 2, cachedInputTokens: 3 } } })
})

test('mistakes in the options are refused at once', () => {
  const { model } = scriptedModel('Hello.')
  const make = (more: object) => () => agent({ ...clerk, model, tools: [], ...more })
  expect(make({ goals: 'x' })).toThrow("The options of agent have no 'goals'. Did you mean 'goal'")
  expect(make({ role: '' })).toThrow("The role of agent 'refund_clerk' must be a text")
  expect(make({ model: 7 })).toThrow('must be a language model of the AI SDK')
  expect(make({ tools: [{}] })).toThrow('which is not a tool')
  expect(make({ tools: [findOrders, findOrders] })).toThrow("Duplicate tool name: 'find_orders'")
  expect(make({ limits: { toolCall: 1 } })).toThrow("Did you mean 'toolCalls'?")
  expect(make({ limits: { toolCalls: 1.5 } })).toThrow('must be a whole number of at least 0')
  expect(make({ limits: { parallel: 0 } })).toThrow('must be a whole number of at least 1')
  expect(make({ limits: { costUsd: 1 } })).toThrow('needs prices')
  expect(make({ prices: { inputPerMillion: -1, outputPerMillion: 1 } })).toThrow("'inputPerMillion' of the prices")
  expect(make({ router: {} })).toThrow('must be made by outputRouter')
  expect(make({ settings: { temprature: 1 } })).toThrow("Did you mean 'temperature'?")
  expect(make({ name: 'a b' })).toThrow('letters, digits')
})
