import { generateText, isStepCount, streamText, type ToolSet } from 'ai'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { collected, scriptedLanguageModel, toldLast } from '../../../test/fixtures/ai-sdk/scripted-language-model.ts'
import { createRuntime } from '../../runtime/create-runtime.ts'
import { fakeClock, settled } from '../../testing/fake-clock.ts'
import { recordEvents } from '../../testing/record-events.ts'
import { recordingReview } from '../../testing/recording-review.ts'
import { ToolError } from '../../tool/errors/tool-error.ts'
import { success } from '../../tool/result/returned.ts'
import { service } from '../../tool/service.ts'
import { tool } from '../../tool/tool.ts'
import { toAiSdk } from './to-ai-sdk.ts'

const add = tool({
  name: 'add',
  description: 'Adds two numbers.',
  inputSchema: z.object({ a: z.number(), b: z.number() }),
  effect: 'read',
  execute: ({ a, b }) => ({ sum: a + b }),
})
const shout = tool({ name: 'shout', description: 'Says it louder.', effect: 'read', execute: (input) => input.toUpperCase() })

const stopWhen = isStepCount(5)

describe('a tool in generateText', () => {
  test('is shown with its exact schema, called through the door, and its text reaches the model [T10]', async () => {
    const model = scriptedLanguageModel([{ id: 'c1', tool: 'add', input: { a: 2, b: 3 } }], 'It is 5.')
    const recorder = recordEvents()
    const { tools, toolApproval } = toAiSdk({ add }, { on: recorder, agent: 'desk' })
    const { text, steps } = await generateText({ model, prompt: '2 + 3?', tools, toolApproval, stopWhen })
    expect(text).toBe('It is 5.')
    expect(steps[0]?.toolResults[0]).toMatchObject({ toolName: 'add', output: { sum: 5 } })
    expect(toldLast(model)).toEqual([{ type: 'text', value: '{"sum":5}' }])
    expect(model.doGenerateCalls[0]?.tools).toEqual([
      { type: 'function', name: 'add', description: 'Adds two numbers.', inputSchema: add.specification.parameters },
    ])
    const direct = recordEvents()
    await add.call({ a: 2, b: 3 }, { on: direct })
    expect(recorder.summary()).toEqual(direct.summary())
    expect(recorder.events[0]?.call).toMatchObject({ agent: 'desk', input: { a: 2, b: 3 } })
  })

  test('that takes a string is sent it as { input } [T2]', async () => {
    const model = scriptedLanguageModel([{ id: 'c1', tool: 'shout', input: { input: 'hey' } }], 'Done.')
    const { tools } = toAiSdk([shout])
    await generateText({ model, prompt: 'p', tools, stopWhen })
    expect(toldLast(model)).toEqual([{ type: 'text', value: 'HEY' }])
  })

  test('answers bad input with a failure that the model can act on', async () => {
    const model = scriptedLanguageModel([{ id: 'c1', tool: 'add', input: { a: '2' } }], 'Sorry.')
    const { tools, toolApproval } = toAiSdk({ add })
    await generateText({ model, prompt: 'p', tools, toolApproval, stopWhen })
    expect(toldLast(model)).toEqual([
      {
        type: 'error-text',
        value: expect.stringMatching(/^Error: Invalid input for tool 'add': .*'b'.* Correct the listed fields and call again\.$/s),
      },
    ])
  })

  test('hands its failure to the model as text and hint, and the result to the program', async () => {
    const find = tool({
      name: 'find',
      description: 'Finds.',
      effect: 'read',
      execute: () => {
        throw new ToolError('No customer has this address.', { class: 'not_found', hint: 'Search by name first.' })
      },
    })
    const model = scriptedLanguageModel([{ id: 'c1', tool: 'find', input: { input: 'x' } }], 'None.')
    const { steps } = await generateText({ model, prompt: 'p', tools: toAiSdk([find]).tools, stopWhen })
    expect(toldLast(model)).toEqual([{ type: 'error-text', value: 'Error: No customer has this address. Search by name first.' }])
    expect(steps[0]?.content.find(({ type }) => type === 'tool-error')).toMatchObject({
      error: { name: 'ToolExecutionError', result: { ok: false, error: { class: 'not_found' } } },
    })
  })

  test('shows the author’s own text, images, audio and files', async () => {
    const chart = tool({
      name: 'chart',
      description: 'Draws.',
      effect: 'read',
      execute: () =>
        success(
          { points: 3 },
          {
            text: 'Three points, rising.',
            content: [
              { type: 'image', data: 'aW1n', mimeType: 'image/png' },
              { type: 'audio', data: 'c25k', mimeType: 'audio/wav' },
              { type: 'text', text: 'In short: up.' },
              { type: 'resource', uri: 'file:///a.csv', text: 'x,y' },
              { type: 'resource', uri: 'file:///a.bin', data: 'Ymlu' },
              { type: 'resource', uri: 'https://example.com/a' },
            ],
          },
        ),
    })
    const model = scriptedLanguageModel([{ id: 'c1', tool: 'chart', input: { input: 'x' } }], 'Up.')
    const { tools } = toAiSdk([chart])
    const { steps } = await generateText({ model, prompt: 'p', tools, stopWhen })
    expect(steps[0]?.toolResults[0]?.output).toEqual({ points: 3 })
    expect(toldLast(model)).toEqual([
      {
        type: 'content',
        value: [
          { type: 'text', text: 'Three points, rising.' },
          { type: 'file', data: { type: 'data', data: 'aW1n' }, mediaType: 'image/png' },
          { type: 'file', data: { type: 'data', data: 'c25k' }, mediaType: 'audio/wav' },
          { type: 'text', text: 'In short: up.' },
          { type: 'text', text: 'file:///a.csv\nx,y' },
          { type: 'file', data: { type: 'data', data: 'Ymlu' }, mediaType: 'application/octet-stream', filename: 'file:///a.bin' },
          { type: 'text', text: 'Resource: https://example.com/a' },
        ],
      },
    ])
    const asked = { toolCallId: 'c1', input: { input: 'x' } }
    expect(await tools['chart']?.toModelOutput?.({ ...asked, output: { points: 3 } })).toMatchObject({ type: 'content' })
    expect(await tools['chart']?.toModelOutput?.({ ...asked, output: { points: 4 } })).toEqual({ type: 'text', value: '{"points":4}' })
  })

  test('runs beside others that were called in the same turn', async () => {
    const running = new Set<string>()
    let most = 0
    const slow = tool({
      name: 'slow',
      description: 'Takes its time.',
      effect: 'read',
      async execute(input) {
        running.add(input)
        await settled()
        most = Math.max(most, running.size)
        running.delete(input)
        return input
      },
    })
    const call = (id: string): { id: string; tool: string; input: unknown } => ({ id, tool: 'slow', input: { input: id } })
    const model = scriptedLanguageModel([call('c1'), call('c2'), call('c3')], 'Done.')
    const { tools, toolApproval } = toAiSdk([slow])
    await generateText({ model, prompt: 'p', tools, toolApproval, stopWhen })
    expect(toldLast(model)).toEqual(['c1', 'c2', 'c3'].map((value) => ({ type: 'text', value })))
    expect(most).toBe(3)
  })

  test('has the principal, the services, the deadline and the listeners of the bridge', async () => {
    const whoami = tool({
      name: 'whoami',
      description: 'Says who asks.',
      effect: 'read',
      permissions: ['me:read'],
      services: { city: service<string>() },
      execute: (_input, { principal, services, remainingMs, session }) => [principal?.id, services.city, remainingMs <= 5000, session],
    })
    const model = scriptedLanguageModel([{ id: 'c1', tool: 'whoami', input: { input: '' } }], 'Done.')
    const { tools } = toAiSdk([whoami], {
      principal: { id: 'ada', permissions: ['me:*'] },
      services: { city: 'Bern' },
      deadline: '5s',
      session: 'chat-1',
    })
    await generateText({ model, prompt: 'p', tools, stopWhen })
    expect(toldLast(model)).toEqual([{ type: 'text', value: '["ada","Bern",true,"chat-1"]' }])
  })

  test('has what a runtime holds, where there is one', async () => {
    const secretly = tool({
      name: 'secretly',
      description: 'Needs approval.',
      requireApproval: true,
      services: { city: service<string>() },
      execute: (_input, { services, principal }) => `${services.city} ${principal?.id}`,
    })
    const review = recordingReview()
    const recorder = recordEvents()
    const runtime = createRuntime({ services: { city: 'Bern' }, review, on: recorder })
    const model = scriptedLanguageModel([{ id: 'c1', tool: 'secretly', input: { input: '' } }], 'Done.')
    const { tools } = toAiSdk([secretly], { runtime, principal: { id: 'ada', permissions: [] } })
    await generateText({ model, prompt: 'p', tools, stopWhen })
    expect(toldLast(model)).toEqual([{ type: 'text', value: 'Bern ada' }])
    expect(review.requests).toHaveLength(1)
    expect(recorder.events.length).toBeGreaterThan(0)
  })

  test('carries one idempotency key in one session for one call, and another for the next [T5]', async () => {
    const keys: string[] = []
    const pay = tool({ name: 'pay', description: 'Pays.', execute: (_input, { idempotencyKey }) => void keys.push(idempotencyKey) })
    const run = async (id: string, session?: string): Promise<unknown> => {
      const { tools } = toAiSdk([pay], { session })
      return tools['pay']?.execute({ input: 'x' }, { toolCallId: id, messages: [], context: {} })
    }
    await run('c1', 's')
    await run('c1', 's')
    await run('c2', 's')
    await run('c1', 't')
    await run('c1')
    await run('c1')
    expect(keys[0]).toBe(keys[1])
    expect(new Set(keys).size).toBe(5)
  })

  test('is cancelled when the program gives up', async () => {
    const controller = new AbortController()
    let heard: unknown
    const wait = tool({
      name: 'wait',
      description: 'Waits.',
      effect: 'read',
      execute: (_input, { signal }) =>
        new Promise<string>((resolve) => {
          signal.addEventListener('abort', () => {
            heard = signal.reason
            resolve('late')
          })
          controller.abort(new Error('closed'))
        }),
    })
    const recorder = recordEvents()
    const { tools } = toAiSdk([wait], { on: recorder })
    const model = scriptedLanguageModel([{ id: 'c1', tool: 'wait', input: { input: '' } }], 'Done.')
    await expect(generateText({ model, prompt: 'p', tools, stopWhen, abortSignal: controller.signal })).rejects.toThrow('closed')
    expect(heard).toBeDefined()
    expect(recorder.events.at(-1)).toMatchObject({ type: 'call.finished', code: 'cancelled' })
  })
})

describe('progress', () => {
  const copy = tool({
    name: 'copy',
    description: 'Copies files.',
    effect: 'write',
    async execute(_input, { progress }) {
      progress({ message: 'first', progress: 1, total: 2 })
      await settled()
      progress('second')
      return { copied: 2 }
    },
  })

  test('becomes preliminary results when it is asked for [T10]', async () => {
    const model = scriptedLanguageModel([{ id: 'c1', tool: 'copy', input: { input: '' } }], 'Copied.')
    const { tools, toolApproval } = toAiSdk({ copy }, { progress: true })
    const outputs: unknown[] = []
    for await (const part of streamText({ model, prompt: 'p', tools, toolApproval, stopWhen }).fullStream) {
      if (part.type === 'tool-result') outputs.push([part.preliminary === true, part.output])
    }
    expect(outputs).toEqual([
      [true, { progress: { tool: 'copy', path: 'copy', message: 'first', progress: 1, total: 2 } }],
      [true, { progress: { tool: 'copy', path: 'copy', message: 'second' } }],
      [true, { copied: 2 }],
      [false, { copied: 2 }],
    ])
    expect(toldLast(model)).toEqual([{ type: 'text', value: '{"copied":2}' }])
  })

  test('is not made when nobody asked for it', async () => {
    const model = scriptedLanguageModel([{ id: 'c1', tool: 'copy', input: { input: '' } }], 'Copied.')
    const parts = await collected(streamText({ model, prompt: 'p', tools: toAiSdk({ copy }).tools, stopWhen }).fullStream)
    expect(parts.filter(({ type }) => type === 'tool-result')).toMatchObject([{ output: { copied: 2 } }])
  })

  test('before a failure is shown too', async () => {
    const broken = tool({
      name: 'broken',
      description: 'd',
      effect: 'read',
      execute: (_input, { progress }) => {
        progress('about to break')
        throw new ToolError('It broke.')
      },
    })
    const model = scriptedLanguageModel([{ id: 'c1', tool: 'broken', input: { input: '' } }], 'Oh.')
    const { tools } = toAiSdk({ broken }, { progress: true })
    const parts = await collected(streamText({ model, prompt: 'p', tools, stopWhen }).fullStream)
    expect(parts.filter(({ type }) => type.startsWith('tool-'))).toMatchObject([
      { type: 'tool-call' },
      { type: 'tool-result', preliminary: true, output: { progress: { message: 'about to break' } } },
      { type: 'tool-error' },
    ])
    expect(toldLast(model)).toMatchObject([{ type: 'error-text', value: expect.stringMatching(/^Error: It broke\. /) }])
  })
})

describe('toAiSdk', () => {
  test.each([
    ['one tool', add, 'a single tool'],
    ['nothing', undefined, 'undefined'],
    ['a text', 'add', '"add"'],
    ['a list with something else', [add, { name: 'fake' }], 'fake'],
    ['a record with something else', { add, other: 1 }, "'other'"],
  ])('refuses %s [T11]', (_what, given, said) => {
    expect(() => toAiSdk(given as never)).toThrow(expect.objectContaining({ code: 'not_a_tool', message: expect.stringContaining(said) }))
  })

  test('refuses two tools of one name, and reviews of another make [T11]', () => {
    expect(() => toAiSdk([add, add])).toThrow(expect.objectContaining({ code: 'duplicate_name' }))
    expect(() => toAiSdk([add], { reviews: {} as never })).toThrow(expect.objectContaining({ code: 'invalid_option' }))
  })

  test('names tools by the keys of a record', async () => {
    const { tools, toolApproval } = toAiSdk({ plus: add })
    expect([Object.keys(tools), Object.keys(toolApproval)]).toEqual([['plus'], ['plus']])
    const set: ToolSet = tools
    expect(set['plus']?.description).toBe('Adds two numbers.')
  })

  test('takes a handler instead of toolApproval, which then asks in the middle of the call [T14] [T15]', async () => {
    const clock = fakeClock()
    const pay = tool({ name: 'pay', description: 'Pays.', requireApproval: true, execute: (input) => `paid ${input}` })
    const review = recordingReview({ action: 'edit', input: 'less' })
    const model = scriptedLanguageModel([{ id: 'c1', tool: 'pay', input: { input: 'all' } }], 'Done.')
    await generateText({ model, prompt: 'p', tools: toAiSdk([pay], { review, clock }).tools, stopWhen })
    expect(toldLast(model)).toEqual([{ type: 'text', value: 'paid less' }])
  })

  test('says what is missing when a gate has neither a handler nor toolApproval [T14]', async () => {
    const pay = tool({ name: 'pay', description: 'Pays.', requireApproval: true, execute: (input) => `paid ${input}` })
    const model = scriptedLanguageModel([{ id: 'c1', tool: 'pay', input: { input: 'all' } }], 'Done.')
    await generateText({ model, prompt: 'p', tools: toAiSdk([pay]).tools, stopWhen })
    expect(toldLast(model)).toEqual([
      {
        type: 'error-text',
        value: expect.stringMatching(
          /^ConfigurationError: Tool 'pay' requires approval but no ReviewHandler is configured\. Pass one as 'review'\. Or pass the toolApproval/,
        ),
      },
    ])
  })
})
