import { dynamicTool, generateText, isStepCount, jsonSchema, tool as aiTool, type ToolSet } from 'ai'
import { type } from 'arktype'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import * as z3 from 'zod/v3'
import { scriptedLanguageModel, toldLast } from '../../../test/fixtures/ai-sdk/scripted-language-model.ts'
import { gate } from '../../combinators/gate/gate.ts'
import { ToolPipeline } from '../../combinators/pipe/tool-pipeline.ts'
import { createRuntime } from '../../runtime/create-runtime.ts'
import { fakeClock, settled } from '../../testing/fake-clock.ts'
import { recordEvents } from '../../testing/record-events.ts'
import { recordingReview } from '../../testing/recording-review.ts'
import { resolve } from '../../tool/resolve/resolve.ts'
import { tool } from '../../tool/tool.ts'
import { aiSdkPeer, fromAiSdk } from './from-ai-sdk.ts'
import { toAiSdk } from './to-ai-sdk.ts'

const weather = aiTool({
  description: 'Tells the weather of a city.',
  inputSchema: z.object({ city: z.string() }),
  execute: ({ city }) => ({ city, degrees: 21 }),
})

describe('an AI SDK tool', () => {
  test('is a tool with its name, description, schema and types [T10]', async () => {
    const { weather: adopted } = fromAiSdk({ weather })
    expect(adopted).toMatchObject({
      name: 'weather',
      description: 'Tells the weather of a city.',
      effect: 'irreversible',
      source: 'ai-sdk',
    })
    expect(adopted.specification.parameters).toMatchObject({ type: 'object', properties: { city: { type: 'string' } }, required: ['city'] })
    const result = await adopted.call({ city: 'Bern' })
    expect(result).toMatchObject({ ok: true, value: { city: 'Bern', degrees: 21 }, text: '{"city":"Bern","degrees":21}' })
    expect(await adopted.call({} as never)).toMatchObject({ ok: false, error: { code: 'invalid_input' } })
  })

  test('keeps its title in both directions, made readable', () => {
    const { weather: adopted } = fromAiSdk({ weather: { ...weather, title: `Weather\n${'!'.repeat(200)}` } })
    expect(adopted.title).toMatch(/^Weather\\n!+$/)
    expect(adopted.title?.length).toBeLessThanOrEqual(100)
    const { weather: named } = fromAiSdk({ weather: { ...weather, title: 'Weather today' } })
    expect(toAiSdk({ weather: named }).tools.weather.title).toBe('Weather today')
  })

  test('has the effect, version and permissions that its adopter gives it [T10]', async () => {
    const { weather: adopted } = fromAiSdk(
      { weather },
      { metadata: { weather: { effect: 'read', version: '1.2.0', permissions: ['sky'] } } },
    )
    expect(adopted).toMatchObject({ effect: 'read', version: '1.2.0' })
    expect(await adopted.call({ city: 'Bern' })).toMatchObject({ ok: false, error: { code: 'permission_denied' } })
  })

  test('gets the gates and the trace of any tool [T10] [T14]', async () => {
    const { weather: adopted } = fromAiSdk({ weather })
    const count = tool({
      name: 'count',
      description: 'd',
      inputSchema: z.object({ degrees: z.number() }),
      effect: 'read',
      execute: ({ degrees }) => degrees + 1,
    })
    const whole = ToolPipeline.builder().name('whole').description('d').step(gate(adopted)).step(count).build()
    const recorder = recordEvents()
    const result = await whole.call({ city: 'Bern' }, { on: recorder, review: recordingReview({ action: 'edit', patch: { city: 'Rom' } }) })
    expect(result).toMatchObject({ ok: true, value: 22 })
    expect(recorder.summary()).toEqual(expect.arrayContaining(['review.requested whole/weather', 'call.finished whole/count']))
  })

  test.each<[string, unknown]>([
    ['jsonSchema()', jsonSchema<{ n: number }>({ type: 'object', properties: { n: { type: 'number' } }, required: ['n'] })],
    [
      'jsonSchema() with a validator',
      jsonSchema<{ n: number }>(
        { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] },
        {
          validate: (value) =>
            typeof (value as { n: unknown }).n === 'number'
              ? { success: true, value: value as { n: number } }
              : { success: false, error: new Error('n must be a number') },
        },
      ),
    ],
    ['zod 4', z.object({ n: z.number() })],
    ['zod 3', z3.object({ n: z3.number() })],
    ['valibot', v.object({ n: v.number() })],
    ['arktype', type({ n: 'number' })],
    ['a lazy schema', () => jsonSchema<{ n: number }>({ type: 'object', properties: { n: { type: 'number' } }, required: ['n'] })],
  ])('may have a schema of %s', async (_what, inputSchema) => {
    const { double } = fromAiSdk({ double: { inputSchema, execute: ({ n }: { n: number }) => n * 2 } } as unknown as ToolSet)
    expect(double?.specification.parameters).toMatchObject({ properties: { n: { type: 'number' } } })
    expect(await double?.call({ n: 4 } as never)).toMatchObject({ ok: true, value: 8 })
    const refused = await double?.call({ n: 'four' } as never)
    expect(refused).toMatchObject({ ok: false, error: { code: 'invalid_input' } })
    expect(refused?.text).toMatch(/\bn\b/)
  })

  test('is checked by the validator of its schema, where that has one', async () => {
    const even = jsonSchema<number>(
      { type: 'number' },
      {
        validate: async (value) =>
          Number(value) % 2 === 0 ? { success: true, value: Number(value) * 10 } : { success: false, error: new Error('it must be even') },
      },
    )
    const { twice } = fromAiSdk({ twice: { inputSchema: even, execute: (n: number) => n } } as unknown as ToolSet)
    expect(await twice?.call(4 as never)).toMatchObject({ value: 40 })
    expect(await twice?.call(3 as never)).toMatchObject({ ok: false, text: expect.stringContaining('it must be even') })
  })

  test('reports preliminary results as progress; the last is the output [T10]', async () => {
    const { count } = fromAiSdk({
      count: aiTool({
        inputSchema: z.object({}),
        async *execute() {
          yield 'one'
          yield { two: 2 }
        },
      }),
    })
    const recorder = recordEvents()
    expect(await count.call({}, { on: recorder })).toMatchObject({ ok: true, value: { two: 2 } })
    expect(recorder.events.flatMap((event) => (event.type === 'call.progressed' ? [event.message] : []))).toEqual(['one', '{"two":2}'])
  })

  test('hears the cancellation of the call, also between two preliminary results', async () => {
    const heard: string[] = []
    const clock = fakeClock()
    const { wait, count } = fromAiSdk({
      wait: aiTool({
        inputSchema: z.object({}),
        execute: (_input, { abortSignal }) =>
          new Promise<string>(() => abortSignal?.addEventListener('abort', () => heard.push('aborted'))),
      }),
      count: aiTool({
        inputSchema: z.object({}),
        async *execute() {
          try {
            for (;;) {
              yield 'again'
              await new Promise<void>((wake) => clock.timer(10, wake))
            }
          } finally {
            heard.push('left')
          }
        },
      }),
    })
    for (const each of [wait, count]) {
      const controller = new AbortController()
      const running = each.call({}, { signal: controller.signal, clock })
      await settled()
      controller.abort()
      expect(await running).toMatchObject({ ok: false, error: { code: 'cancelled' } })
    }
    await clock.advance(10)
    expect(heard).toEqual(['aborted', 'left'])
  })

  test.each<[string, object, object]>([
    ['text', { type: 'text', value: 'Short.' }, { ok: true, text: 'Short.', value: 'raw' }],
    ['json', { type: 'json', value: { a: 1 } }, { ok: true, text: '{"a":1}' }],
    ['error-text', { type: 'error-text', value: 'Broken.' }, { ok: false, text: 'Error: Broken.' }],
    ['error-json', { type: 'error-json', value: { why: 'x' } }, { ok: false, text: 'Error: {"why":"x"}' }],
    ['execution-denied', { type: 'execution-denied', reason: 'No.' }, { ok: false, error: { code: 'rejected', message: 'No.' } }],
    [
      'content',
      {
        type: 'content',
        value: [
          { type: 'text', text: 'A cat.' },
          { type: 'file', data: { type: 'data', data: new Uint8Array([1, 2, 3]) }, mediaType: 'image/png' },
          { type: 'file', data: { type: 'data', data: 'AQID' }, mediaType: 'application/pdf', filename: 'a.pdf' },
          { type: 'file', data: { type: 'text', text: 'x,y' }, mediaType: 'text/csv' },
          { type: 'file', data: { type: 'url', url: new URL('https://example.com/a.png') }, mediaType: 'image/png' },
        ],
      },
      {
        ok: true,
        text: 'A cat.',
        content: [
          { type: 'image', data: 'AQID', mimeType: 'image/png' },
          { type: 'resource', uri: 'a.pdf', data: 'AQID', mimeType: 'application/pdf' },
          { type: 'resource', uri: 'text', text: 'x,y', mimeType: 'text/csv' },
          { type: 'resource', uri: 'https://example.com/a.png', mimeType: 'image/png' },
        ],
      },
    ],
  ])('shows the model what its toModelOutput makes: %s', async (_what, output, expected) => {
    const { each } = fromAiSdk({ each: aiTool({ inputSchema: z.object({}), execute: () => 'raw', toModelOutput: () => output as never }) })
    expect(await each.call({})).toMatchObject(expected)
  })

  test.each<[string, unknown, unknown, readonly string[]]>([
    ['always', true, undefined, ['small', 'big']],
    ['never', false, undefined, []],
    ['by a rule', ({ size }: { size: string }) => size === 'big', undefined, ['big']],
    ['by a rule that has to be waited for, which counts as yes', async () => false, undefined, ['small', 'big']],
    ['by its adopter', undefined, true, ['small', 'big']],
    ['by either', ({ size }: { size: string }) => size === 'big', ({ size }: { size: string }) => size === 'small', ['small', 'big']],
    ['by its adopter, with words', undefined, { when: ({ size }: { size: string }) => size === 'big', why: 'It is big.' }, ['big']],
  ])('asks a person %s [T10] [T14]', async (_what, needsApproval, requireApproval, asked) => {
    const foreign = { inputSchema: z.object({ size: z.string() }), execute: () => 'done', needsApproval }
    const { buy } = fromAiSdk({ buy: foreign } as unknown as ToolSet, { metadata: { buy: { requireApproval: requireApproval as never } } })
    const review = recordingReview()
    for (const size of ['small', 'big']) await buy?.call({ size } as never, { review })
    expect(review.requests.map(({ input }) => (input as { size: string }).size)).toEqual(asked)
  })

  test('has the context that its adopter gives it, and a description made of it', async () => {
    const greet = aiTool({
      description: ({ context }) => `Greets in ${context.language}.`,
      contextSchema: z.object({ language: z.string() }),
      inputSchema: z.object({}),
      execute: (_input, { context, toolCallId }) => [context.language, toolCallId],
    })
    const { greet: adopted } = fromAiSdk({ greet }, { toolsContext: { greet: { language: 'Rumantsch' } } })
    expect(adopted.description).toBe('Greets in Rumantsch.')
    expect(await adopted.call({}, { ids: () => 'id-1' })).toMatchObject({ value: ['Rumantsch', 'id-1'] })
  })

  test('with a key that is no name for all models goes by a similar one', () => {
    const adopted = fromAiSdk({ 'get-weather': weather })
    expect(adopted['get-weather'].name).toBe('get_weather')
  })

  test.each<[string, unknown, string]>([
    ['without execute', { a: aiTool({ inputSchema: z.object({}), outputSchema: z.string() }) }, 'in the client'],
    [
      'of a provider',
      { a: { type: 'provider', id: 'x.y', args: {}, isProviderExecuted: true, inputSchema: z.object({}) } },
      'by its provider',
    ],
    ['that is none', { a: 1 }, 'no tool'],
    ['with a promise of a schema', { a: { inputSchema: jsonSchema(async () => ({})), execute: () => 1 } }, 'promise'],
    ['with something else for a schema', { a: { inputSchema: 1, execute: () => 1 } }, 'must be a schema'],
    ['that is the whole set', 'weather', 'tool set'],
  ])('%s is refused with what to do', (_what, set, said) => {
    expect(() => fromAiSdk(set as never)).toThrow(
      expect.objectContaining({ name: 'ConfigurationError', message: expect.stringContaining(said) }),
    )
  })

  test('made by another program at run time passes, and our own pass as they are', async () => {
    const dynamic = dynamicTool({ inputSchema: jsonSchema({ type: 'object' }), execute: async (input) => input })
    const own = tool({ name: 'own', description: 'd', execute: (input) => input })
    const adopted = fromAiSdk({ dynamic, own: own as never })
    expect(await adopted.dynamic.call({ any: 1 })).toMatchObject({ ok: true, value: { any: 1 } })
    expect(adopted.own).toBe(own)
  })

  test('gives back the same to the SDK after a trip through our tools [T10]', async () => {
    const { tools, toolApproval } = toAiSdk(fromAiSdk({ weather }, { metadata: { weather: { effect: 'read' } } }))
    const model = scriptedLanguageModel([{ id: 'c1', tool: 'weather', input: { city: 'Bern' } }], 'Mild.')
    await generateText({ model, prompt: 'p', tools, toolApproval, stopWhen: isStepCount(3) })
    expect(toldLast(model)).toEqual([{ type: 'text', value: '{"city":"Bern","degrees":21}' }])
  })
})

describe('a mixed list', () => {
  const echo = tool({ name: 'echo', description: 'd', effect: 'read', execute: (input) => input })

  test('takes tool sets beside other tools without rewriting them [T10]', async () => {
    const peers = [aiSdkPeer({ metadata: { weather: { effect: 'read' } } })]
    const tools = await resolve([echo, { weather }, { tools: () => [{ other: weather }] }], { peers })
    expect(tools.tools.map(({ name, effect }) => `${name} ${effect}`)).toEqual(['echo read', 'weather read', 'other irreversible'])
    expect((await tools.call('weather', '{"city":"Bern"}')).text).toBe('{"city":"Bern","degrees":21}')
    const runtime = createRuntime({ tools: [echo, { weather }], peers })
    expect((await runtime.specifications()).map(({ name }) => name)).toEqual(['echo', 'weather'])
  })

  test('has all names in its check for duplicates, and refuses what is no tool set [T11]', async () => {
    const peers = [aiSdkPeer()]
    await expect(resolve([echo, { echo: weather }], { peers })).rejects.toMatchObject({ code: 'duplicate_name' })
    for (const item of [{}, { weather, other: 1 }, { weather: { execute: () => 1 } }]) {
      await expect(resolve([item], { peers })).rejects.toMatchObject({ code: 'not_a_tool' })
    }
  })
})
