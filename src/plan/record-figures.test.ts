import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { gate } from '../combinators/gate/gate.ts'
import { pipe } from '../combinators/pipe/pipe.ts'
import { fakeClock } from '../testing/fake-clock.ts'
import type { AgentTool } from '../tool/agent-tool.ts'
import { compound } from '../tool/compound.ts'
import { memoryJournal } from '../tool/journal/journal.ts'
import type { ReviewHandler } from '../tool/review.ts'
import { tool } from '../tool/tool.ts'
import { explain } from './explain.ts'
import { recordFigures } from './record-figures.ts'

/** Sleeps as long as it is told to; fails when told a negative time. */
const nap = tool({
  name: 'nap',
  version: '1.0.0',
  description: 'Sleeps.',
  effect: 'read',
  execute: async (input, context) => {
    await context.sleep(Math.abs(Number(input)))
    context.usage({ costUsd: 0.01 })
    if (Number(input) < 0) throw new Error('nightmare')
    return input
  },
})

const patient: ReviewHandler = {
  review: (_request, wait) => new Promise((resolve) => wait.clock.timer(10_000, () => resolve({ action: 'continue' }))),
}

async function call<I>(given: AgentTool<I>, inputs: readonly I[], review?: ReviewHandler) {
  const clock = fakeClock()
  const recorder = recordFigures()
  for (const input of inputs) await clock.until(given.call(input, { clock, on: recorder, review }))
  return recorder.figures
}

describe('recorded figures', () => {
  test('are the median, the p99, the share of successes and the mean cost of the calls of each tool [C6]', async () => {
    const inputs = Array.from({ length: 100 }, (_each, index) => String(index < 10 ? -index - 1 : index + 1))
    expect(await call(nap, inputs)).toEqual(
      new Map([['nap@1.0.0', { calls: 100, latencyMs: 50, p99Ms: 99, reliability: 0.9, costUsd: expect.closeTo(0.01, 10) }]]),
    )
  })

  test('are kept for compounds and their parts, and feed explain [C6]', async () => {
    const twice = pipe(nap, nap)
    const figures = await call(twice, ['30'])
    expect(figures.get('nap_then_nap@0.0.0')).toMatchObject({ calls: 1, latencyMs: 60, costUsd: 0.02 })
    expect(figures.get('nap@1.0.0')).toMatchObject({ calls: 2, latencyMs: 30, costUsd: 0.01 })
    expect(explain(twice, { figures }).root).toMatchObject({
      figures: { latencyMs: { value: 60, source: 'recorded' }, calls: 1 },
      parts: [{ figures: { latencyMs: { value: 30, source: 'recorded' }, calls: 2 } }, {}],
    })
  })

  test('count a call that names no cost as free, where others name one', async () => {
    const some = tool({
      name: 'some',
      description: 'd',
      effect: 'read',
      execute: (input, context) => context.usage(input === 'paid' ? { costUsd: 0.04 } : {}),
    })
    const sometimes = tool({
      name: 'sometimes',
      description: 'd',
      effect: 'read',
      execute: (input, context) => (input === 'paid' ? context.usage({ costUsd: 0.04 }) : undefined),
    })
    expect((await call(some, ['paid', 'free', 'free', 'free'])).get('some@0.0.0')?.costUsd).toBe(0.01)
    expect((await call(sometimes, ['paid', 'free', 'free', 'free'])).get('sometimes@0.0.0')?.costUsd).toBe(0.01)
  })

  test('say nothing of costs that nobody has named', async () => {
    const free = tool({ name: 'free', description: 'd', effect: 'read', execute: () => 1 })
    expect((await call(free, ['x'])).get('free@0.0.0')).toEqual({ calls: 1, latencyMs: 0, p99Ms: 0, reliability: 1, costUsd: undefined })
  })

  test('count a tool behind a layer once, and waiting for a person is no latency', async () => {
    const asks = tool({
      name: 'asks',
      description: 'd',
      effect: 'read',
      requireApproval: true,
      execute: (input, context) => context.sleep(Number(input)),
    })
    const both = compound({
      name: 'both',
      description: 'Asks two people at a time.',
      parts: { nap: gate(nap), asks },
      run: (input, context, parts) =>
        Promise.all([context.call('nap', parts.nap, input), context.call('asks', parts.asks, input)]).then(() => 'done'),
    })
    const figures = await call(both, ['40'], patient)
    expect(Object.fromEntries(Array.from(figures, ([name, { calls, latencyMs }]) => [name, [calls, latencyMs]]))).toEqual({
      'nap@1.0.0': [1, 40],
      'asks@0.0.0': [1, 40],
      'both@0.0.0': [1, 40],
    })
  })

  test('leave out calls that were rejected, refused before they began, or cancelled', async () => {
    const typed = tool({ name: 'typed', description: 'd', inputSchema: z.object({ n: z.number() }), effect: 'read', execute: () => 'x' })
    const careful = pipe(typed, gate(nap))
    const figures = await call(careful as AgentTool<{ n: unknown }>, [{ n: 1 }, { n: 'wrong' }], { review: () => ({ action: 'reject' }) })
    expect([...figures.keys()]).toEqual(['typed@0.0.0'])
    expect(figures.get('typed@0.0.0')).toMatchObject({ calls: 1, reliability: 1 })

    const clock = fakeClock()
    const recorder = recordFigures()
    const controller = new AbortController()
    const running = nap.call('50', { clock, on: recorder, signal: controller.signal })
    await clock.advance(10)
    controller.abort()
    await running
    expect(recorder.figures.size).toBe(0)
  })

  test('count a compound as failed when a part is refused after others have run', async () => {
    const typed = tool({ name: 'typed', description: 'd', inputSchema: z.object({ n: z.number() }), effect: 'read', execute: () => 'x' })
    const broken = pipe(nap, typed)
    const figures = await call(broken, ['5'])
    expect(figures.get('nap_then_typed@0.0.0')).toMatchObject({ calls: 1, reliability: 0 })
    expect(figures.has('typed@0.0.0')).toBe(false)
  })

  test('leave out what was read from a journal, and the calls around it', async () => {
    const clock = fakeClock()
    const journal = memoryJournal()
    const recorder = recordFigures()
    const twice = pipe(nap, nap)
    await clock.until(twice.call('30', { clock, journal }))
    await clock.until(twice.call('30', { clock, journal, on: recorder }))
    expect(recorder.figures.size).toBe(0)
  })

  test('come from the newest calls of each tool', async () => {
    const clock = fakeClock()
    const recorder = recordFigures({ maxCalls: 3 })
    for (const input of ['-9', '9', '1', '2', '3']) await clock.until(nap.call(input, { clock, on: recorder }))
    expect(recorder.figures.get('nap@1.0.0')).toMatchObject({ calls: 5, latencyMs: 2, p99Ms: 3, reliability: 1 })
  })

  test('are kept for so many tools, and the first makes room', async () => {
    const recorder = recordFigures()
    for (let index = 0; index <= 1000; index++)
      await tool({ name: `t${index}`, description: 'd', effect: 'read', execute: () => 1 }).call('', { on: recorder })
    expect(recorder.figures.size).toBe(1000)
    expect(recorder.figures.has('t0@0.0.0')).toBe(false)
    expect(recorder.figures.has('t1000@0.0.0')).toBe(true)
  })
})

test.each([0, -1, 1.5, Number.NaN])('maxCalls of %d is a configuration error', (maxCalls) => {
  expect(() => recordFigures({ maxCalls })).toThrow(expect.objectContaining({ code: 'invalid_option' }))
})
