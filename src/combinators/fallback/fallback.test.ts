import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { fakeClock } from '../../testing/fake-clock.ts'
import { recordEvents } from '../../testing/record-events.ts'
import type { AgentTool } from '../../tool/agent-tool.ts'
import { ToolError, type ToolErrorOptions } from '../../tool/errors/tool-error.ts'
import { memoryJournal } from '../../tool/journal/journal.ts'
import type { Metadata } from '../../tool/metadata.ts'
import { failure, success } from '../../tool/result/returned.ts'
import type { ReviewDecision, ReviewRequest } from '../../tool/review.ts'
import { tool } from '../../tool/tool.ts'
import { gate } from '../gate/gate.ts'
import { breaker } from '../breaker/breaker.ts'
import { limit } from '../limit/limit.ts'
import { retry } from '../retry/retry.ts'
import { fallback } from './fallback.ts'
import { byPerson } from '../../tool/seam/by-person.ts'
import { level } from './level.ts'

const Pair = z.object({ pair: z.string() })
const Rate = z.object({ rate: z.number() })
const whole = { name: 'exchange_rate', description: 'The rate of a pair of currencies.', inputSchema: Pair, outputSchema: Rate }
const down = { code: 'service_unavailable' } as const

/** A tool that answers, or fails, and remembers its inputs. */
function source(name: string, answer: number | ToolErrorOptions, more: Metadata = {}) {
  const calls: unknown[] = []
  const execute = (input: { pair: string }): { rate: number } => {
    calls.push(input)
    if (typeof answer === 'object') throw new ToolError(`${name} is down.`, answer)
    return { rate: answer }
  }
  return { calls, tool: tool({ name, description: 'd', inputSchema: Pair, effect: 'read', ...more, execute }) }
}

const given = { pair: 'EURUSD' }

describe('the levels', () => {
  test('are asked in order until one answers; the result says which, and what the others said [F1] [F4]', async () => {
    const [live, mirror, table, unused] = [source('live', down), source('mirror', down), source('table', 1.1), source('unused', 2)]
    const result = await fallback(whole, [live.tool, mirror.tool, table.tool, unused.tool]).call(given)
    expect(result).toMatchObject({ ok: true, value: { rate: 1.1 }, level: 'table', confidence: 0.8 ** 2 })
    expect(result.attempts).toMatchObject([
      { number: 1, tool: 'live', level: 'live', error: { code: 'service_unavailable', message: 'live is down.' } },
      { number: 2, tool: 'mirror', level: 'mirror', error: { code: 'service_unavailable' } },
      { number: 3, tool: 'table', level: 'table' },
    ])
    expect(unused.calls).toEqual([])
    expect(result.steps?.map(({ label, result: { ok } }) => [label, ok])).toEqual([
      ['live', false],
      ['mirror', false],
      ['table', true],
    ])
  })

  test('the first one answers without a word of others', async () => {
    const result = await fallback(whole, [source('live', 1).tool, source('table', 2).tool]).call(given)
    expect(result).toMatchObject({ value: { rate: 1 }, level: 'live' })
    expect([result.attempts, result.ok && result.confidence]).toEqual([undefined, undefined])
  })

  test('confidence is multiplied by the accuracy of the level, or of its tool [F4]', async () => {
    const rough = tool({
      name: 'rough',
      description: 'd',
      inputSchema: Pair,
      effect: 'read',
      execute: () => success({ rate: 1 }, { confidence: 0.5 }),
    })
    const of = async (
      each: Parameters<typeof level<{ pair: string }, { rate: number }>>[1],
      tools: AgentTool<{ pair: string }, { rate: number }> = rough,
    ) => (await fallback(whole, [level(tools, each)]).call(given)) as { confidence?: number }
    expect((await of({ estimates: { accuracy: 0.9 } })).confidence).toBe(0.45)
    expect((await of({})).confidence).toBe(0.5)
    const known = source('known', 1, { estimates: { accuracy: 0.7 } }).tool
    expect((await of({}, known)).confidence).toBe(0.7)
    expect((await of({ estimates: { accuracy: 0.6 } }, known)).confidence).toBe(0.6)
  })

  test('have adapters of their own for input and output [F1]', async () => {
    const quote = tool({
      name: 'quote',
      description: 'd',
      inputSchema: z.object({ symbol: z.string() }),
      effect: 'read',
      execute: ({ symbol }) => ({ mid: symbol.length }),
    })
    const rates = fallback(whole, [
      source('live', down).tool,
      level(quote, { input: ({ pair }) => ({ symbol: pair }), output: ({ value, input }) => ({ rate: value.mid + input.pair.length }) }),
    ])
    expect(await rates.call(given)).toMatchObject({ ok: true, value: { rate: 12 }, level: 'quote' })
  })

  test('an adapter that throws is a failure of its level', async () => {
    const bad = () => {
      throw new Error('no such field')
    }
    const rates = fallback(whole, [
      level(source('a', 1).tool, { input: bad }),
      level(source('b', 1).tool, { output: bad }),
      source('c', 3).tool,
    ])
    const result = await rates.call(given)
    expect(result).toMatchObject({ level: 'c', value: { rate: 3 } })
    expect(result.attempts?.map(({ error }) => error?.code)).toEqual(['adapter_failed', 'adapter_failed', undefined])
  })

  test('an answer that does not fit the output schema is a failure of its level', async () => {
    const odd = tool({ name: 'odd', description: 'd', inputSchema: Pair, effect: 'read', execute: (): unknown => ({ rate: 'high' }) })
    const result = await fallback({ name: 'r', description: 'd', outputSchema: Rate }, [odd as never, source('table', 1).tool]).call(
      given as never,
    )
    expect(result).toMatchObject({ ok: true, level: 'table', attempts: [{ error: { code: 'invalid_output' } }, {}] })
  })

  test('all failed: the failure lists every reason, and says when to call again [F1]', async () => {
    const [live, table] = [source('live', { code: 'rate_limited', retryAfterMs: 5000 }), source('table', { code: 'tool_failed' })]
    const result = await fallback(whole, [live.tool, table.tool]).call(given)
    expect(result).toMatchObject({
      ok: false,
      text: "Error: No level of 'exchange_rate' answered:\n- live failed: live is down.\n- table failed: table is down.",
      error: { code: 'fallback_exhausted', class: 'transient', retryable: true, retryAfterMs: 5000, outcome: 'failed' },
      attempts: [{ level: 'live' }, { level: 'table' }],
    })
    const lasting = await fallback(whole, [table.tool]).call(given)
    expect(lasting).toMatchObject({ error: { code: 'fallback_exhausted', class: 'server', retryable: false } })
  })

  test('the metric tells the level by capability [F1]', async () => {
    const recorder = recordEvents()
    await fallback(whole, [source('live', down).tool, source('table', 1).tool]).call(given, { on: recorder })
    const metrics = recorder.events.filter((event) => event.type === 'metric.recorded')
    expect(metrics).toMatchObject([{ name: 'tool_fallback_level', value: 1, attributes: { capability: 'exchange_rate', level: 'table' } }])
  })

  test('a layer that did not let the call begin is a skip, with its reason [F1]', async () => {
    const busy = source('busy', { code: 'rate_limited', outcome: 'not_started' })
    const result = await fallback(whole, [busy.tool, source('table', 1).tool]).call(given)
    expect(result.attempts).toMatchObject([{ level: 'busy', skipped: 'busy is down.' }, { level: 'table' }])
  })
})

describe('what is not passed on', () => {
  const never = source('never', 1)

  test('a rejection: nothing walks around a reviewer [H1]', async () => {
    const review = { review: (): ReviewDecision => ({ action: 'reject', by: 'ada', reason: 'no' }) }
    const result = await fallback(whole, [gate(source('live', 1).tool), never.tool]).call(given, { review })
    expect(result).toMatchObject({ ok: false, error: { code: 'rejected' }, attempts: [{ level: 'live' }] })
    expect(never.calls).toEqual([])
  })

  test('a cancellation and the deadline of the whole [H1]', async () => {
    const clock = fakeClock()
    const slow = tool({
      name: 'slow',
      description: 'd',
      inputSchema: Pair,
      effect: 'read',
      execute: () => new Promise<{ rate: number }>(() => {}),
    })
    const late = await clock.until(fallback(whole, [slow, never.tool]).call(given, { clock, deadline: 100 }))
    expect(late).toMatchObject({ ok: false, error: { code: 'deadline_exceeded' } })
    const cancelled = await fallback(whole, [slow, never.tool]).call(given, { signal: AbortSignal.abort() })
    expect(cancelled).toMatchObject({ ok: false, error: { code: 'cancelled' } })
    expect(never.calls).toEqual([])
  })

  test('an effect that may have happened: another level would do it again', async () => {
    const unknown = { code: 'service_unavailable', outcome: 'unknown' } as const
    for (const more of [{ effect: 'irreversible' }, { effect: 'write' }, { effect: 'write', idempotent: 'keyed' }] as const) {
      const result = await fallback(whole, [source('pay', unknown, more).tool, never.tool]).call(given)
      expect(result).toMatchObject({ ok: false, error: { code: 'service_unavailable', outcome: 'unknown' } })
      expect(result.text).toContain("it is not known whether 'pay' took effect")
    }
    expect(never.calls).toEqual([])
    for (const more of [{ effect: 'read' }, { effect: 'write', idempotent: true }] as const)
      expect(await fallback(whole, [source('set', unknown, more).tool, source('other', 2).tool]).call(given)).toMatchObject({
        level: 'other',
      })
  })

  test('an error that was thrown in the middle of an effect, and that nobody has classified', async () => {
    const crash = (thrown: Error, effect: 'write' | 'read') =>
      tool({
        name: 'pay',
        description: 'd',
        inputSchema: Pair,
        effect,
        execute: (): { rate: number } => {
          throw thrown
        },
      })
    for (const thrown of [new TypeError("Cannot read properties of undefined (reading 'receipt')"), new Error('HTTP status was odd')]) {
      const result = await fallback(whole, [crash(thrown, 'write'), never.tool]).call(given)
      expect(result).toMatchObject({ ok: false, error: { outcome: 'unknown' }, attempts: [{ level: 'pay' }] })
      expect(await fallback(whole, [crash(thrown, 'read'), source('other', 2).tool]).call(given)).toMatchObject({ level: 'other' })
    }
    expect(never.calls).toEqual([])
    const declined = tool({ name: 'pay', description: 'd', inputSchema: Pair, execute: () => failure('The card was declined.') })
    expect(await fallback(whole, [declined, source('other', 2).tool]).call(given)).toMatchObject({ level: 'other' })
  })

  test('an effect whose answer does not fit, or cannot be reshaped', async () => {
    const paid = tool({ name: 'pay', description: 'd', inputSchema: Pair, execute: (): { rate: number } => ({ rate: 'x' }) as never })
    const bad = (): { rate: number } => {
      throw new Error('no such field')
    }
    for (const first of [level(paid), level(source('pay', 1, { effect: 'write' }).tool, { output: bad })]) {
      const result = await fallback(whole, [first, never.tool]).call(given)
      expect(result).toMatchObject({ ok: false, error: { outcome: 'unknown' }, attempts: [{ level: 'pay' }] })
      expect(result.text).toContain("it is not known whether 'pay' took effect")
    }
    expect(never.calls).toEqual([])
  })

  test('an effect that did not happen is passed on', async () => {
    const refused = source('pay', { code: 'service_unavailable', outcome: 'not_started' }, { effect: 'irreversible' })
    expect(await fallback(whole, [refused.tool, source('other', 2).tool]).call(given)).toMatchObject({ level: 'other' })
  })
})

describe('time', () => {
  const slow = tool({
    name: 'slow',
    description: 'd',
    inputSchema: Pair,
    effect: 'read',
    execute: () => new Promise<{ rate: number }>(() => {}),
  })

  test('a level has a deadline of its own; when it has passed, the next one is asked [F4]', async () => {
    const clock = fakeClock()
    const result = await clock.until(
      fallback(whole, [level(slow, { deadline: '2s' }), source('table', 1).tool]).call(given, { clock, deadline: '10s' }),
    )
    expect(result).toMatchObject({ ok: true, level: 'table', attempts: [{ level: 'slow', error: { code: 'deadline_exceeded' } }, {}] })
    expect(clock.now() - fakeClock().now()).toBe(2000)
  })

  test('a level that cannot answer in the time that is left is skipped [F1] [F4]', async () => {
    const clock = fakeClock()
    const archive = source('archive', 1, { estimates: { p99Ms: 5000 } })
    const rates = fallback(whole, [level(slow, { deadline: '2s' }), archive.tool, source('table', 3).tool])
    const result = await clock.until(rates.call(given, { clock, deadline: '6s' }))
    expect(result).toMatchObject({
      level: 'table',
      attempts: [{}, { level: 'archive', skipped: 'it may take 5 s (its p99), and 4 s are left' }, {}],
    })
    expect(archive.calls).toEqual([])
    expect(await clock.until(rates.call(given, { clock, deadline: '8s' }))).toMatchObject({ level: 'archive' })
  })
})

describe('a person as the last level', () => {
  const failing = [source('live', down).tool, byPerson({ urgency: 'high', why: 'Traders wait.' })] as const
  const deciding = (decision: ReviewDecision) => {
    const requests: ReviewRequest[] = []
    return { requests, review: { review: (request: ReviewRequest) => (requests.push(request), decision) } }
  }

  test('is told what was asked and tried, and answers in the output schema [F3]', async () => {
    const { requests, review } = deciding({ action: 'answer', value: { rate: 1.2 }, by: 'ada' })
    const result = await fallback(whole, failing).call(given, { review })
    expect(result).toMatchObject({ ok: true, value: { rate: 1.2 }, level: 'person', attempts: [{ level: 'live' }, { level: 'person' }] })
    expect(requests).toMatchObject([
      {
        kind: 'question',
        tool: 'exchange_rate',
        input: given,
        why: "Traders wait. 'exchange_rate' needs an answer by hand (urgency: high): live failed (live is down.).",
        answerSchema: { properties: { rate: { type: 'number' } } },
      },
    ])
  })

  test.each([
    ['hands it back', deciding({ action: 'reject', reason: 'The market is closed.' }).review, 'rejected', 'The market is closed.'],
    ['gives an answer that does not fit', deciding({ action: 'answer', value: { rate: 'high' } }).review, 'rejected', 'does not fit'],
    ['gives no answer', deciding({ action: 'continue' }).review, 'rejected', '- person gave no answer: '],
    ['is not there', undefined, 'transient', 'nobody could be asked'],
  ])('%s [F3]', async (_what, review, errorClass, says) => {
    const result = await fallback(whole, failing).call(given, { review })
    const error = { code: 'fallback_exhausted', class: errorClass, retryable: errorClass === 'transient' }
    expect(result).toMatchObject({ ok: false, error, attempts: [{ level: 'live' }, { level: 'person' }] })
    expect(result.text).toContain(says)
  })

  test('is asked only when every level has failed', async () => {
    const { requests, review } = deciding({ action: 'continue' })
    await fallback(whole, [source('live', 1).tool, byPerson()]).call(given, { review })
    expect(requests).toEqual([])
  })
})

test('the plan tells reliability, time and the condition of each level [F1]', () => {
  const [live, table] = [source('live', 1, { estimates: { reliability: 0.95, latencyMs: 10, p99Ms: 50 } }), source('table', 1)]
  const rates = fallback(whole, [live.tool, level(table.tool, { estimates: { reliability: 0.9, p99Ms: 20 } }), byPerson()])
  expect(rates.estimates).toMatchObject({ latencyMs: 10, p99Ms: 70 })
  expect(rates.estimates.reliability).toBeCloseTo(0.995)
  expect(rates.plan()).toMatchObject({
    order: 'alternatives',
    detail: "then a person ('person')",
    parts: [{ label: 'live' }, { label: 'table', when: 'the levels before it have failed' }],
  })
})

test('a level with a time of its own is passed on when the run is taken up after that time, whatever layers it has [F1] [F4]', async () => {
  const never = tool({
    name: 'slow',
    description: 'd',
    inputSchema: Pair,
    effect: 'read',
    execute: () => new Promise<{ rate: number }>(() => {}),
  })
  const layers = [
    (inner: typeof never) => retry(inner),
    (inner: typeof never) => breaker(inner),
    (inner: typeof never) => limit(inner, { concurrency: 3 }),
  ]
  for (const around of layers) {
    const rates = fallback(whole, [level(around(never), { deadline: '5s' }), source('table', 2).tool])
    const clock = fakeClock()
    const journal = memoryJournal()
    const options = { clock, idempotencyKey: 'run', deadline: '1h' } as const
    void rates.call(given, { ...options, journal })
    await clock.advance(4000)
    const past = [...journal.entries]
    await clock.advance(60_000)
    const result = await clock.until(rates.call(given, { ...options, journal: memoryJournal(past) }))
    expect([result.text, result.level]).toEqual(['{"rate":2}', 'table'])
  }
})

test('the times of an answer are those of its end [F4]', async () => {
  const result = await fallback(whole, [source('live', down).tool, source('table', 2).tool]).call(given)
  const now = Date.now()
  expect([result.provenance.timestamp, ...(result.attempts ?? []).map(({ at }) => at)].filter((at) => now - at > 60_000)).toEqual([])
})

test('after a fallback that may have taken effect nothing asks its other levels [F1] [H1]', async () => {
  const paid: string[] = []
  let calls = 0
  const bank = (name: string, fails: (call: number) => ToolErrorOptions | undefined) =>
    tool({
      name,
      description: 'Pays.',
      effect: 'write',
      idempotent: 'keyed',
      execute: () => {
        const trouble = fails(++calls)
        if (trouble?.outcome !== 'failed') paid.push(name)
        if (trouble !== undefined) throw new ToolError('no', trouble)
        return name
      },
    })
  const refused = { code: 'service_unavailable', outcome: 'failed' } as const
  const lost = { code: 'service_unavailable', outcome: 'unknown' } as const
  const either = fallback({ name: 'pay', description: 'Pays.' }, [
    bank('a', (call) => (call === 1 ? refused : undefined)),
    bank('b', () => lost),
  ])
  const clock = fakeClock()
  const result = await clock.until(retry(either).call('x', { clock }))
  expect([paid, result.ok ? '' : result.error.outcome]).toEqual([['b'], 'unknown'])
})
