import { describe, expect, test } from 'vitest'
import { check } from '../../plan/check.ts'
import { explain } from '../../plan/explain.ts'
import { fakeClock } from '../../testing/fake-clock.ts'
import { recordEvents } from '../../testing/record-events.ts'
import { type Outcome, ToolError, type ToolErrorOptions } from '../../tool/errors/tool-error.ts'
import { memoryJournal } from '../../tool/journal/journal.ts'
import type { Metadata } from '../../tool/metadata.ts'
import { tool } from '../../tool/tool.ts'
import { breaker } from '../breaker/breaker.ts'
import { gate } from '../gate/gate.ts'
import { pipe } from '../pipe/pipe.ts'
import { retry } from './retry.ts'

interface Flaky extends Metadata {
  /** One for each call that fails; after them it succeeds. */
  readonly failures: readonly ToolErrorOptions[]
}

const BUSY: ToolErrorOptions = { class: 'transient' }

/** Fails by a script, and remembers when and under which key it was called. */
function flaky({ failures, ...metadata }: Flaky) {
  const calls: { readonly key: string; readonly path: string; readonly at: number; readonly input: unknown }[] = []
  const made = tool({
    name: 'flaky',
    description: 'Fails at first.',
    effect: 'read',
    ...metadata,
    execute: async (input: string, { idempotencyKey: key, path, clock }) => {
      calls.push({ key, path, at: clock.now(), input })
      const failure = failures[calls.length - 1]
      if (failure !== undefined) throw new ToolError('Busy.', failure)
      return input
    },
  })
  return { tool: made, calls }
}

const waitsOf = (calls: readonly { readonly at: number }[]): number[] => calls.slice(1).map(({ at }, index) => at - (calls[index]?.at ?? 0))

describe('a retried tool', () => {
  test('is the same tool to everybody else', () => {
    const { tool: made } = flaky({ failures: [], version: '1.2.0', idempotent: 'keyed', effect: 'write', permissions: ['a:b'] })
    const patient = retry(made)
    expect(patient).toMatchObject({ name: 'flaky', version: '1.2.0', effect: 'write', idempotent: 'keyed', permissions: ['a:b'] })
    expect(patient.specification).toEqual(made.specification)
  })

  test('is called again under the same key until it succeeds, after waits that grow [H2]', async () => {
    const { tool: made, calls } = flaky({ failures: [BUSY, BUSY] })
    const clock = fakeClock()
    const result = await clock.until(retry(made).call('x', { clock, random: () => 0.5 }))
    expect(result).toMatchObject({ ok: true, value: 'x' })
    expect(calls.map(({ path }) => path)).toEqual(['flaky/attempt', 'flaky/attempt@2', 'flaky/attempt@3'])
    expect(new Set(calls.map(({ key }) => key)).size).toBe(1)
    expect(waitsOf(calls)).toEqual([300, 500])
  })

  test('says in its result which attempts there were', async () => {
    const { tool: made } = flaky({ failures: [BUSY, { class: 'server', code: 'upstream_error' }] })
    const clock = fakeClock()
    const result = await clock.until(retry(made).call('x', { clock, random: () => 0 }))
    expect(result.attempts).toMatchObject([
      { number: 1, tool: 'flaky', error: { class: 'transient', message: 'Busy.' } },
      { number: 2, tool: 'flaky', error: { code: 'upstream_error' } },
      { number: 3, tool: 'flaky' },
    ])
    expect(result.attempts?.map(({ at }) => at - (result.attempts?.[0]?.at ?? 0))).toEqual([0, 200, 600])
    expect((await retry(flaky({ failures: [] }).tool).call('x')).attempts).toBeUndefined()
  })

  test('tells listeners of each failed attempt that is followed by another', async () => {
    const { tool: made } = flaky({ failures: [BUSY, BUSY, BUSY] })
    const clock = fakeClock()
    const recorder = recordEvents()
    const start = clock.now()
    await clock.until(retry(made).call('x', { clock, on: recorder, random: () => 0 }))
    const retries = recorder.events.flatMap((event) => (event.type === 'call.retried' ? [event] : []))
    expect(retries.map(({ attempt, until, call, error }) => [attempt, until - start, call.path, error.class])).toEqual([
      [1, 200, 'flaky/attempt', 'transient'],
      [2, 600, 'flaky/attempt@2', 'transient'],
    ])
  })

  test.each<[string, Flaky, number]>([
    ['the attempts are spent', { failures: [BUSY, BUSY, BUSY, BUSY] }, 3],
    ['the failure is not worth another', { failures: [{ class: 'not_found' }] }, 1],
    ['a person has rejected it, whatever the failure says', { failures: [{ class: 'rejected', retryable: true }] }, 1],
    ['the time is up', { failures: [{ class: 'deadline', retryable: true }] }, 1],
    ['it may have taken effect and is not safe to repeat', { failures: [{ ...BUSY, outcome: 'unknown' }], effect: 'write' }, 1],
  ])('is not called again when %s [H1]', async (_when, given, times) => {
    const { tool: made, calls } = flaky(given)
    const clock = fakeClock()
    const result = await clock.until(retry(made).call('x', { clock }))
    expect([result.ok, calls.length]).toEqual([false, times])
  })

  test.each<[string, ToolErrorOptions, boolean]>([
    ['asks a rule of its own', { class: 'not_found' }, true],
    ['does not go around a person by it', { class: 'rejected' }, false],
    ['does not go on after a cancellation by it', { class: 'cancelled' }, false],
    ['does not repeat what may have happened by it', { class: 'not_found', outcome: 'unknown' }, false],
  ])('%s [H1]', async (_what, failure, isRetried) => {
    const { tool: made, calls } = flaky({ failures: [failure], effect: 'write' })
    const clock = fakeClock()
    const result = await clock.until(retry(made, { retryIf: ({ message }) => message === 'Busy.' }).call('x', { clock }))
    expect([result.ok, calls.length]).toEqual([isRetried, isRetried ? 2 : 1])
  })

  test('fails where its own rule fails', async () => {
    const { tool: made } = flaky({ failures: [BUSY] })
    const rule = (): boolean => {
      throw new Error('no idea')
    }
    expect(await retry(made, { retryIf: rule }).call('x')).toMatchObject({
      ok: false,
      error: { code: 'adapter_failed', message: "'retryIf' of retry for 'flaky' failed: no idea" },
    })
  })

  test.each<[string, Outcome, boolean]>([
    ['says that it was not repeated', 'unknown', true],
    ['says nothing where it was not asked', 'failed', false],
  ])('%s, when the effect is not safe to repeat', async (_what, outcome, isSaid) => {
    const { tool: made } = flaky({ failures: [{ ...BUSY, outcome }], effect: 'write' })
    const clock = fakeClock()
    const { issues = [] } = await clock.until(retry(made).call('x', { clock }))
    expect(issues.some(({ message }) => message.includes('not safe to repeat'))).toBe(isSaid)
  })

  test('has an unknown outcome where an earlier attempt may have taken effect', async () => {
    const { tool: made, calls } = flaky({
      failures: [{ ...BUSY, outcome: 'unknown' }, { class: 'not_found' }],
      effect: 'write',
      idempotent: 'keyed',
    })
    const clock = fakeClock()
    const result = await clock.until(retry(made).call('x', { clock }))
    expect(calls).toHaveLength(2)
    expect(result).toMatchObject({ ok: false, error: { class: 'not_found', outcome: 'unknown' } })
  })

  test('waits as long as a failure asks for, and 5 s where a rate limit names no time [H2]', async () => {
    const { tool: made, calls } = flaky({ failures: [{ class: 'rate_limited', retryAfterMs: 7000 }, { class: 'rate_limited' }] })
    const clock = fakeClock()
    await clock.until(retry(made).call('x', { clock, random: () => 0 }))
    expect(waitsOf(calls)).toEqual([7000, 5000])
  })

  test('does not wait beyond the deadline, and says when to call again [H2]', async () => {
    const { tool: made, calls } = flaky({ failures: [{ class: 'rate_limited', retryAfterMs: 90_000 }] })
    const clock = fakeClock()
    const start = clock.now()
    const result = await clock.until(retry(made).call('x', { clock, deadline: '10s' }))
    expect(result).toMatchObject({
      ok: false,
      error: {
        class: 'rate_limited',
        retryAfterMs: 90_000,
        hint: 'No time was left for another attempt. Call again after 1 m 30 s.',
      },
    })
    expect([calls.length, clock.now() - start]).toEqual([1, 0])
  })

  test('keeps the hint of an author when no time is left', async () => {
    const { tool: made } = flaky({ failures: [{ ...BUSY, hint: 'Ring the bell.' }] })
    const result = await retry(made).call('x', { clock: fakeClock(), deadline: 100 })
    expect(result).toMatchObject({ ok: false, error: { hint: 'Ring the bell.', retryAfterMs: 200 } })
  })

  test('ends at once when its caller gives up during a wait', async () => {
    const { tool: made, calls } = flaky({ failures: [BUSY] })
    const clock = fakeClock()
    const caller = new AbortController()
    const running = retry(made, { base: '10s' }).call('x', { clock, signal: caller.signal })
    await clock.advance(5000)
    caller.abort()
    expect(await running).toMatchObject({ ok: false, error: { class: 'cancelled' } })
    expect([calls.length, clock.pending()]).toEqual([1, 0])
  })

  test('calls the tool with the input as it was at first', async () => {
    const inputs: unknown[] = []
    const made = tool({
      name: 'flaky',
      description: 'Fails once.',
      effect: 'read',
      inputSchema: { type: 'object', properties: { to: { type: 'string' } } } as const,
      execute: async (input) => {
        inputs.push({ ...input })
        Object.assign(input, { to: 'changed by the tool' })
        if (inputs.length === 1) throw new ToolError('Busy.', BUSY)
        return 'done'
      },
    })
    const clock = fakeClock()
    const input = { to: 'ada' }
    const running = clock.until(retry(made).call(input, { clock }))
    input.to = 'changed by the caller'
    await running
    expect(inputs).toEqual([{ to: 'ada' }, { to: 'ada' }])
  })

  test('asks a person for each attempt at a gate, and once for a gate around it', async () => {
    const asked = async (make: (made: ReturnType<typeof flaky>['tool']) => ReturnType<typeof flaky>['tool']): Promise<number> => {
      const clock = fakeClock()
      let requests = 0
      const review = () => ({ action: 'continue', by: `person ${++requests}` }) as const
      await clock.until(make(flaky({ failures: [BUSY] }).tool).call('x', { clock, review: { review } }))
      return requests
    }
    expect([await asked((made) => retry(gate(made))), await asked((made) => gate(retry(made)))]).toEqual([2, 1])
  })

  test('records one step for each attempt, and the wait between them', async () => {
    const { tool: made } = flaky({ failures: [BUSY] })
    const clock = fakeClock()
    const journal = memoryJournal()
    await clock.until(retry(made).call('x', { clock, journal, random: () => 0 }))
    expect([...new Set(journal.entries.map(({ kind, path }) => `${kind} ${path}`))]).toEqual([
      'call flaky/attempt',
      'decision flaky/.jitter.attempt.1',
      'sleep flaky/.wait.attempt.1',
      'call flaky/attempt@2',
    ])
  })

  test('leaves no read of a recorded run to be retried twice', async () => {
    const { tool: made, calls } = flaky({ failures: Array.from({ length: 20 }, () => BUSY) })
    const clock = fakeClock()
    const journal = { ...memoryJournal(), retries: { waitAfter: (attempt: number) => (attempt < 5 ? 1 : undefined) } }
    await clock.until(retry(made).call('x', { clock, journal }))
    expect(calls).toHaveLength(3)
  })
})

describe('the plan of a retried tool', () => {
  const estimates = { latencyMs: 100, p99Ms: 400, reliability: 0.9, costUsd: 0.01 }

  test('has the figures of several attempts [C6]', () => {
    const { figures, layers } = explain(retry(flaky({ failures: [], estimates }).tool, { attempts: 2, base: 100 })).root
    expect(layers).toEqual(['retry: at most 2 attempts'])
    expect(figures.reliability.value).toBeCloseTo(0.99, 10)
    expect(figures.latencyMs.value).toBe(100)
    expect(figures.p99Ms.value).toBe(2 * 400 + 200)
    expect(figures.costUsd.value).toBeCloseTo(0.011, 10)
  })

  test('does not keep a pipeline from beginning it, if there is time for one attempt', async () => {
    const { tool: made } = flaky({ failures: [], estimates })
    expect(await pipe(retry(made)).call('x', { deadline: 500, clock: fakeClock() })).toMatchObject({ ok: true })
    expect(await pipe(retry(made)).call('x', { deadline: 300, clock: fakeClock() })).toMatchObject({ ok: false })
  })

  test('has a bound where the reliability is not known', () => {
    const { figures } = explain(retry(flaky({ failures: [], estimates: { costUsd: 0.01 } }).tool)).root
    expect(figures.reliability.value).toBeUndefined()
    expect(figures.costUsd).toMatchObject({ value: 0.01, isBound: true })
  })

  test.each<[string, Metadata, boolean]>([
    ['an effect that is not safe to repeat', { effect: 'write' }, true],
    ['an undeclared effect', { effect: undefined }, true],
    ['a read', {}, false],
    ['an effect with a key', { effect: 'write', idempotent: 'keyed' }, false],
  ])('is checked: %s [C5]', (_what, metadata, isWrong) => {
    const findings = check(retry(flaky({ failures: [], ...metadata }).tool)).filter(({ code }) => code === 'retried_effect')
    expect(findings.map(({ severity, path }) => [severity, path])).toEqual(isWrong ? [['error', 'flaky/attempt']] : [])
    expect(check(retry(flaky({ failures: [], ...metadata }).tool, { attempts: 1 })).map(({ code }) => code)).not.toContain('retried_effect')
  })
})

test('an open circuit is not waited out, so that a fallback can ask its next level [F2]', async () => {
  let calls = 0
  const rates = tool({
    name: 'rates',
    description: 'd',
    effect: 'read',
    execute: () => {
      calls++
      throw new ToolError('down', { class: 'transient' })
    },
  })
  const clock = fakeClock()
  const guarded = retry(breaker(rates, { minCalls: 1, coolDown: '5s' }))
  await clock.until(guarded.call('x', { clock }))
  const before = clock.now()
  const refused = await clock.until(guarded.call('x', { clock }))
  expect([refused.ok ? '' : refused.error.code, clock.now() - before, calls]).toEqual(['circuit_open', 0, 1])
  const patient = retry(breaker(rates, { minCalls: 1, coolDown: '5s' }), { retryIf: ({ code }) => code === 'circuit_open', attempts: 2 })
  const waited = clock.now()
  await clock.until(patient.call('x', { clock }))
  await clock.until(patient.call('x', { clock }))
  expect(clock.now() - waited).toBeGreaterThanOrEqual(5000)
})
