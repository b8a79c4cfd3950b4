import { ToolMessage } from '@langchain/core/messages'
import { createReactAgent } from '@langchain/langgraph/prebuilt'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { ScriptedChatModel, toolMessages } from '../../../test/fixtures/langchain/scripted-chat-model.ts'
import { gate } from '../../combinators/gate/gate.ts'
import { autoReview } from '../../review/auto-review.ts'
import { ToolError } from '../../tool/errors/tool-error.ts'
import { success } from '../../tool/result/returned.ts'
import { tool } from '../../tool/tool.ts'
import { toLangChain } from './to-lang-chain.ts'

const weather = tool({
  name: 'weather',
  description: 'Tells the weather of a city.',
  inputSchema: z.object({ city: z.string(), days: z.int().min(1).default(1) }),
  effect: 'read',
  execute: ({ city, days }) => ({ city, days, degrees: 21 }),
})

const called = (name: string, args: Record<string, unknown>, id = 'c1') => ({ type: 'tool_call' as const, id, name, args })

describe('a tool for LangChain', () => {
  test('has name, description and the exact JSON Schema, in a copy [T10]', async () => {
    const { tools, named } = await toLangChain({ forecast: weather })
    const [only] = tools
    expect(only).toBe(named.forecast)
    expect([only?.name, only?.description]).toEqual(['forecast', 'Tells the weather of a city.'])
    expect(only?.schema).toEqual(weather.specification.parameters)
    expect(Object.isFrozen(only?.schema)).toBe(false)
  })

  test('answers a tool call with a tool message: text as content, the value as artifact [T10]', async () => {
    const { named } = await toLangChain({ weather })
    const message = await named.weather.invoke(called('weather', { city: 'Bern' }))
    expect(message).toBeInstanceOf(ToolMessage)
    expect(message).toMatchObject({
      content: '{"city":"Bern","days":1,"degrees":21}',
      artifact: { city: 'Bern', days: 1, degrees: 21 },
      status: 'success',
      tool_call_id: 'c1',
      name: 'weather',
    })
  })

  test('gives the content to a program that calls it directly, and throws a failure [T10]', async () => {
    const { named } = await toLangChain({ weather })
    expect(await named.weather.invoke({ city: 'Bern', days: 2 })).toBe('{"city":"Bern","days":2,"degrees":21}')
    await expect(named.weather.invoke({ city: 'Bern', days: 0 })).rejects.toMatchObject({
      name: 'ToolExecutionError',
      result: { error: { code: 'invalid_input' } },
    })
  })

  test.each<[string, Record<string, unknown>, string]>([
    ['a field is missing', { days: 2 }, "'city' is missing. Correct the listed fields and call again."],
    ['a field has a wrong type', { city: 7 }, "'city'"],
    ['a bound is broken', { city: 'Bern', days: 0 }, "'days'"],
  ])('tells the model what is wrong with its arguments: %s [T10]', async (_what, args, words) => {
    const { named } = await toLangChain({ weather })
    const message = await named.weather.invoke(called('weather', args))
    expect(message).toMatchObject({ status: 'error', artifact: { code: 'invalid_input', outcome: 'not_started' } })
    expect(message.content).toContain("Error: Invalid input for tool 'weather': ")
    expect(message.content).toContain(words)
  })

  test('tells the model of a failure, and what to do [T10]', async () => {
    const busy = tool({
      name: 'busy',
      description: 'd',
      effect: 'read',
      execute: () => {
        throw new ToolError('The line is busy.', { code: 'service_unavailable' })
      },
    })
    const { named } = await toLangChain({ busy })
    const message = await named.busy.invoke(called('busy', { input: 'x' }))
    expect(message.content).toBe('Error: The line is busy. Call again after a short pause.')
    expect(message.artifact).toMatchObject({ code: 'service_unavailable', retryable: true })
  })

  test('gives images, audio and files as content blocks [T10]', async () => {
    const shot = tool({
      name: 'shot',
      description: 'd',
      effect: 'read',
      execute: () =>
        success(1, {
          text: 'See.',
          content: [
            { type: 'image', data: 'aW1n', mimeType: 'image/png' },
            { type: 'resource', uri: 'a.pdf', data: 'cGRm', mimeType: 'application/pdf' },
            { type: 'resource', uri: 'https://x.test/' },
          ],
        }),
    })
    const { named } = await toLangChain({ shot })
    const { content, artifact } = await named.shot.invoke(called('shot', { input: 'x' }))
    expect(content).toEqual([
      { type: 'text', text: 'See.' },
      { type: 'image', data: 'aW1n', mimeType: 'image/png' },
      { type: 'file', data: 'cGRm', mimeType: 'application/pdf', metadata: { filename: 'a.pdf' } },
      { type: 'text', text: 'Resource: https://x.test/' },
    ])
    expect(artifact).toBe(1)
  })

  test('ends with the signal of its config [T10]', async () => {
    const reason = Promise.withResolvers<unknown>()
    const slow = tool({
      name: 'slow',
      description: 'd',
      effect: 'read',
      execute: (_input, { signal }) =>
        new Promise((_resolve, reject) =>
          signal.addEventListener('abort', () => {
            reason.resolve(signal.reason)
            reject(signal.reason as Error)
          }),
        ),
    })
    const controller = new AbortController()
    const { named } = await toLangChain({ slow })
    const message = named.slow.invoke(called('slow', { input: 'x' }), { signal: controller.signal })
    setImmediate(() => controller.abort(new Error('enough')))
    expect(await message).toMatchObject({ status: 'error', artifact: { code: 'cancelled' } })
    expect(await reason.promise).toBeInstanceOf(Error)
  })

  test('knows who calls by the config of the call [T10]', async () => {
    const who = tool({
      name: 'who',
      description: 'd',
      effect: 'read',
      execute: (_input, { principal, session }) => `${principal?.id} ${session}`,
    })
    const { named } = await toLangChain(
      { who },
      { caller: ({ configurable }) => ({ principal: { id: String(configurable?.['user']), permissions: [] }, session: 's1' }) },
    )
    expect(await named.who.invoke({ input: 'x' }, { configurable: { user: 'ada' } })).toBe('ada s1')
  })

  test('refuses an unknown option, and a caller who is not one [T10]', async () => {
    await expect(toLangChain([weather], { sesion: 'x' } as never)).rejects.toThrow(/sesion/)
    const { named } = await toLangChain({ weather }, { caller: () => ({ principle: 'ada' }) as never })
    await expect(named.weather.invoke({ city: 'Bern' })).rejects.toThrow(/principle/)
    for (const maxCalls of [0, 1.5, Number.NaN])
      await expect(toLangChain([weather], { maxCalls })).rejects.toThrow("'maxCalls' of toLangChain must be a whole number from 1 on")
    await expect(toLangChain([weather], { caller: 'ada' as never })).rejects.toThrow("'caller' of toLangChain must be a function")
  })

  test('asks a review handler outside a graph, and says what is missing without one [T14]', async () => {
    const deploy = gate(tool({ name: 'deploy', description: 'd', execute: (branch) => `${branch} is live` }))
    const asked = await toLangChain({ deploy }, { review: autoReview(() => ({ action: 'continue' })) })
    expect(await asked.named.deploy.invoke({ input: 'main' })).toBe('main is live')
    const unasked = await toLangChain({ deploy })
    await expect(unasked.named.deploy.invoke({ input: 'main' })).rejects.toThrow(/in a graph that has a checkpointer/)
  })

  test('in the dialect of a vendor has a strict schema, and its arguments are decoded [T10]', async () => {
    const { named } = await toLangChain({ weather }, { strict: true })
    expect(named.weather.schema).toMatchObject({ required: ['city', 'days'], additionalProperties: false })
    expect(await named.weather.invoke(called('weather', { city: 'Bern', days: null }))).toMatchObject({ artifact: { days: 1 } })
  })
})

describe('an agent of LangGraph', () => {
  test('calls several tools at once, and reads an unknown one as an error [T10]', async () => {
    const { tools } = await toLangChain([weather])
    const llm = new ScriptedChatModel(
      [
        { id: 'a', name: 'weather', args: { city: 'Bern' } },
        { id: 'b', name: 'weather', args: { town: 'Rome' } },
        { id: 'c', name: 'whether', args: {} },
      ],
      'Mild.',
    )
    const agent = createReactAgent({ llm, tools })
    const { messages } = await agent.invoke({ messages: 'How is it?' })
    expect(messages.at(-1)?.content).toBe('Mild.')
    expect(toolMessages(messages).map(({ tool_call_id: id, status }) => [id, status])).toEqual([
      ['a', 'success'],
      ['b', 'error'],
      ['c', 'error'],
    ])
  })

  test('streams reports of progress, and callbacks hear of them [T10]', async () => {
    const count = tool({
      name: 'count',
      description: 'd',
      effect: 'read',
      execute: (_input, { progress }) => (progress({ message: 'half', progress: 1, total: 2 }), 'done'),
    })
    const { tools } = await toLangChain([count])
    const agent = createReactAgent({
      llm: new ScriptedChatModel([{ id: 'a', name: 'count', args: { input: 'x' } }], 'Ok.'),
      tools,
    })
    const heard: unknown[] = []
    const callbacks = [{ handleCustomEvent: (name: string, data: unknown) => void heard.push([name, data]) }]
    const streamed: unknown[] = []
    for await (const chunk of await agent.stream({ messages: 'Count.' }, { streamMode: 'custom', callbacks })) streamed.push(chunk)
    const report = { tool: 'count', path: 'count', message: 'half', progress: 1, total: 2 }
    expect(streamed).toEqual([{ type: 'toolwright_progress', ...report }])
    expect(heard).toEqual([['toolwright_progress', report]])
  })
})
