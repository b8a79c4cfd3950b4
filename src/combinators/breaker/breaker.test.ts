import { describe, expect, test } from 'vitest'
import { explain } from '../../plan/explain.ts'
import { type FakeClock, fakeClock } from '../../testing/fake-clock.ts'
import { replayFromEveryPrefix } from '../../testing/replay-from-every-prefix.ts'
import type { CallOptions } from '../../tool/context.ts'
import { ToolError, type ToolErrorOptions } from '../../tool/errors/tool-error.ts'
import type { ToolEvent } from '../../tool/event.ts'
import { type JournalEntry, memoryJournal } from '../../tool/journal/journal.ts'
import { tool } from '../../tool/tool.ts'
import { retry } from '../retry/retry.ts'
import { breaker } from './breaker.ts'
import { memoryBreakers } from './memory-breakers.ts'

interface Service {
  /** How it fails; undefined while it is well. */
  trouble: ToolErrorOptions | undefined
  /** How long it takes. */
  ms: number
  calls: number
}

const DOWN: ToolErrorOptions = { class: 'transient' }

function rates(version = '1.0.0') {
  const service: Service = { trouble: DOWN, ms: 0, calls: 0 }
  const made = tool({
    name: 'rates',
    version,
    description: 'Tells exchange rates.',
    effect: 'read',
    execute: async (input: string, { clock }) => {
      service.calls++
      if (service.ms > 0) await new Promise<void>((resolve) => void clock.timer(service.ms, resolve))
      if (service.trouble !== undefined) throw new ToolError('Down.', service.trouble)
      return input
    },
  })
  return { tool: made, service }
}

type Called = {
  readonly call: (input: string, options: CallOptions) => Promise<{ readonly ok: boolean; readonly error?: { readonly code: string } }>
}

/** The codes of the failures, one call after the other; an empty text for a success. */
async function codesOf(called: Called, clock: FakeClock, times: number): Promise<string[]> {
  const codes: string[] = []
  for (let time = 0; time < times; time++) {
    const result = await clock.until(called.call('x', { clock }))
    codes.push(result.error?.code ?? '')
  }
  return codes
}

describe('a breaker around a tool', () => {
  test('is the same tool to everybody else, and says when it opens', () => {
    const { tool: made } = rates('1.2.0')
    const guarded = breaker(made)
    expect(guarded).toMatchObject({ name: 'rates', version: '1.2.0', effect: 'read' })
    expect(guarded.specification).toEqual(made.specification)
    expect(explain(guarded).root.layers).toEqual(['breaker: opens for 30 s when 50 % of at least 10 calls in 1 m 00 s fail'])
  })

  test('opens after its sample, says for how long, and tries one call after the cool-down [F2]', async () => {
    const { tool: made, service } = rates()
    const guarded = breaker(made)
    const clock = fakeClock()
    expect(await codesOf(guarded, clock, 12)).toEqual([...Array<string>(10).fill('tool_failed'), 'circuit_open', 'circuit_open'])
    expect(service.calls).toBe(10)
    await clock.advance(10_000)
    expect(await guarded.call('x', { clock })).toMatchObject({
      ok: false,
      error: { code: 'circuit_open', class: 'transient', retryable: true, outcome: 'not_started', retryAfterMs: 20_000 },
      text: "Error: Tool 'rates' has failed often, and is not called for another 20 s.",
    })
    await clock.advance(20_000)
    expect(await codesOf(guarded, clock, 2)).toEqual(['tool_failed', 'circuit_open'])
    service.trouble = undefined
    await clock.advance(30_000)
    expect(await codesOf(guarded, clock, 3)).toEqual(['', '', ''])
  })

  test.each<[string, ToolErrorOptions, boolean]>([
    ['a service that cannot be reached', { class: 'transient', outcome: 'not_started' }, true],
    ['a rate limit of the service', { class: 'rate_limited' }, true],
    ['a broken service', { class: 'server' }, true],
    ['a service that takes too long', { class: 'deadline', outcome: 'unknown' }, true],
    ['an input that the service refuses', { class: 'input_validation' }, false],
    ['a missing thing', { class: 'not_found' }, false],
    ['a wrong answer', { class: 'semantic' }, false],
    ['a denial', { class: 'authorization' }, false],
    ['a rejection', { class: 'rejected' }, false],
    ['a cancellation', { class: 'cancelled' }, false],
    ['a call that had no time to begin', { class: 'deadline', outcome: 'not_started' }, false],
    ['a limit before the service', { class: 'rate_limited', outcome: 'not_started' }, false],
    ['another breaker inside', { class: 'transient', code: 'circuit_open', outcome: 'not_started' }, false],
  ])('counts or does not count %s [F2]', async (_what, trouble, counts) => {
    const { tool: made, service } = rates()
    service.trouble = trouble
    const codes = await codesOf(breaker(made, { minCalls: 2 }), fakeClock(), 4)
    expect(codes.filter((code) => code === 'circuit_open' && trouble.code === undefined).length > 0).toBe(counts)
    expect(service.calls).toBe(counts ? 2 : 4)
  })

  test('tells listeners when it opens and when it closes [F2]', async () => {
    const { tool: made, service } = rates()
    const guarded = breaker(made, { minCalls: 2 })
    const clock = fakeClock()
    const heard: string[] = []
    const on = (event: ToolEvent): void => {
      if (event.type === 'metric.recorded') heard.push(`${event.name} ${event.value} ${event.attributes['tool']}`)
    }
    for (let call = 0; call < 3; call++) await clock.until(guarded.call('x', { clock, on }))
    expect(heard).toEqual(['tool_breaker_open 1 rates@1.0.0'])
    service.trouble = undefined
    await clock.advance(30_000)
    await clock.until(guarded.call('x', { clock, on }))
    expect(heard).toEqual(['tool_breaker_open 1 rates@1.0.0', 'tool_breaker_open 0 rates@1.0.0'])
  })

  test('belongs to the name and version of its tool, wherever it is used [F2]', async () => {
    const clock = fakeClock()
    const [one, same, other] = [rates(), rates(), rates('2.0.0')]
    expect(await codesOf(breaker(one.tool, { minCalls: 1 }), clock, 1)).toEqual(['tool_failed'])
    expect(await codesOf(breaker(same.tool, { minCalls: 1 }), clock, 1)).toEqual(['circuit_open'])
    expect(await codesOf(breaker(other.tool, { minCalls: 1 }), clock, 1)).toEqual(['tool_failed'])
    expect(await codesOf(breaker(same.tool, { minCalls: 3 }), clock, 1)).toEqual(['tool_failed'])
  })

  test('is kept in the store of the call, if it has one', async () => {
    const clock = fakeClock()
    const { tool: made, service } = rates()
    const guarded = breaker(made, { minCalls: 1 })
    const [here, there] = [{ breakers: memoryBreakers() }, { breakers: memoryBreakers() }]
    await guarded.call('x', { clock, stores: here })
    expect(await guarded.call('x', { clock, stores: here })).toMatchObject({ error: { code: 'circuit_open' } })
    expect(await guarded.call('x', { clock, stores: there })).toMatchObject({ error: { code: 'tool_failed' } })
    expect(service.calls).toBe(2)
  })

  test('learns nothing from the override of a test', async () => {
    const clock = fakeClock()
    const { tool: made, service } = rates()
    service.trouble = undefined
    const guarded = breaker(made, { minCalls: 1 })
    const overrides = {
      rates: () => {
        throw new ToolError('Down.', DOWN)
      },
    }
    expect(await guarded.call('x', { clock, overrides })).toMatchObject({ error: { code: 'tool_failed' } })
    expect(await guarded.call('x', { clock, overrides })).toMatchObject({ error: { code: 'circuit_open' } })
    expect(await guarded.call('x', { clock })).toMatchObject({ ok: true })
  })

  test('gives a dead service its sample, of a thousand callers that come at once [F2]', async () => {
    const { tool: made, service } = rates()
    service.ms = 50
    const guarded = breaker(made)
    const clock = fakeClock()
    const results = await clock.until(Promise.all(Array.from({ length: 1000 }, () => guarded.call('x', { clock }))))
    expect(service.calls).toBe(10)
    expect(results.filter((result) => !result.ok && result.error.code === 'circuit_open')).toHaveLength(990)
    expect(clock.pending()).toBe(0)
  })

  test('lets all of a thousand callers through to a service that is well', async () => {
    const { tool: made, service } = rates()
    service.ms = 50
    service.trouble = undefined
    const guarded = breaker(made)
    const clock = fakeClock()
    const start = clock.now()
    const results = await clock.until(Promise.all(Array.from({ length: 1000 }, () => guarded.call('x', { clock }))))
    expect(results.every(({ ok }) => ok)).toBe(true)
    expect(clock.now() - start).toBe(100)
  })

  test('never lets a call wait for itself, whatever is around what [F2]', async () => {
    const { tool: made, service } = rates()
    service.trouble = undefined
    const rules = { minCalls: 1 }
    const clock = fakeClock()
    const start = clock.now()
    const twice = breaker(retry(breaker(breaker(made, rules), rules)), rules)
    const results = await clock.until(Promise.all(Array.from({ length: 20 }, () => twice.call('x', { clock }))))
    expect([results.every(({ ok }) => ok), service.calls, clock.now() - start]).toEqual([true, 20, 0])
    // The one next to the tool has the state of every breaker of it.
    service.trouble = DOWN
    const later = fakeClock()
    await later.until(twice.call('x', { clock: later, deadline: '10ms' }))
    expect(await breaker(made, rules).call('x', { clock: later })).toMatchObject({ ok: false, error: { code: 'circuit_open' } })
  })

  test('lets nobody wait behind calls that never end', async () => {
    const { tool: made, service } = rates()
    service.ms = 10_000_000
    const guarded = breaker(made, { minCalls: 1 })
    const clock = fakeClock()
    void guarded.call('x', { clock, deadline: Infinity })
    await clock.advance(1000)
    service.ms = 0
    service.trouble = undefined
    const second = guarded.call('x', { clock, deadline: Infinity })
    await clock.advance(59_000)
    expect(service.calls).toBe(1)
    await clock.advance(1001)
    expect(await second).toMatchObject({ ok: true })
  })

  test('lets a caller who waits give up, and keeps no place for it', async () => {
    const { tool: made, service } = rates()
    service.ms = 100
    service.trouble = undefined
    const guarded = breaker(made, { minCalls: 1 })
    const clock = fakeClock()
    const caller = new AbortController()
    const [first, waiting, last] = [{}, { signal: caller.signal }, {}].map((more) => guarded.call('x', { clock, ...more }))
    await clock.advance(50)
    caller.abort()
    expect(await waiting).toMatchObject({ ok: false, error: { class: 'cancelled', outcome: 'not_started' } })
    expect(await clock.until(Promise.all([first, last]))).toMatchObject([{ ok: true }, { ok: true }])
    expect([service.calls, clock.pending()]).toEqual([2, 0])
  })

  test('gives the place of a cancelled trial to the next call [F2]', async () => {
    const { tool: made, service } = rates()
    const guarded = breaker(made, { minCalls: 1 })
    const clock = fakeClock()
    await codesOf(guarded, clock, 1)
    await clock.advance(30_000)
    service.ms = 5000
    service.trouble = undefined
    const caller = new AbortController()
    const trial = guarded.call('x', { clock, signal: caller.signal })
    await clock.advance(10)
    expect(await guarded.call('x', { clock })).toMatchObject({ error: { code: 'circuit_open' } })
    caller.abort()
    await trial
    expect(await clock.until(guarded.call('x', { clock }))).toMatchObject({ ok: true })
  })

  test('passes the input on as it was when the call began', async () => {
    const inputs: unknown[] = []
    const made = tool({
      name: 'keep',
      description: 'Keeps its input.',
      effect: 'read',
      inputSchema: { type: 'object', properties: { to: { type: 'string' } } } as const,
      execute: async (input, { clock }) => {
        inputs.push(input)
        await new Promise<void>((resolve) => void clock.timer(10, resolve))
        return 'kept'
      },
    })
    const guarded = breaker(made, { minCalls: 1 })
    const clock = fakeClock()
    const input = { to: 'ada' }
    const running = [guarded.call(input, { clock }), guarded.call(input, { clock })]
    input.to = 'changed'
    await clock.until(Promise.all(running))
    expect(inputs).toEqual([{ to: 'ada' }, { to: 'ada' }])
  })
})

describe('a breaker in a recorded run', () => {
  test('records what it said, and a resumed run follows that', async () => {
    const { tool: made, service } = rates()
    const guarded = breaker(made, { minCalls: 1 })
    const run = async (clock: FakeClock, past: readonly JournalEntry[]) => {
      const journal = memoryJournal(past)
      const result = await clock.until(guarded.call('x', { clock, journal, idempotencyKey: 'run' }))
      return { result, entries: journal.entries }
    }
    const clock = fakeClock()
    const went = await run(clock, [])
    expect(went.entries.map(({ path }) => path)).toEqual(['rates/.open', 'rates/guarded', 'rates/guarded'])
    const skipped = await run(clock, [])
    expect(skipped.result).toMatchObject({ error: { code: 'circuit_open', retryAfterMs: 30_000 } })
    service.trouble = undefined
    await clock.advance(40_000)
    expect((await run(clock, skipped.entries)).result).toMatchObject({ error: { code: 'circuit_open', retryAfterMs: 30_000 } })
    // Now it is open elsewhere, and the run that was let through goes on.
    const open = fakeClock()
    service.trouble = DOWN
    await codesOf(guarded, open, 1)
    service.trouble = undefined
    expect((await run(open, went.entries.slice(0, 1))).result).toMatchObject({ ok: true })
    expect((await codesOf(guarded, open, 1))[0]).toBe('circuit_open')
  })

  test('comes to the same end from every prefix of its journal', async () => {
    for (const trouble of [DOWN, undefined]) {
      const { tool: made, service } = rates()
      service.trouble = trouble
      expect((await replayFromEveryPrefix(breaker(made), 'x')).diverged).toEqual([])
    }
  })
})
