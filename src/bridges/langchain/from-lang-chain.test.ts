import { ToolMessage } from '@langchain/core/messages'
import { DynamicTool, tool as langChainTool, type ToolRunnableConfig } from '@langchain/core/tools'
import { Command, interrupt, MemorySaver, MessagesAnnotation, StateGraph } from '@langchain/langgraph'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import * as z3 from 'zod/v3'
import { gate } from '../../combinators/gate/gate.ts'
import { autoReview } from '../../review/auto-review.ts'
import { createRuntime } from '../../runtime/create-runtime.ts'
import { fromLangChain, langChainPeer } from './from-lang-chain.ts'

const weather = langChainTool(({ city }: { city: string }) => ({ city, degrees: 21 }), {
  name: 'weather',
  description: 'Tells the weather of a city.',
  schema: z.object({ city: z.string().min(2) }),
})

describe('a LangChain tool as ours', () => {
  test('keeps name, description, schema and value, and counts as irreversible without an effect [T10]', async () => {
    const [adopted] = await fromLangChain([weather])
    expect(adopted).toMatchObject({ name: 'weather', description: 'Tells the weather of a city.', effect: 'irreversible' })
    expect(adopted.specification.parameters).toMatchObject({ properties: { city: { type: 'string', minLength: 2 } }, required: ['city'] })
    const result = await adopted.call({ city: 'Bern' })
    expect(result).toMatchObject({ ok: true, value: { city: 'Bern', degrees: 21 } })
  })

  test('can be gated like any other [T14]', async () => {
    const { weather: adopted } = await fromLangChain({ weather }, { metadata: { weather: { effect: 'read' } } })
    const refused = await gate(adopted).call({ city: 'Bern' }, { review: autoReview(() => ({ action: 'reject' })) })
    expect(refused).toMatchObject({ ok: false, error: { code: 'rejected' } })
  })

  test('takes a JSON Schema exactly as it is [T10]', async () => {
    const schema = {
      type: 'object',
      properties: { n: { type: 'integer', minimum: 3 } },
      required: ['n'],
      additionalProperties: false,
    } as const
    const [adopted] = await fromLangChain([langChainTool((input) => input, { name: 'n', description: 'd', schema })])
    expect(adopted.specification.parameters).toEqual(schema)
    expect(await adopted.call({ n: 1 })).toMatchObject({ ok: false, error: { code: 'invalid_input' } })
    expect(await adopted.call({ n: 3 })).toMatchObject({ ok: true, value: { n: 3 } })
  })

  test('of zod 3, and one that takes text, is described by LangChain [T10]', async () => {
    const old = langChainTool(({ n }) => n + 1, { name: 'old', description: 'd', schema: z3.object({ n: z3.number().int() }) as never })
    const text = new DynamicTool({ name: 'text', description: 'd', func: (given) => Promise.resolve(given.toUpperCase()) })
    const [adopted, plain] = await fromLangChain([old, text])
    expect(adopted.specification.parameters).toMatchObject({ properties: { n: { type: 'integer' } } })
    expect(await adopted.call({ n: 1 })).toMatchObject({ ok: true, value: 2 })
    expect(await plain.call({ input: 'hi' })).toMatchObject({ ok: true, value: 'HI' })
  })

  test('parses its input itself: a schema that transforms gets what was sent [T10]', async () => {
    const schema = z.object({ n: z.string().transform(Number), m: z.number().default(5) })
    const sum = langChainTool(({ n, m }) => n + m, { name: 'sum', description: 'd', schema })
    const [adopted] = await fromLangChain([sum])
    expect(await adopted.call({ n: '2' })).toMatchObject({ ok: true, value: 7 })
  })

  test('does not run with what is inside an input that looks like a tool call [T14]', async () => {
    const seen: unknown[] = []
    const schema = { type: 'object', additionalProperties: true } as const
    const any = langChainTool((input) => (seen.push(input), 'ok'), { name: 'any', description: 'd', schema })
    const [adopted] = await fromLangChain([any])
    const input = { type: 'tool_call', id: 'x', name: 'any', args: { hidden: true } }
    expect(await adopted.call(input)).toMatchObject({ ok: false, error: { code: 'invalid_input', outcome: 'not_started' } })
    expect(seen).toEqual([])
  })

  test('gives its artifact as the value, and its content to the model [T10]', async () => {
    const chart = langChainTool(
      () => [
        [
          { type: 'text', text: 'A chart.' },
          { type: 'image', data: 'aW1n', mimeType: 'image/png' },
          { type: 'image_url', image_url: { url: 'data:image/gif;base64,R0lG' } },
          { type: 'file', url: 'https://x.test/a.pdf' },
        ],
        { points: [1, 2] },
      ],
      { name: 'chart', description: 'd', schema: z.object({}), responseFormat: 'content_and_artifact' },
    )
    const [adopted] = await fromLangChain([chart])
    expect(await adopted.call({})).toMatchObject({
      ok: true,
      value: { points: [1, 2] },
      text: 'A chart.',
      content: [
        { type: 'image', data: 'aW1n', mimeType: 'image/png' },
        { type: 'image', data: 'R0lG', mimeType: 'image/gif' },
        { type: 'resource', uri: 'https://x.test/a.pdf' },
      ],
    })
  })

  test('fails with the text of an error message, with a thrown error, and with a Command [T10]', async () => {
    const schema = z.object({})
    const said = langChainTool(() => new ToolMessage({ status: 'error', content: 'No such order.', tool_call_id: 'x' }), {
      name: 'a',
      schema,
    })
    const thrown = langChainTool(() => Promise.reject(Object.assign(new Error('Busy.'), { status: 503 })), { name: 'b', schema })
    const steering = langChainTool(() => new Command({ goto: 'x' }), { name: 'c', schema })
    const results = await Promise.all((await fromLangChain([said, thrown, steering])).map((each) => each.call({})))
    expect(results).toMatchObject([
      { ok: false, error: { message: 'No such order.' } },
      { ok: false, error: { code: 'service_unavailable', retryable: true } },
      { ok: false, error: { code: 'invalid_output', message: expect.stringContaining('Command') } },
    ])
  })

  test('that interrupts a graph fails, and says what to do [T14]', async () => {
    const asking = langChainTool(() => String(interrupt('May I?')), { name: 'asking', schema: z.object({}) })
    const [adopted] = await fromLangChain([asking], { metadata: { asking: { effect: 'read' } } })
    const told: string[] = []
    const graph = new StateGraph(MessagesAnnotation)
      .addNode('a', async () => (told.push((await adopted.call({})).text), {}))
      .addEdge('__start__', 'a')
      .compile({ checkpointer: new MemorySaver() })
    await graph.invoke({ messages: [] }, { configurable: { thread_id: 't' } })
    expect(told.join()).toContain('requireApproval')
  })

  test('gets the config, the tags and the signal of the call [T10]', async () => {
    const seen: ToolRunnableConfig[] = []
    const look = langChainTool((_input, config: ToolRunnableConfig) => (seen.push(config), 'ok'), { name: 'look', schema: z.object({}) })
    const heard: string[] = []
    const callbacks = [{ handleToolEnd: () => void heard.push('end') }]
    const [adopted] = await fromLangChain([look], { config: { callbacks, tags: ['ours'], configurable: { user: 'ada' } } })
    await adopted.call({})
    expect(seen[0]?.signal).toBeInstanceOf(AbortSignal)
    expect(seen[0]?.configurable).toMatchObject({ user: 'ada' })
    expect(heard).toEqual(['end'])
  })

  test.each([
    ['without the mark of LangChain', { lc_namespace: undefined }],
    ['without a name', { name: undefined }],
    ['that cannot be called', { invoke: undefined }],
  ])('is not taken for one %s [T10]', async (_what, missing) => {
    const shape = { lc_namespace: ['tools'], name: 'near', description: 'd', schema: z.object({}), invoke: () => Promise.resolve('ran') }
    await expect(fromLangChain([{ ...shape, ...missing }] as never)).rejects.toMatchObject({ code: 'not_a_tool' })
    expect(await fromLangChain([shape] as never)).toMatchObject([{ name: 'near' }])
  })

  test('is not taken for one without a schema, and not with a schema that is none [T10]', async () => {
    const bare = { lc_namespace: ['tools'], name: 'bare', invoke: () => Promise.resolve('ran') }
    await expect(fromLangChain([bare, null] as never)).rejects.toMatchObject({ code: 'not_a_tool' })
    await expect(fromLangChain([null] as never)).rejects.toMatchObject({ code: 'not_a_tool' })
    for (const schema of [undefined, null, 'text'])
      await expect(fromLangChain([{ ...bare, schema }] as never)).rejects.toMatchObject({ code: 'invalid_schema' })
  })

  test('without a description is described by its name [T10]', async () => {
    const silent = { lc_namespace: ['tools'], name: 'silent', schema: z.object({}), invoke: () => Promise.resolve('ran') }
    const adopted = await fromLangChain([silent, { ...silent, name: 'blank', description: '  ' }] as never)
    expect(adopted).toMatchObject([{ description: 'The tool silent.' }, { description: 'The tool blank.' }])
  })

  test('of an older zod, which is no standard schema, is described by LangChain [T10]', async () => {
    const schema = z3.object({ n: z3.number().int() })
    Object.defineProperty(schema, '~standard', { value: undefined })
    const [adopted] = await fromLangChain([langChainTool(({ n }) => n + 1, { name: 'old', description: 'd', schema: schema as never })])
    expect(adopted.specification.parameters).toMatchObject({ properties: { n: { type: 'integer' } } })
    expect(await adopted.call({ n: 1 })).toMatchObject({ ok: true, value: 2 })
  })

  test('whose schema answers later gets what was sent, or a failure that names the field [T10]', async () => {
    const schema = z.object({
      n: z
        .string()
        .refine(async (n) => n !== '0', 'is zero')
        .transform(Number),
    })
    const [adopted] = await fromLangChain([langChainTool(({ n }) => n + 1, { name: 'later', description: 'd', schema })])
    expect(await adopted.call({ n: '2' })).toMatchObject({ ok: true, value: 3 })
    expect(await adopted.call({ n: '0' })).toMatchObject({ ok: false, error: { code: 'invalid_input', outcome: 'not_started' } })
  })

  test('that refuses an input which its schema lets through has not begun [T10]', async () => {
    const seen: unknown[] = []
    const schema = { type: 'object', properties: { n: { type: 'integer' } } } as const
    const strict = langChainTool((input) => (seen.push(input), 'ok'), { name: 'strict', description: 'd', schema })
    const [adopted] = await fromLangChain([strict])
    // The tool of a program may check more than it says.
    Object.assign(strict, { schema: { ...schema, required: ['n'] } })
    expect(await adopted.call({})).toMatchObject({
      ok: false,
      error: { code: 'invalid_input', outcome: 'not_started', message: expect.stringContaining("Invalid input for tool 'strict'") },
    })
    expect(seen).toEqual([])
  })

  test('ends with the signal of its config, too [T10]', async () => {
    const stop = new AbortController()
    const heard: unknown[] = []
    const waits = langChainTool(
      (_input, { signal }: ToolRunnableConfig) =>
        new Promise<string>((_resolve, reject) => {
          signal?.addEventListener('abort', () => (heard.push('abort'), reject(new Error('stopped'))))
          stop.abort(new Error('The server ends.'))
        }),
      { name: 'waits', schema: z.object({}) },
    )
    const [adopted] = await fromLangChain([waits], { config: { signal: stop.signal } })
    expect(await adopted.call({})).toMatchObject({ ok: false })
    expect(heard).toEqual(['abort'])
  })

  test('stands in the list of a runtime by its peer, and errors name the tool [T10]', async () => {
    const runtime = createRuntime({ tools: [weather], peers: [langChainPeer({ metadata: { weather: { effect: 'read' } } })] })
    expect((await runtime.callByName('weather', '{"city":"Bern"}')).text).toBe('{"city":"Bern","degrees":21}')
    await expect(fromLangChain(weather as never)).rejects.toThrow(/takes a list/)
    await expect(fromLangChain([{}] as never)).rejects.toThrow(/no tool/)
    await expect(fromLangChain([weather], { metadata: { wether: {} } })).rejects.toThrow(/'wether'/)
    await expect(fromLangChain([weather], { metdata: {} } as never)).rejects.toThrow(/metdata/)
  })
})
