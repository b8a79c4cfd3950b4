import { describe, expect, test } from 'vitest'
import { gate } from '../combinators/gate/gate.ts'
import { fakeClock } from '../testing/fake-clock.ts'
import { fakeIds } from '../testing/fake-ids.ts'
import { compound } from '../tool/compound.ts'
import { isConfigurationError } from '../tool/errors/configuration-error.ts'
import { failure } from '../tool/result/returned.ts'
import { tool } from '../tool/tool.ts'
import { createTrace } from './trace.ts'

const step = tool({ name: 'step', description: 'Does a step.', effect: 'read', execute: (_input, context) => context.sleep(10) })
const twice = compound({
  name: 'twice',
  description: 'Does a step twice.',
  parts: { step },
  run: async (input, context, parts) => {
    await context.call('one', parts.step, input)
    await context.call('two', parts.step, input)
  },
})

describe('a trace', () => {
  test('keeps every call with its path, place in time, outcome and parent [T12, I6]', async () => {
    const clock = fakeClock(1000)
    const trace = createTrace()
    await clock.until(twice.call('', { clock, on: trace, ids: fakeIds(), agent: 'clerk' }))
    const [root, one, two] = trace.spans
    expect(trace.spans).toHaveLength(3)
    expect(root).toMatchObject({ tool: 'twice', path: 'twice', startedAt: 1000, durationMs: 20, outcome: 'success', agent: 'clerk' })
    expect(one).toMatchObject({ tool: 'step', path: 'twice/one', startedAt: 1000, durationMs: 10, parentId: root?.id })
    expect(two).toMatchObject({ tool: 'step', path: 'twice/two', startedAt: 1010, durationMs: 10, parentId: root?.id })
    expect(new Set(trace.spans.map((span) => span.traceId)).size).toBe(1)
  })

  test('tells returned failures, thrown errors and what ends the run apart [T12]', async () => {
    const trace = createTrace()
    const returns = tool({
      name: 'returns',
      description: 'Fails.',
      effect: 'read',
      execute: () => failure('No such order.', { code: 'gone' }),
    })
    const throws = tool({ name: 'throws', description: 'Throws.', effect: 'read', execute: () => Promise.reject(new TypeError('Oops.')) })
    await returns.call('', { on: trace })
    await throws.call('', { on: trace })
    await expect(gate(step).call('', { on: trace })).rejects.toSatisfy(isConfigurationError)
    const stop = { review: () => ({ action: 'stop' as const, reason: 'enough' }) }
    await expect(gate(step).call('', { on: trace, review: stop })).rejects.toThrow('enough')
    expect(trace.spans.map(({ outcome, code, message }) => [outcome, code, message])).toEqual([
      ['failure', 'gone', 'No such order.'],
      ['error', 'tool_crashed', 'Oops.'],
      ['error', 'missing_review_handler', "Tool 'step' requires approval but no ReviewHandler is configured. Pass one as 'review'."],
      ['error', 'exit_early', "A reviewer stopped the run at 'step': enough"],
    ])
  })

  test('keeps waits for people, reports of progress and usage', async () => {
    const clock = fakeClock(1000)
    const trace = createTrace()
    const busy = tool({
      name: 'busy',
      description: 'Reports.',
      effect: 'read',
      execute: async (_input, context) => {
        for (let page = 1; page <= 150; page++) context.progress({ progress: page, total: 150 })
        context.usage({ tokens: 7 })
        const { action } = await context.review({ why: 'Sure?', risk: 'high' })
        return action
      },
    })
    await clock.until(busy.call('', { clock, on: trace, review: { review: () => ({ action: 'continue' }) } }))
    const [span] = trace.spans
    expect(span?.progress).toHaveLength(100)
    expect(span?.progress.at(-1)).toMatchObject({ at: 1000, progress: 150, total: 150 })
    expect(span?.reviews).toMatchObject([{ kind: 'approval', risk: 'high', requestedAt: 1000, waitedMs: 0, action: 'continue' }])
    expect(span?.usage).toEqual({ tokens: 7, costUsd: 0 })
  })

  test('keeps the calls apart whose ids are the same', async () => {
    const clock = fakeClock()
    const trace = createTrace()
    await clock.until(
      Promise.all([twice.call('', { clock, on: trace, ids: () => 'same' }), twice.call('', { clock, on: trace, ids: () => 'same' })]),
    )
    expect(trace.spans.map((span) => span.path)).toEqual(['twice', 'twice/one', 'twice/two', 'twice', 'twice/one', 'twice/two'])
    expect(trace.draw().split('\n\n')).toHaveLength(2)
  })

  test('drops the oldest trees when it is full, and says how many calls are gone', async () => {
    const clock = fakeClock()
    const trace = createTrace({ maxCalls: 6 })
    for (let run = 1; run <= 3; run++) await clock.until(twice.call('', { clock, on: trace, session: `run ${run}` }))
    expect(trace.spans).toHaveLength(6)
    expect(trace.dropped).toBe(3)
    expect(trace.toJSON()).toEqual({ dropped: 3, spans: trace.spans })
    expect(trace.draw()).toContain('3 more calls were dropped.')
  })

  test('leaves out the last calls of a tree that is too large, and never what is under way', async () => {
    const clock = fakeClock()
    const trace = createTrace({ maxCalls: 2 })
    await clock.until(Promise.all([twice.call('', { clock, on: trace }), step.call('', { clock, on: trace })]))
    expect(trace.spans.map((span) => span.path)).toEqual(['twice', 'twice/one'])
    expect(trace.dropped).toBe(2)
    expect(trace.spans.every((span) => span.outcome === 'success')).toBe(true)
  })

  test('hears nothing more of a call that has ended, and finds no place for what it still calls', async () => {
    const clock = fakeClock()
    const deaf = tool({
      name: 'deaf',
      description: 'Ignores its signal.',
      effect: 'read',
      execute: (_input, context) =>
        new Promise((resolve) => {
          context.clock.timer(5000, () => {
            context.progress('late')
            resolve(context.call('late', step, ''))
          })
        }),
    })
    const trace = createTrace({ maxCalls: 1 })
    await clock.until(deaf.call('', { clock, on: trace, deadline: '1s' }))
    await clock.advance(5000)
    expect(trace.spans).toMatchObject([{ tool: 'deaf', durationMs: 1000, code: 'deadline_exceeded', progress: [] }])
    expect(trace.dropped).toBe(1)

    await clock.until(deaf.call('', { clock, on: trace, deadline: '1s' }))
    await clock.until(step.call('', { clock, on: trace }))
    await clock.advance(5000)
    expect(trace.spans.map(({ path }) => path)).toEqual(['step'])
    expect(trace.dropped).toBe(4)
  })

  test('begins anew after clear, and takes no limit that makes no sense', async () => {
    const clock = fakeClock()
    const trace = createTrace()
    const running = clock.until(twice.call('', { clock, on: trace }))
    trace.clear()
    await running
    expect(trace.spans).toEqual([])
    for (const maxCalls of [0, -1, 1.5, Number.NaN]) expect(() => createTrace({ maxCalls })).toThrow('whole number from 1')
  })
})
