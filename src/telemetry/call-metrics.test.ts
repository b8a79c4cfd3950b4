import { AggregationTemporality, InMemoryMetricExporter, MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics'
import { describe, expect, test } from 'vitest'
import { gate } from '../combinators/gate/gate.ts'
import { fakeClock } from '../testing/fake-clock.ts'
import { compound } from '../tool/compound.ts'
import { layer } from '../tool/layer.ts'
import { memoryJournal } from '../tool/journal/journal.ts'
import { failure } from '../tool/result/returned.ts'
import type { ReviewHandler } from '../tool/review.ts'
import { tool } from '../tool/tool.ts'
import type { Observer } from '../tool/event.ts'
import { openTelemetry } from './open-telemetry.ts'

interface Figure {
  readonly name: string
  readonly attributes: Readonly<Record<string, unknown>>
  readonly value: unknown
}

/** An observer with a meter of its own, and a way to read all figures at once. */
function metered(): { readonly on: Observer; readonly read: () => Promise<readonly Figure[]> } {
  const exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE)
  const reader = new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 3_600_000 })
  const provider = new MeterProvider({ readers: [reader] })
  return {
    on: openTelemetry({ meter: provider.getMeter('test') }),
    read: async () => {
      await provider.forceFlush()
      const [latest] = exporter.getMetrics().toReversed()
      const metrics = latest?.scopeMetrics.flatMap((scope) => scope.metrics) ?? []
      await provider.shutdown()
      return metrics.flatMap(({ descriptor: { name }, dataPoints }) =>
        dataPoints.map(({ attributes, value }) => ({ name, attributes, value: value as unknown })),
      )
    },
  }
}

/** `tool outcome agent count`, in the order in which they first came. */
function callsIn(figures: readonly Figure[]): readonly string[] {
  return figures
    .filter(({ name }) => name === 'toolwright.tool.calls')
    .map(({ attributes, value }) =>
      [attributes['gen_ai.tool.name'], attributes['toolwright.outcome'], attributes['gen_ai.agent.name'] ?? '-', value].join(' '),
    )
}

function sumsOf(figures: readonly Figure[], wanted: string): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    figures.filter(({ name }) => name === wanted).map(({ attributes, value }) => [String(attributes['gen_ai.tool.name']), value]),
  )
}

const good = tool({ name: 'good', description: 'Works.', effect: 'read', execute: (_input, context) => context.sleep(30) })
const returns = tool({ name: 'returns', description: 'Fails.', effect: 'read', execute: () => failure('No.', { code: 'gone' }) })
const throws = tool({ name: 'throws', description: 'Throws.', effect: 'read', execute: () => Promise.reject(new Error('No.')) })
const approve: ReviewHandler = { review: () => ({ action: 'continue' }) }

describe('metrics of calls', () => {
  test('each call is counted once, as success, failure or error; steps and the compound too, layers not [T12]', async () => {
    const { on, read } = metered()
    const clock = fakeClock()
    const all = compound({
      name: 'all',
      description: 'Calls all.',
      parts: { good, gated: gate(gate(good)), returns, throws },
      run: async (input, context, parts) => {
        await context.call('good', parts.good, input)
        await context.call('gated', parts.gated, input)
        await context.call('returns', parts.returns, input)
        return context.call('throws', parts.throws, input)
      },
    })
    await clock.until(all.call('', { on, clock, agent: 'clerk', review: approve }))
    await clock.until(good.call('', { on, clock }))
    expect(callsIn(await read())).toEqual([
      'good success clerk 2',
      'returns failure clerk 1',
      'throws error clerk 1',
      'all error clerk 1',
      'good success - 1',
    ])
  })

  test('a call that a layer ended by itself is counted once: rejected, stopped, or without a reviewer [T12]', async () => {
    const { on, read } = metered()
    const twice = gate(gate(good))
    await twice.call('', { on, review: { review: () => ({ action: 'reject' }) } })
    await expect(twice.call('', { on, review: { review: () => ({ action: 'stop' }) } })).rejects.toThrow('stopped')
    await expect(twice.call('', { on })).rejects.toThrow('no ReviewHandler')
    expect(callsIn(await read())).toEqual(['good failure - 1', 'good error - 2'])
  })

  test('a layer that calls its tool again makes calls of the attempts, and no more', async () => {
    const { on, read } = metered()
    const again = layer(throws, {
      kind: 'again',
      plan: { order: 'repeat', labels: 'name', closedBy: undefined },
      run: async (input, context) => {
        await context.call('try', throws, input as string)
        return context.call('try', throws, input as string, { attempt: 2 })
      },
    })
    await again.call('', { on })
    expect(callsIn(await read())).toEqual(['throws error - 2'])
  })

  test('durations are in seconds, with the code of the failure and the boundaries of the conventions [T12]', async () => {
    const { on, read } = metered()
    const clock = fakeClock()
    await clock.until(good.call('', { on, clock, agent: 'clerk' }))
    await returns.call('', { on, clock })
    const durations = (await read()).filter(({ name }) => name === 'gen_ai.execute_tool.duration')
    expect(durations).toMatchObject([
      {
        attributes: { 'gen_ai.tool.name': 'good', 'gen_ai.tool.type': 'function', 'gen_ai.agent.name': 'clerk' },
        value: {
          count: 1,
          sum: 0.03,
          buckets: { boundaries: [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92] },
        },
      },
      { attributes: { 'gen_ai.tool.name': 'returns', 'error.type': 'gone' }, value: { count: 1, sum: 0 } },
    ])
    expect(durations[0]?.attributes).not.toHaveProperty('error.type')
  })

  test('a call that was read from a journal was counted when it ran', async () => {
    const { on, read } = metered()
    const journal = memoryJournal()
    const spends = tool({
      name: 'spends',
      description: 'Spends.',
      effect: 'read',
      execute: (_input, context) => context.usage({ tokens: 5 }),
    })
    await spends.call('', { on, journal })
    await spends.call('', { on, journal })
    const figures = await read()
    expect(callsIn(figures)).toEqual(['spends success - 1'])
    expect(sumsOf(figures, 'toolwright.tool.tokens')).toEqual({ spends: 5 })
  })
})

describe('tokens and cost', () => {
  const model = tool({
    name: 'model',
    description: 'Spends.',
    effect: 'read',
    execute: (_input, context) => context.usage({ tokens: 100, costUsd: 0.25 }),
  })

  test('count where they were reported, so that the sum over tools is what was spent', async () => {
    const { on, read } = metered()
    const plan = compound({
      name: 'plan',
      description: 'Asks twice, and thinks itself.',
      parts: { model: gate(model), other: model },
      run: async (input, context, parts) => {
        await context.call('one', parts.model, input)
        await context.call('two', parts.other, input)
        context.usage({ tokens: 11 })
      },
    })
    const result = await plan.call('', { on, review: approve })
    expect(result.usage).toEqual({ tokens: 211, costUsd: 0.5 })
    const figures = await read()
    expect(sumsOf(figures, 'toolwright.tool.tokens')).toEqual({ model: 200, plan: 11 })
    expect(sumsOf(figures, 'toolwright.tool.cost')).toEqual({ model: 0.5 })
  })

  test('count too when the run was ended by force', async () => {
    const { on, read } = metered()
    const careless = tool({
      name: 'careless',
      description: 'Spends, then lacks a secret store.',
      effect: 'read',
      execute: async (_input, context) => {
        context.usage({ tokens: 9 })
        await context.secret('KEY')
      },
    })
    await expect(careless.call('', { on })).rejects.toThrow('no secrets provider')
    expect(sumsOf(await read(), 'toolwright.tool.tokens')).toEqual({ careless: 9 })
  })
})

describe('a tool’s own figures', () => {
  test('become histograms under their name, with the tool that reported them', async () => {
    const { on, read } = metered()
    const reads = tool({
      name: 'reads',
      description: 'Reads rows.',
      effect: 'read',
      execute: (_input, context) => {
        context.metric('rows', 3, { table: 'orders' })
        context.metric('rows', 4, { table: 'orders' })
        context.metric('büro größe', 1)
        context.metric('rows', Number.NaN)
      },
    })
    await reads.call('', { on })
    const custom = (await read()).filter(({ name }) => name.startsWith('toolwright.custom.'))
    expect(custom).toMatchObject([
      { name: 'toolwright.custom.rows', attributes: { table: 'orders', 'gen_ai.tool.name': 'reads' }, value: { count: 2, sum: 7 } },
      { name: 'toolwright.custom.b_ro_gr__e', value: { count: 1, sum: 1 } },
    ])
  })

  test('are bounded in number, whatever names a tool makes up', async () => {
    const { on, read } = metered()
    const wild = tool({
      name: 'wild',
      description: 'Makes up names.',
      effect: 'read',
      execute: (_input, context) => {
        for (let each = 0; each < 1500; each++) context.metric(`order ${each}`, 1)
      },
    })
    await wild.call('', { on })
    expect((await read()).filter(({ name }) => name.startsWith('toolwright.custom.'))).toHaveLength(1000)
  })
})
