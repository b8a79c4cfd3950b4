import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { fakeClock } from '../testing/fake-clock.ts'
import { recordEvents } from '../testing/record-events.ts'
import { systemClock } from '../tool/ports/clock.ts'
import { compound } from '../tool/compound.ts'
import type { Listener, Observer } from '../tool/event.ts'
import { tool } from '../tool/tool.ts'
import { createTrace } from './trace.ts'

const leaf = tool({
  name: 'leaf',
  description: 'Does nothing.',
  effect: 'read',
  execute: (input, context) => {
    context.progress('half way')
    context.metric('rows', 1)
    return input
  },
})
const outer = compound({
  name: 'outer',
  description: 'Calls a leaf.',
  parts: { leaf },
  run: (input, context, parts) => context.call('inner', parts.leaf, input),
})

function warnings(): string[] {
  const seen: string[] = []
  const spy = vi.spyOn(process, 'emitWarning').mockImplementation((warning) => {
    seen.push(String(warning))
  })
  onTestFinished(() => spy.mockRestore())
  return seen
}

describe('without a listener', () => {
  test('no id is made, and no time is read for events; with one, both are [T9]', async () => {
    const counts = { ids: 0, ticks: 0, nows: 0 }
    const clock = { ...systemClock, tick: () => (counts.ticks++, systemClock.tick()), now: () => (counts.nows++, systemClock.now()) }
    const ids = (): string => `id-${counts.ids++}`
    await outer.call('x', { clock, ids })
    const quiet = { ...counts }
    await outer.call('x', { clock, ids, on: createTrace() })
    const heard = { ids: counts.ids - quiet.ids, ticks: counts.ticks - quiet.ticks, nows: counts.nows - quiet.nows }
    expect(quiet.ids).toBe(0)
    expect(heard.ids).toBeGreaterThan(0)
    expect(heard.ticks).toBe(quiet.ticks + 4)
    expect(heard.nows).toBeGreaterThan(quiet.nows)
  })

  test('an empty list of listeners is none', async () => {
    let ids = 0
    await outer.call('x', { on: [], ids: () => `id-${ids++}` })
    expect(ids).toBe(0)
  })
})

describe('a listener that misbehaves', () => {
  test('changes nothing: what it throws becomes a process warning, and others hear all events', async () => {
    const seen = warnings()
    const recorder = recordEvents()
    const thrower: Listener = () => {
      throw new Error('I am broken')
    }
    const result = await outer.call('x', { on: [thrower, recorder] })
    expect(result).toMatchObject({ ok: true, value: 'x' })
    expect(recorder.summary()).toEqual([
      'call.started outer',
      'call.started outer/inner',
      'call.progressed outer/inner',
      'metric.recorded outer/inner',
      'call.finished outer/inner',
      'call.finished outer',
    ])
    expect(seen).toEqual(Array.from({ length: 6 }, () => 'A listener of tool events threw: I am broken'))
  })

  test('a logger that throws changes nothing either', async () => {
    const seen = warnings()
    const broken = (): never => {
      throw new Error('disk full')
    }
    const log = { trace: broken, debug: broken, info: broken, warn: broken, error: broken }
    expect(await leaf.call('x', { log })).toMatchObject({ ok: true, value: 'x' })
    expect(seen).toEqual(['The logger threw: disk full'])
  })

  const arounds: Record<string, NonNullable<Observer['around']>> = {
    'throws before it runs the tool': () => {
      throw new Error('before')
    },
    'throws after it ran the tool': (_call, run) => {
      run()
      throw new Error('after')
    },
    'runs the tool twice': (_call, run) => {
      run()
      return run()
    },
    'forgets to run the tool': () => undefined as never,
    'gives something else than the tool did': (_call, run) => {
      run()
      return 'forged' as never
    },
    'waits for the tool itself': (async (_call: unknown, run: () => unknown) => run()) as never,
  }
  test.each(Object.entries(arounds))('an observer that %s changes nothing', async (_title, around) => {
    const seen = warnings()
    let runs = 0
    const counted = tool({ name: 'counted', description: 'Counts.', effect: 'read', execute: async () => ++runs })
    expect(await counted.call('', { on: { onEvent: () => {}, around } })).toMatchObject({ ok: true, value: 1 })
    expect(runs).toBe(1)
    expect(seen.every((warning) => warning.startsWith('An observer around a tool threw: '))).toBe(true)
  })

  test.each(Object.entries(arounds))('a failing tool fails as ever under an observer that %s', async (_title, around) => {
    warnings()
    const failing = tool({ name: 'failing', description: 'Fails.', effect: 'read', execute: () => Promise.reject(new Error('by itself')) })
    const thrown = tool({
      name: 'thrown',
      description: 'Throws.',
      effect: 'read',
      execute: () => {
        throw new Error('by itself')
      },
    })
    const on = { onEvent: () => {}, around }
    expect(await failing.call('', { on })).toMatchObject({ ok: false, error: { message: 'by itself' } })
    expect(await thrown.call('', { on })).toMatchObject({ ok: false, error: { message: 'by itself' } })
  })
})

describe('concurrent calls', () => {
  test('with different listeners never mix [T9]', async () => {
    const clock = fakeClock()
    const slow = tool({
      name: 'slow',
      description: 'Waits.',
      effect: 'read',
      execute: async (input, context) => {
        for (let round = 0; round < 3; round++) {
          await context.sleep(Number(input))
          context.progress(input)
          context.metric('input', Number(input))
        }
        return input
      },
    })
    const both = compound({
      name: 'both',
      description: 'Calls twice.',
      parts: { slow },
      run: (input, context, parts) => Promise.all([context.call('a', parts.slow, input), context.call('b', parts.slow, input)]),
    })
    const inputs = ['7', '5', '11']
    const recorders = inputs.map(() => recordEvents())
    const traces = inputs.map(() => createTrace())
    await clock.until(
      Promise.all(
        inputs.map((input, index) => both.call(input, { clock, on: [recorders[index]!, traces[index]!], agent: `agent ${input}` })),
      ),
    )
    for (const [index, input] of inputs.entries()) {
      const events = recorders[index]?.events ?? []
      expect(events).toHaveLength(6 + 12)
      expect(new Set(events.map((event) => event.call.agent))).toEqual(new Set([`agent ${input}`]))
      expect(events.flatMap((event) => (event.type === 'call.progressed' ? event.message : []))).toEqual(
        Array.from({ length: 6 }, () => input),
      )
      expect(traces[index]?.spans.map((span) => span.durationMs)).toEqual([Number(input) * 3, Number(input) * 3, Number(input) * 3])
    }
  })
})

test('what a tool says in passing is masked for its listeners', async () => {
  const recorder = recordEvents()
  const chatty = tool({
    name: 'chatty',
    description: 'Talks too much.',
    effect: 'read',
    execute: async (_input, context) => {
      const key = await context.secret('API_KEY')
      context.progress(`using ${key}`)
      context.metric('calls', 1, { url: `https://x.example/?k=${key}`, api_key: 'other-secret', retried: false })
    },
  })
  await chatty.call('', { on: recorder, secrets: { get: () => 'sk-12345678' } })
  expect(recorder.events.flatMap((event) => (event.type === 'call.progressed' ? event.message : []))).toEqual(['using ••••••'])
  expect(recorder.events.flatMap((event) => (event.type === 'metric.recorded' ? [event.attributes] : []))).toEqual([
    { url: 'https://x.example/?k=••••••', api_key: '••••••', retried: false },
  ])
})
