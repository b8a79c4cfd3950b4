import { context as otel, trace } from '@opentelemetry/api'
import { NodeSDK } from '@opentelemetry/sdk-node'
import { InMemorySpanExporter, type ReadableSpan, SimpleSpanProcessor } from '@opentelemetry/sdk-trace'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { gate } from '../combinators/gate/gate.ts'
import { fakeClock } from '../testing/fake-clock.ts'
import { compound } from '../tool/compound.ts'
import { layer } from '../tool/layer.ts'
import type { ReviewHandler } from '../tool/review.ts'
import { tool } from '../tool/tool.ts'
import { openTelemetry } from './open-telemetry.ts'

const exporter = new InMemorySpanExporter()
const sdk = new NodeSDK({
  spanProcessors: [new SimpleSpanProcessor({ exporter })],
  metricReaders: [],
  logRecordProcessors: [],
  autoDetectResources: false,
})
/** Older than the SDK on purpose: it finds the provider that is registered when a call begins. */
const on = openTelemetry()

beforeAll(() => sdk.start())
beforeEach(() => exporter.reset())
afterAll(() => sdk.shutdown())

const add = tool({
  name: 'add_numbers',
  version: '1.2.0',
  description: 'Adds two numbers.',
  inputSchema: z.object({ a: z.number(), b: z.number() }),
  effect: 'read',
  execute: ({ a, b }) => a + b,
})
const pay = tool({ name: 'pay', description: 'Pays.', execute: (input) => `paid ${input}` })
const approve: ReviewHandler = { review: () => ({ action: 'continue', by: 'ada' }) }
const reject: ReviewHandler = { review: () => ({ action: 'reject' }) }

function spanOf(name: string): ReadableSpan {
  const found = exporter.getFinishedSpans().filter((span) => span.name === name)
  expect(found, `spans named ${name}`).toHaveLength(1)
  return found[0]!
}

function names(): readonly string[] {
  return exporter.getFinishedSpans().map((span) => span.name)
}

function isInside(inner: ReadableSpan, outer: ReadableSpan): boolean {
  return inner.parentSpanContext?.spanId === outer.spanContext().spanId && inner.spanContext().traceId === outer.spanContext().traceId
}

describe('spans nest', () => {
  const tracer = trace.getTracer('test')

  test('a call lies under the span that is active when it begins, and nested calls under their caller [T12]', async () => {
    const sum = compound({
      name: 'sum',
      description: 'Adds in parallel.',
      parts: { add },
      run: (_input, context, parts) =>
        Promise.all([context.call('left', parts.add, { a: 1, b: 2 }), context.call('right', parts.add, { a: 3, b: 4 })]),
    })
    await trace.getTracer('test').startActiveSpan('request', async (request) => {
      await sum.call('', { on })
      request.end()
    })
    const whole = spanOf('execute_tool sum')
    expect(isInside(whole, spanOf('request'))).toBe(true)
    const parts = exporter.getFinishedSpans().filter((span) => span.name === 'execute_tool add_numbers')
    expect(parts.map((span) => span.attributes['toolwright.path'])).toEqual(['sum/left', 'sum/right'])
    expect(parts.every((span) => isInside(span, whole))).toBe(true)
  })

  async function work(call: () => Promise<unknown>): Promise<void> {
    await Promise.resolve()
    await trace.getTracer('test').startActiveSpan('query', async (query) => {
      await call()
      query.end()
    })
  }
  const working = {
    function: tool({
      name: 'outer',
      description: 'Works.',
      effect: 'read',
      execute: (_input, context) => work(() => context.call('inner', add, { a: 1, b: 1 })),
    }),
    generator: tool({
      name: 'outer',
      description: 'Works.',
      effect: 'read',
      execute: async function* (_input, context) {
        yield 'begun'
        await work(() => context.call('inner', add, { a: 1, b: 1 }))
      },
    }),
  }
  test.each(['function', 'generator'] as const)(
    'a span of a tool’s own %s lies under the call, and calls inside it under it',
    async (kind) => {
      await working[kind].call('', { on })
      expect(isInside(spanOf('query'), spanOf('execute_tool outer'))).toBe(true)
      expect(isInside(spanOf('execute_tool add_numbers'), spanOf('query'))).toBe(true)
      expect(trace.getSpan(otel.active())).toBeUndefined()
    },
  )

  test('a call made from somewhere else lies under the call whose context made it', async () => {
    const clock = fakeClock()
    let callInner = (): Promise<unknown> => Promise.resolve()
    const patient = tool({
      name: 'patient',
      description: 'Lets others call.',
      effect: 'read',
      execute: (_input, context) => {
        callInner = () => context.call('inner', add, { a: 1, b: 1 })
        return context.sleep(10)
      },
    })
    const running = patient.call('', { on, clock })
    await tracer.startActiveSpan('elsewhere', async (span) => {
      await callInner()
      span.end()
    })
    await clock.until(running)
    expect(isInside(spanOf('execute_tool add_numbers'), spanOf('execute_tool patient'))).toBe(true)
  })

  test('concurrent roots keep to their own traces', async () => {
    const clock = fakeClock()
    const waits = tool({ name: 'waits', description: 'Waits.', effect: 'read', execute: (input, context) => context.sleep(Number(input)) })
    const outer = compound({
      name: 'outer',
      description: 'Waits.',
      parts: { waits },
      run: (input, context, parts) => context.call('inner', parts.waits, input),
    })
    await clock.until(Promise.all(['30', '10', '20'].map((input) => outer.call(input, { on, clock, ids: () => 'same' }))))
    const roots = exporter.getFinishedSpans().filter((span) => span.name === 'execute_tool outer')
    const inner = exporter.getFinishedSpans().filter((span) => span.name === 'execute_tool waits')
    expect(new Set(roots.map((span) => span.spanContext().traceId)).size).toBe(3)
    for (const span of inner) expect(roots.filter((root) => isInside(span, root)).map((root) => root.duration)).toEqual([span.duration])
  })

  test('a tracer of one’s own is used', async () => {
    await add.call({ a: 1, b: 1 }, { on: openTelemetry({ tracer }) })
    expect(spanOf('execute_tool add_numbers').instrumentationScope.name).toBe('test')
  })
})

describe('layers and reviews', () => {
  const order = compound({
    name: 'order',
    description: 'Pays for an order.',
    parts: { pay: gate(pay) },
    run: (input, context, parts) => context.call('pay', parts.pay, input),
  })

  test('a layer has no span: the call inside names it, and its review is told by the span around it', async () => {
    await order.call('5', { on, review: approve })
    expect(names()).toEqual(['execute_tool pay', 'execute_tool order'])
    expect(isInside(spanOf('execute_tool pay'), spanOf('execute_tool order'))).toBe(true)
    expect(spanOf('execute_tool pay').attributes['toolwright.layers']).toEqual(['gate'])
    expect(spanOf('execute_tool order').events).toMatchObject([
      { name: 'toolwright.review.requested', attributes: { 'gen_ai.tool.name': 'pay', 'toolwright.review.risk': 'high' } },
      { name: 'toolwright.review.decided', attributes: { 'toolwright.review.action': 'continue', 'toolwright.review.by': 'ada' } },
    ])
  })

  test('the review of a gate around a root call is told by the call inside', async () => {
    await gate(gate(pay)).call('5', { on, review: approve })
    const span = spanOf('execute_tool pay')
    expect(span.attributes['toolwright.layers']).toEqual(['gate', 'gate'])
    expect(span.events.map((event) => event.name)).toEqual([
      'toolwright.review.requested',
      'toolwright.review.decided',
      'toolwright.review.requested',
      'toolwright.review.decided',
    ])
  })

  test('a review is told once, however often a layer inside calls the tool', async () => {
    const twice = layer(pay, {
      kind: 'twice',
      plan: { order: 'free', labels: 'name', closedBy: undefined },
      run: async (input, context) => {
        await context.call('once', pay, input as never)
        return context.call('again', pay, input as never)
      },
    })
    await gate(twice).call('5', { on, review: approve })
    expect(exporter.getFinishedSpans().map((span) => [span.attributes['toolwright.layers'], span.events.length])).toEqual([
      [['gate', 'twice'], 2],
      [['gate', 'twice'], 0],
    ])
  })

  test('a layer that answered by itself has the span of the call that never began', async () => {
    await order.call('5', { on, review: reject })
    const span = spanOf('execute_tool pay')
    expect(isInside(span, spanOf('execute_tool order'))).toBe(true)
    expect(span.attributes).toMatchObject({ 'toolwright.layers': ['gate'], 'toolwright.outcome': 'failure', 'error.type': 'rejected' })
    expect(span.events.map((event) => event.attributes?.['toolwright.review.action'])).toEqual([undefined, 'reject'])
  })

  test('a tool that asks for itself tells of it on its own span, and how long it waited', async () => {
    const clock = fakeClock()
    const marked = tool({ name: 'marked', description: 'Asks.', requireApproval: true, execute: () => 'done' })
    const slow: ReviewHandler = {
      review: (_request, wait) => new Promise((resolve) => wait.clock.timer(60_000, () => resolve({ action: 'continue' }))),
    }
    await clock.until(marked.call('', { on, clock, review: slow }))
    const span = spanOf('execute_tool marked')
    expect(span.duration).toEqual([60, 0])
    expect(span.events.map((event) => event.attributes?.['toolwright.review.waited_ms'])).toEqual([undefined, 60_000])
  })
})
