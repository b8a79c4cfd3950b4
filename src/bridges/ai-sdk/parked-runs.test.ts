import { generateText, isStepCount, type ModelMessage, streamText } from 'ai'
import { describe, expect, test } from 'vitest'
import { answered } from '../../../test/fixtures/ai-sdk/answered.ts'
import { collected, scriptedLanguageModel, toldLast } from '../../../test/fixtures/ai-sdk/scripted-language-model.ts'
import { shownReason } from '../../../test/fixtures/ai-sdk/shown-reason.ts'
import { gate } from '../../combinators/gate/gate.ts'
import { first } from '../../combinators/parallel/join.ts'
import { parallel } from '../../combinators/parallel/parallel.ts'
import { ToolPipeline } from '../../combinators/pipe/tool-pipeline.ts'
import { fakeClock, settled } from '../../testing/fake-clock.ts'
import { recordEvents } from '../../testing/record-events.ts'
import { compound } from '../../tool/compound.ts'
import { tool } from '../../tool/tool.ts'
import { aiSdkReviews } from './ai-sdk-reviews.ts'
import { toAiSdk } from './to-ai-sdk.ts'

const stopWhen = isStepCount(5)
const messages: ModelMessage[] = [{ role: 'user', content: 'Do both.' }]

const gated = (name: string, log: string[]) =>
  tool({ name, description: 'd', requireApproval: { why: `May ${name} run?` }, execute: (input) => (log.push(name), `${name} ${input}`) })

/** A tool that takes a while, by a clock that does not move by itself. */
const slow = (name: string, ms: number) =>
  tool({
    name,
    description: 'd',
    effect: 'read',
    execute: async (input, { clock }) => (await new Promise<void>((resolve) => clock.timer(ms, resolve)), input),
  })

const both = [{ id: 'c1', tool: 'both', input: { input: 'x' } }]

describe('gates in parallel branches', () => {
  test('that are open at once are approved together [T14]', async () => {
    const log: string[] = []
    const tools = { both: parallel({ a: gated('a', log), b: gated('b', log) }, { name: 'both', description: 'Both.' }) }
    const bridge = toAiSdk(tools)
    const model = scriptedLanguageModel(both, 'Done.')
    const paused = await generateText({ model, messages, ...bridge, stopWhen })
    expect(paused.content.at(-1)).toMatchObject({ reason: shownReason('May a run? (a: x)\nMay b run? (b: x)') })
    expect(bridge.reviews.list().map(({ request }) => request.tool)).toEqual(['a', 'b'])
    await expect(bridge.reviews.edit('c1', { input: 'y' })).rejects.toMatchObject({
      code: 'invalid_answer',
      message: expect.stringContaining('waits for 2 decisions'),
    })
    const [, second] = bridge.reviews.list()
    await bridge.reviews.edit(second?.request.id ?? '', { input: 'y' })
    await generateText({ model, messages: answered(messages, paused, true), ...bridge, stopWhen })
    expect(toldLast(model)).toEqual([{ type: 'text', value: '{"a":"a x","b":"b y"}' }])
    expect(log.toSorted()).toEqual(['a', 'b'])
  })

  test('are put before the person together, though one opens later [T14]', async () => {
    const log: string[] = []
    const clock = fakeClock()
    const late = ToolPipeline.builder().name('late').description('d').step(slow('slow', 1000)).step(gated('b', log)).build()
    const bridge = toAiSdk({ both: parallel({ a: gated('a', log), late }, { name: 'both', description: 'Both.' }) }, { clock })
    const model = scriptedLanguageModel(both, 'Done.')
    const asking = generateText({ model, messages, ...bridge, stopWhen })
    await settled()
    expect(bridge.reviews.list()).toEqual([])
    await clock.advance(1000)
    const paused = await asking
    expect(paused.content.at(-1)).toMatchObject({ reason: shownReason('May a run? (a: x)\nMay b run? (b: x)') })
    await generateText({ model, messages: answered(messages, paused, true), ...bridge, stopWhen })
    expect(log.toSorted()).toEqual(['a', 'b'])
  })

  test('nobody is asked when another branch has won meanwhile', async () => {
    const log: string[] = []
    const clock = fakeClock()
    const bridge = toAiSdk(
      { both: parallel({ a: gate(slow('careful', 10)), b: slow('quick', 1000) }, { name: 'both', description: 'Both.', join: first() }) },
      { clock },
    )
    const model = scriptedLanguageModel(both, 'Done.')
    const asking = generateText({ model, messages, ...bridge, stopWhen })
    await settled()
    await clock.advance(1000)
    const { text, steps } = await asking
    expect([text, log, bridge.reviews.list()]).toEqual(['Done.', [], []])
    expect(steps[0]?.content.map(({ type }) => type)).toEqual(['tool-call', 'tool-result'])
  })

  test('all are rejected when the call is denied [T14]', async () => {
    const log: string[] = []
    const recorder = recordEvents()
    const bridge = toAiSdk(
      { both: parallel({ a: gated('a', log), b: gated('b', log) }, { name: 'both', description: 'Both.' }) },
      { on: recorder },
    )
    const model = scriptedLanguageModel(both, 'No.')
    const paused = await generateText({ model, messages, ...bridge, stopWhen })
    await bridge.reviews.rejectDenied(answered(messages, paused, false, 'Neither.'))
    await settled()
    expect(log).toEqual([])
    expect(recorder.events.flatMap((event) => (event.type === 'review.decided' ? [event.action] : []))).toEqual(['reject', 'reject'])
    expect(recorder.events.at(-1)).toMatchObject({ type: 'call.finished', call: { path: 'both' } })
  })
})

describe('what a run asks after the person was shown something else', () => {
  const log: string[] = []
  const [a, b] = [gated('a', log), gated('b', log)]

  test('is not approved along with it [T14]', async () => {
    const clock = fakeClock()
    const whole = compound({
      name: 'both',
      description: 'Asks again behind a sleep that nobody sees.',
      parts: { a, b },
      async run(input, context) {
        const later = context.sleep('1s').then(() => context.call('b', b, input))
        await Promise.all([context.call('a', a, input), later])
        return 'both'
      },
    })
    const bridge = toAiSdk({ both: whole }, { clock })
    const model = scriptedLanguageModel(both, 'Not yet.')
    const paused = await generateText({ model, messages, ...bridge, stopWhen })
    await clock.advance(1000)
    expect(bridge.reviews.list().map(({ request }) => request.tool)).toEqual(['a', 'b'])
    await generateText({ model, messages: answered(messages, paused, true), ...bridge, stopWhen })
    expect(log).toEqual(['a'])
    expect(toldLast(model)).toMatchObject([{ type: 'error-text', value: expect.stringContaining('May b run?') }])
  })

  test('is rejected where the call was denied [T14]', async () => {
    const recorder = recordEvents()
    const whole = compound({
      name: 'both',
      description: 'Tries the other where one fails.',
      parts: { a, b },
      run: async (input, context) => {
        const one = await context.call('a', a, input)
        return one.ok ? one : context.call('b', b, input)
      },
    })
    const bridge = toAiSdk({ both: whole }, { on: recorder })
    const paused = await generateText({ model: scriptedLanguageModel(both), messages, ...bridge, stopWhen })
    await bridge.reviews.rejectDenied(answered(messages, paused, false))
    await settled()
    expect(recorder.events.flatMap((event) => (event.type === 'review.decided' ? [event.action] : []))).toEqual(['reject', 'reject'])
    expect(recorder.events.at(-1)).toMatchObject({ type: 'call.finished', code: 'rejected', call: { path: 'both' } })
  })

  test('waits alone when the first has decided itself by its own time-out [T14]', async () => {
    const clock = fakeClock()
    const hasty = tool({
      name: 'hasty',
      description: 'd',
      requireApproval: { timeout: '1m', onTimeout: 'continue' },
      execute: (input) => input,
    })
    const bridge = toAiSdk({ both: ToolPipeline.builder().name('both').description('d').step(hasty).step(b).build() }, { clock })
    await generateText({ model: scriptedLanguageModel(both), messages, ...bridge, stopWhen })
    expect(bridge.reviews.list().map(({ request }) => request.tool)).toEqual(['hasty'])
    await clock.advance(60_000)
    expect(bridge.reviews.list().map(({ request }) => request.tool)).toEqual(['b'])
  })
})

describe('calls of one turn', () => {
  test('pause each by itself, and one may be approved and the other denied [T14]', async () => {
    const log: string[] = []
    const bridge = toAiSdk([gated('a', log), gated('b', log)])
    const turn = ['a', 'b'].map((name) => ({ id: `call_${name}`, tool: name, input: { input: 'x' } }))
    const model = scriptedLanguageModel(turn, 'Half done.')
    const paused = await generateText({ model, messages, ...bridge, stopWhen })
    const yes = answered(messages, paused, true)
    const last = yes.at(-1)
    const content = last?.role === 'tool' ? last.content : []
    const mixed = content.map((part, index) => (part.type === 'tool-approval-response' ? { ...part, approved: index === 0 } : part))
    const { text } = await generateText({ model, messages: [...yes.slice(0, -1), { role: 'tool', content: mixed }], ...bridge, stopWhen })
    expect([text, log]).toEqual(['Half done.', ['a']])
    expect(toldLast(model)).toEqual([{ type: 'text', value: 'a x' }, { type: 'execution-denied' }])
    expect(bridge.reviews.list()).toEqual([])
  })

  test('with the same tool and input are two runs [T14]', async () => {
    const log: string[] = []
    const bridge = toAiSdk([gated('a', log)])
    const turn = ['c1', 'c2'].map((id) => ({ id, tool: 'a', input: { input: 'x' } }))
    const model = scriptedLanguageModel(turn, 'Twice.')
    const paused = await generateText({ model, messages, ...bridge, stopWhen })
    expect(bridge.reviews.list().map(({ toolCallId }) => toolCallId)).toEqual(['c1', 'c2'])
    await generateText({ model, messages: answered(messages, paused, true), ...bridge, stopWhen })
    expect(log).toEqual(['a', 'a'])
  })

  test('with the same tool and input are told apart when one is denied [T14]', async () => {
    const log: string[] = []
    const bridge = toAiSdk([gated('a', log)])
    const turn = ['c1', 'c2'].map((id) => ({ id, tool: 'a', input: { input: 'x' } }))
    const paused = await generateText({ model: scriptedLanguageModel(turn), messages, ...bridge, stopWhen })
    const content = paused.content.filter((part) => part.type !== 'tool-approval-request' || part.toolCall.toolCallId === 'c1')
    const one = { content, responseMessages: paused.responseMessages }
    await bridge.reviews.rejectDenied(answered(messages, one, false))
    expect(bridge.reviews.list().map(({ toolCallId }) => toolCallId)).toEqual(['c2'])
  })

  test('with an id that an earlier, denied call had are not denied by that [T14]', async () => {
    const log: string[] = []
    const recorder = recordEvents()
    const bridge = toAiSdk([gated('a', log)], { on: recorder })
    const turn = [{ id: 'call_0', tool: 'a', input: { input: 'x' } }]
    const model = scriptedLanguageModel(turn, turn, 'Done.')
    const one = await generateText({ model, messages, ...bridge, stopWhen })
    const afterOne = answered(messages, one, false)
    const two = await generateText({ model, messages: afterOne, ...bridge, stopWhen })
    expect(two.content.at(-1)).toMatchObject({ type: 'tool-approval-request' })
    expect(recorder.events.filter(({ type }) => type === 'call.started')).toHaveLength(2)
    await generateText({ model, messages: answered(afterOne, two, true), ...bridge, stopWhen })
    expect(log).toEqual(['a'])
    expect(recorder.events.flatMap((event) => (event.type === 'review.decided' ? [event.action] : []))).toEqual(['reject', 'continue'])
  })
})

describe('giving up', () => {
  test.each(['generateText', 'streamText'])('while the call runs ahead of its gate cancels it: %s', async (which) => {
    const controller = new AbortController()
    const clock = fakeClock()
    const recorder = recordEvents()
    const log: string[] = []
    const late = ToolPipeline.builder().name('both').description('d').step(slow('slow', 1000)).step(gated('b', log)).build()
    const bridge = toAiSdk({ both: late }, { clock, on: recorder })
    const model = scriptedLanguageModel(both, 'Done.')
    const options = { model, messages, ...bridge, stopWhen, abortSignal: controller.signal }
    const ended =
      which === 'generateText'
        ? generateText(options).catch((error: unknown) => error)
        : collected(streamText({ ...options, onError: () => {} }).fullStream).catch((error: unknown) => error)
    while (recorder.events.length < 2) await settled()
    controller.abort(new Error('closed'))
    await ended
    await settled()
    expect(recorder.events.at(-1)).toMatchObject({ type: 'call.finished', code: 'cancelled', call: { path: 'both' } })
    expect([log, bridge.reviews.list()]).toEqual([[], []])
  })

  test('once it has parked leaves it parked; while it runs on, cancels it', async () => {
    const log: string[] = []
    const clock = fakeClock()
    const recorder = recordEvents()
    const later = ToolPipeline.builder().name('both').description('d').step(gated('b', log)).step(slow('slow', 1000)).build()
    const bridge = toAiSdk({ both: later }, { clock, on: recorder })
    const model = scriptedLanguageModel(both, 'Done.')
    const one = new AbortController()
    const paused = await generateText({ model, messages, ...bridge, stopWhen, abortSignal: one.signal })
    one.abort()
    await settled()
    expect(bridge.reviews.list()).toHaveLength(1)
    const again = answered(messages, paused, true)
    const two = new AbortController()
    const going = generateText({ model, messages: again, ...bridge, stopWhen, abortSignal: two.signal })
    const ended = going.catch((error: unknown) => error)
    while (log.length === 0) await settled()
    two.abort(new Error('closed'))
    await ended
    expect(recorder.events.at(-1)).toMatchObject({ type: 'call.finished', code: 'cancelled', call: { path: 'both' } })
  })
})

test('a signal that was aborted before the execution cancels the run', async () => {
  const log: string[] = []
  const bridge = toAiSdk({ a: gated('a', log) })
  const turn = [{ id: 'c1', tool: 'a', input: { input: 'x' } }]
  const paused = await generateText({ model: scriptedLanguageModel(turn), messages, ...bridge, stopWhen })
  const call = { toolCallId: 'c1', messages: answered(messages, paused, true), context: {}, abortSignal: AbortSignal.abort() }
  await expect(Promise.resolve(bridge.tools.a.execute({ input: 'x' }, call))).rejects.toMatchObject({
    result: { error: { code: 'cancelled' } },
  })
  expect(log).toEqual([])
})

test('only so many calls wait: one more, and the oldest is withdrawn [T14]', async () => {
  const log: string[] = []
  const bridge = toAiSdk([gated('a', log)], { reviews: aiSdkReviews({ maxCalls: 2 }) })
  for (const id of ['c1', 'c2', 'c3']) {
    await generateText({ model: scriptedLanguageModel([{ id, tool: 'a', input: { input: id } }]), messages, ...bridge, stopWhen })
  }
  expect(bridge.reviews.list().map(({ toolCallId }) => toolCallId)).toEqual(['c2', 'c3'])
})

test.each([{ maxCalls: 0 }, { maxCalls: 1.5 }, { expiry: 'soon' as never }])('aiSdkReviews refuses %j', (options) => {
  expect(() => aiSdkReviews(options)).toThrow(expect.objectContaining({ code: 'invalid_option' }))
})
