import { SpanKind, SpanStatusCode } from '@opentelemetry/api'
import { NodeSDK } from '@opentelemetry/sdk-node'
import { InMemorySpanExporter, type ReadableSpan, SimpleSpanProcessor } from '@opentelemetry/sdk-trace'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { gate } from '../combinators/gate/gate.ts'
import { fakeClock } from '../testing/fake-clock.ts'
import { compound } from '../tool/compound.ts'
import { ToolError } from '../tool/errors/tool-error.ts'
import { memoryJournal } from '../tool/journal/journal.ts'
import { failure } from '../tool/result/returned.ts'
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

function spanOf(name: string): ReadableSpan {
  const found = exporter.getFinishedSpans().filter((span) => span.name === name)
  expect(found, `spans named ${name}`).toHaveLength(1)
  return found[0]!
}

function names(): readonly string[] {
  return exporter.getFinishedSpans().map((span) => span.name)
}

describe('the span of a call', () => {
  test('follows the GenAI conventions for the execution of a tool [T12, I6]', async () => {
    await add.call({ a: 1, b: 2 }, { on, agent: 'clerk', ids: () => 'call_7' })
    const span = spanOf('execute_tool add_numbers')
    expect(span.kind).toBe(SpanKind.INTERNAL)
    expect(span.status).toEqual({ code: SpanStatusCode.UNSET })
    expect(span.attributes).toEqual({
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': 'add_numbers',
      'gen_ai.tool.description': 'Adds two numbers.',
      'gen_ai.tool.type': 'function',
      'gen_ai.tool.call.id': 'call_7',
      'gen_ai.agent.name': 'clerk',
      'toolwright.path': 'add_numbers',
      'toolwright.effect': 'read',
      'toolwright.version': '1.2.0',
      'toolwright.outcome': 'success',
    })
  })

  test('is in error with the code of the failure, whether returned, thrown or fatal [T12]', async () => {
    const returns = tool({ name: 'returns', description: 'Fails.', effect: 'read', execute: () => failure('No.', { code: 'gone' }) })
    const throws = tool({
      name: 'throws',
      description: 'Throws.',
      effect: 'read',
      execute: () => {
        throw new ToolError('Busy.', { class: 'transient', code: 'too_busy' })
      },
    })
    await returns.call('', { on })
    await throws.call('', { on })
    await expect(gate(pay).call('1', { on })).rejects.toThrow('no ReviewHandler')
    const seen = exporter
      .getFinishedSpans()
      .map(({ attributes, status }) => [attributes['toolwright.outcome'], attributes['error.type'], status])
    const status = { code: SpanStatusCode.ERROR }
    expect(seen).toEqual([
      ['failure', 'gone', status],
      ['error', 'too_busy', status],
      ['error', 'missing_review_handler', status],
    ])
  })

  test('has the times of the call’s own clock, and the duration of its event', async () => {
    const clock = fakeClock(1_600_000_000_123)
    const waits = tool({ name: 'waits', description: 'Waits.', effect: 'read', execute: (_input, context) => context.sleep(1500) })
    const two = compound({
      name: 'two',
      description: 'Waits twice.',
      parts: { waits },
      run: async (input, context, parts) => {
        await context.call('first', parts.waits, input)
        await context.call('second', parts.waits, input)
      },
    })
    await clock.until(two.call('', { on, clock }))
    const [first, second, whole] = exporter.getFinishedSpans()
    expect([whole?.startTime, whole?.duration]).toEqual([
      [1_600_000_000, 123_000_000],
      [3, 0],
    ])
    expect([first?.startTime, first?.duration]).toEqual([
      [1_600_000_000, 123_000_000],
      [1, 500_000_000],
    ])
    expect(second?.startTime).toEqual([1_600_000_001, 623_000_000])
  })

  test('is not misled by a clock that began with the epoch', async () => {
    const clock = fakeClock(50)
    await pay.call('5', { on, clock })
    expect(spanOf('execute_tool pay').startTime).toEqual([0, 50_000_000])
  })

  test('ends once, at the deadline, whatever the tool does later', async () => {
    const clock = fakeClock()
    const deaf = tool({
      name: 'deaf',
      description: 'Ignores its signal.',
      effect: 'read',
      execute: (_input, context) => new Promise((resolve) => context.clock.timer(5000, () => resolve(context.progress('late')))),
    })
    await clock.until(deaf.call('', { on, clock, deadline: '1s' }))
    await clock.advance(10_000)
    expect(spanOf('execute_tool deaf')).toMatchObject({ duration: [1, 0], attributes: { 'error.type': 'deadline_exceeded' } })
  })

  test('is not made again for a call that was read from a journal', async () => {
    const journal = memoryJournal()
    await pay.call('5', { on, journal })
    expect(names()).toEqual(['execute_tool pay'])
    await pay.call('5', { on, journal })
    expect(names()).toEqual(['execute_tool pay'])
  })
})

describe('content', () => {
  const login = tool({
    name: 'login',
    description: 'Logs in.',
    inputSchema: z.object({ user: z.string(), password: z.string() }),
    effect: 'read',
    execute: ({ user, password }) => {
      if (user === 'mallory') throw new Error(`${user} may not use ${password}`)
      return { user, sessionToken: 'tok-abcdef', note: `was ${password}` }
    },
  })

  test('stays off spans by default: input, output and messages', async () => {
    await login.call({ user: 'adalovelace', password: 'hunter2!' }, { on })
    await login.call({ user: 'mallory', password: 'hunter2!' }, { on })
    const all = JSON.stringify(exporter.getFinishedSpans().map(({ attributes, status, events }) => ({ attributes, status, events })))
    expect(all).not.toMatch(/hunter2|adalovelace|mallory|tok-abcdef/)
  })

  test('is masked where it was asked for', async () => {
    const open = openTelemetry({ captureContent: true })
    await login.call({ user: 'ada', password: 'hunter2!' }, { on: open })
    await login.call({ user: 'mallory', password: 'hunter2!' }, { on: open })
    const [good, bad] = exporter.getFinishedSpans()
    expect(good?.attributes).toMatchObject({
      'gen_ai.tool.call.arguments': '{"user":"ada","password":"••••••"}',
      'gen_ai.tool.call.result': '{"user":"ada","sessionToken":"••••••","note":"was ••••••"}',
    })
    expect(bad?.attributes).not.toHaveProperty('gen_ai.tool.call.result')
    expect(bad?.status).toEqual({ code: SpanStatusCode.ERROR, message: 'Error: mallory may not use ••••••' })
  })
})
