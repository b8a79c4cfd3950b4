import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { fakeClock } from '../../testing/fake-clock.ts'
import { memoryJournal } from '../../tool/journal/journal.ts'
import { success } from '../../tool/result/returned.ts'
import { tool } from '../../tool/tool.ts'
import { loop } from './loop.ts'

const double = tool({
  name: 'double',
  description: 'Doubles.',
  inputSchema: z.number(),
  effect: 'read',
  estimates: { latencyMs: 2, costUsd: 0.5, reliability: 0.5 },
  execute: (n) => n * 2,
})
const Page = z.object({ cursor: z.number(), size: z.number().default(2) })
const page = tool({
  name: 'page',
  description: 'Gives a page.',
  inputSchema: Page,
  effect: 'read',
  execute: ({ cursor, size }) => ({ rows: Array.from({ length: size }, (_, index) => cursor + index), next: cursor + size }),
})

describe('a loop', () => {
  test('hands what a turn gives to the next one until it will do [C4]', async () => {
    const grow = loop(double, { until: (n) => n > 20, maxTurns: 10 })
    const result = await grow.call(3)
    expect(result).toMatchObject({ ok: true, value: 24, text: '24', provenance: { tool: 'loop_double@0.0.0' } })
    expect(result.issues).toBeUndefined()
    expect(result.steps?.map(({ path, result: { text } }) => `${path} ${text}`)).toEqual([
      'loop_double/turn 6',
      'loop_double/turn#2 12',
      'loop_double/turn#3 24',
    ])
  })

  test('makes the next input of what a turn gave, what it was given, and how many there were', async () => {
    const seen: unknown[] = []
    const all = loop(page, {
      maxTurns: 5,
      until: ({ next }, count) => {
        seen.push(`until ${next} ${count}`)
        return next >= 9
      },
      next: ({ next }, input, count) => {
        seen.push(`next ${next} ${JSON.stringify(input)} ${count}`)
        return { ...input, cursor: next, size: count + 2 }
      },
    })
    expect(await all.call({ cursor: 0 })).toMatchObject({ value: { rows: [5, 6, 7, 8], next: 9 } })
    expect(seen).toEqual(['until 2 1', 'next 2 {"cursor":0} 1', 'until 5 2', 'next 5 {"cursor":2,"size":3} 2', 'until 9 3'])
  })

  test('fails when it is not done after the last turn, and its steps hold what there was [C4]', async () => {
    const result = await loop(double, { until: (n) => n > 1000, maxTurns: 3 }).call(1)
    expect(result).toMatchObject({
      ok: false,
      error: {
        code: 'loop_exhausted',
        message: "'loop_double' ran 3 times, and 'until' was still not true.",
        outcome: 'failed',
      },
    })
    expect(result.steps?.map((step) => step.result.text)).toEqual(['2', '4', '8'])
  })

  test('that runs out after turns that changed something leaves its outcome unknown', async () => {
    const write = tool({ name: 'write', description: 'd', effect: 'write', idempotent: true, execute: (text) => text })
    const result = await loop(write, { until: () => false, maxTurns: 2 }).call('x')
    expect(result).toMatchObject({ ok: false, error: { code: 'loop_exhausted', outcome: 'unknown' } })
  })

  test('gives the last value instead where it is told to, and says so [C4]', async () => {
    const chatty = tool({
      name: 'chatty',
      description: 'd',
      effect: 'read',
      execute: (text) => success(`${text}.`, { text: 'said', confidence: 0.5, issues: [{ severity: 'info', message: 'own' }] }),
    })
    const result = await loop(chatty, { until: () => false, maxTurns: 1, whenExhausted: 'last' }).call('a')
    expect(result).toMatchObject({
      ok: true,
      value: 'a.',
      text: 'said',
      confidence: 0.5,
      issues: [{ message: 'own' }, { severity: 'warning', message: "Ended after it ran once; 'until' was still not true." }],
    })
  })

  test('ends with a turn that fails: its failure is handed on, and no other turn begins', async () => {
    let turns = 0
    const fails = tool({
      name: 'fails',
      description: 'd',
      effect: 'read',
      execute: (text) => {
        if (++turns === 2) throw new Error('no luck')
        return text
      },
    })
    const result = await loop(fails, { until: () => false, maxTurns: 5 }).call('x')
    expect(result).toMatchObject({ ok: false, error: { message: 'no luck' }, steps: [{ label: 'turn' }, { label: 'turn#2' }] })
    expect(turns).toBe(2)
  })

  test('takes what its tool takes, and the model sees that', async () => {
    const all = loop(page, { until: () => true, maxTurns: 1, next: () => ({ cursor: 0 }) })
    expect(all.specification.parameters).toEqual(page.specification.parameters)
    expect(await all.execute({ cursor: 4 })).toEqual({ rows: [4, 5], next: 6 })
    expect(await all.call({} as never)).toMatchObject({ ok: false, error: { code: 'invalid_input' } })
  })

  test('says in its plan how often it may run, with the figures of the worst case', () => {
    const grow = loop(double, { until: () => true, maxTurns: 3 })
    expect(grow.plan()).toMatchObject({ kind: 'loop', detail: 'at most 3 times', parts: [{ label: 'turn', tool: double }] })
    expect(grow.estimates).toMatchObject({ latencyMs: 6, costUsd: 1.5, reliability: 0.125 })
    expect(loop(double, { until: () => true, maxTurns: 3, estimates: { latencyMs: 2 } }).estimates).toMatchObject({
      latencyMs: 2,
      costUsd: 1.5,
    })
    expect(grow).toMatchObject({ effect: 'read', description: 'Repeats until it is done, at most 3 times: Doubles.' })
  })

  test.each([
    [
      'until',
      {
        until: (): never => {
          throw new Error('odd')
        },
      },
      "'until' of 'loop_double' failed: odd",
    ],
    [
      'next',
      {
        next: (): never => {
          throw new Error('odd')
        },
      },
      "'next' of 'loop_double' failed: odd",
    ],
    ['until', { until: () => Promise.resolve(true) as never }, "'until' of 'loop_double' returned a promise"],
  ])('a function %s that throws or waits is a failure that names it', async (_what, options, message) => {
    const result = await loop(double, { until: () => false, maxTurns: 3, ...options }).call(1)
    expect(result).toMatchObject({ ok: false, error: { code: 'adapter_failed', message: expect.stringContaining(message) } })
  })

  test('records after each turn whether it goes on, and a replay goes by that even where the predicate has changed', async () => {
    let bound = 5
    const moving = loop(double, { until: (n) => n > bound, maxTurns: 10 })
    const journal = memoryJournal()
    await moving.call(1, { journal })
    expect(journal.entries.filter(({ kind }) => kind === 'decision')).toEqual([
      { kind: 'decision', path: 'loop_double/loop.stop', value: false },
      { kind: 'decision', path: 'loop_double/loop.stop#2', value: false },
      { kind: 'decision', path: 'loop_double/loop.stop#3', value: true },
    ])
    bound = 100
    expect(await moving.call(1, { journal: memoryJournal(journal.entries) })).toMatchObject({ value: 8 })
  })

  test('ends with its caller: the turn is cancelled and no other begins', async () => {
    const clock = fakeClock()
    const started: string[] = []
    const waits = tool({
      name: 'waits',
      description: 'd',
      effect: 'read',
      execute: async (text, { sleep }) => {
        started.push(text)
        await sleep(10)
        return text
      },
    })
    const controller = new AbortController()
    const running = loop(waits, { until: () => false, maxTurns: 10 }).call('x', { clock, signal: controller.signal })
    await clock.advance(15)
    controller.abort()
    expect(await running).toMatchObject({
      ok: false,
      error: { code: 'cancelled' },
      steps: [{ result: { ok: true } }, { result: { ok: false } }],
    })
    await clock.advance(100)
    expect(started.length).toBe(2)
  })

  test.each([
    { maxTurns: 0 },
    { maxTurns: -1 },
    { maxTurns: 1.5 },
    { maxTurns: Infinity },
    { maxTurns: undefined as never },
    { until: true as never },
    { next: 'x' as never },
    { whenExhausted: 'never' as never },
  ])('refuses the options %j', (options) => {
    expect(() => loop(double, { until: () => true, maxTurns: 1, ...options })).toThrow(expect.objectContaining({ code: 'invalid_option' }))
  })
})
