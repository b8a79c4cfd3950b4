import { describe, expect, test } from 'vitest'
import { check } from '../../plan/check.ts'
import { explain } from '../../plan/explain.ts'
import { type FakeClock, fakeClock } from '../../testing/fake-clock.ts'
import { replayFromEveryPrefix } from '../../testing/replay-from-every-prefix.ts'
import type { CallOptions } from '../../tool/context.ts'
import { ToolError } from '../../tool/errors/tool-error.ts'
import { type JournalEntry, memoryJournal } from '../../tool/journal/journal.ts'
import type { Metadata } from '../../tool/metadata.ts'
import { tool } from '../../tool/tool.ts'
import { fallback } from '../fallback/fallback.ts'
import { gate } from '../gate/gate.ts'
import { map } from '../map/map.ts'
import { parallel } from '../parallel/parallel.ts'
import { limit } from './limit.ts'
import { memoryLimits } from './memory-limits.ts'

/** Takes its time, and remembers when its calls began and how many ran together. */
function worker({ ms = 0, costUsd, ...metadata }: Metadata & { readonly ms?: number; readonly costUsd?: number } = {}) {
  const log = { starts: [] as (readonly [input: string, at: number])[], underWay: 0, most: 0 }
  const made = tool({
    name: 'worker',
    description: 'Works.',
    effect: 'read',
    ...metadata,
    execute: async (input: string, { clock, usage }) => {
      log.starts.push([input, clock.now()])
      log.most = Math.max(log.most, ++log.underWay)
      if (ms > 0) await new Promise<void>((resolve) => void clock.timer(ms, resolve))
      if (costUsd !== undefined) usage({ costUsd })
      log.underWay--
      return input
    },
  })
  return { tool: made, log }
}

const times = (log: { readonly starts: readonly (readonly [string, number])[] }, since: number): number[] =>
  log.starts.map(([, at]) => at - since)

type Limited = { readonly call: (input: string, options: CallOptions) => Promise<{ readonly ok: boolean }> }

function callAll(limited: Limited, clock: FakeClock, inputs: readonly string[], more: CallOptions = {}) {
  return clock.until(Promise.all(inputs.map((input) => limited.call(input, { clock, ...more }))))
}

const of = (id: string): CallOptions => ({ principal: { id, permissions: [] } })

describe('a limited tool', () => {
  test('is the same tool to everybody else, and says what its limits are', () => {
    const { tool: made } = worker({ version: '1.2.0' })
    const limited = limit(made, { concurrency: 2, rate: { calls: 10, per: '1s' }, cost: { usd: 5, per: '1h' }, by: 'caller' })
    expect(limited).toMatchObject({ name: 'worker', version: '1.2.0', effect: 'read' })
    expect(explain(limited).root.layers).toEqual(['limit: 2 at a time, 10 calls in 1 s, 5 USD in 1 h 00 m for each caller'])
  })

  test('runs so many at a time, in the order in which they came [F5]', async () => {
    const { tool: made, log } = worker({ ms: 10 })
    const clock = fakeClock()
    const start = clock.now()
    await callAll(limit(made, { concurrency: 2 }), clock, ['a', 'b', 'c', 'd', 'e'])
    expect([log.most, times(log, start)]).toEqual([2, [0, 0, 10, 10, 20]])
    expect(log.starts.map(([input]) => input)).toEqual(['a', 'b', 'c', 'd', 'e'])
    expect(clock.pending()).toBe(0)
  })

  test('begins so many within any such time [F5]', async () => {
    const { tool: made, log } = worker()
    const clock = fakeClock()
    const start = clock.now()
    const limited = limit(made, { rate: { calls: 2, per: '1s' } })
    await callAll(limited, clock, ['a'])
    await clock.advance(400)
    await callAll(limited, clock, ['b', 'c', 'd'])
    expect(times(log, start)).toEqual([0, 400, 1000, 1400])
  })

  test('spends so much within any such time, by what calls really cost [F5]', async () => {
    const { tool: made, log } = worker({ costUsd: 0.4, estimates: { costUsd: 0.1 } })
    const clock = fakeClock()
    const start = clock.now()
    const limited = limit(made, { cost: { usd: 1, per: '10s' } })
    for (const input of ['a', 'b', 'c', 'd']) await callAll(limited, clock, [input])
    // The third begins by its estimate; then more is spent than the limit, and the fourth waits for all of it to be over.
    expect(times(log, start)).toEqual([0, 0, 0, 10_000])
  })

  test('lets callers take turns [F5]', async () => {
    const { tool: made, log } = worker({ ms: 10 })
    const limited = limit(made, { concurrency: 1 })
    const clock = fakeClock()
    const greedy = ['a1', 'a2', 'a3', 'a4', 'a5'].map((input) => limited.call(input, { clock, ...of('a') }))
    const modest = ['b1', 'b2'].map((input) => limited.call(input, { clock, ...of('b') }))
    await clock.until(Promise.all([...greedy, ...modest]))
    expect(log.starts.map(([input]) => input)).toEqual(['a1', 'a2', 'b1', 'a3', 'b2', 'a4', 'a5'])
  })

  test('limits each caller by itself, or all of them together', async () => {
    for (const [by, expected] of [['caller', [0, 0, 1000]] as const, ['tool', [0, 1000, 2000]] as const]) {
      const { tool: made, log } = worker()
      const limited = limit(made, { rate: { calls: 1, per: '1s' }, by })
      const clock = fakeClock()
      const start = clock.now()
      await clock.until(Promise.all([of('a'), of('b'), of('a')].map((more) => limited.call('x', { clock, ...more }))))
      expect(times(log, start)).toEqual(expected)
    }
  })

  test('fails at once with the time to retry when the turn would come too late [F5]', async () => {
    const { tool: made, log } = worker()
    const limited = limit(made, { rate: { calls: 1, per: '1m' } })
    const clock = fakeClock()
    await limited.call('a', { clock })
    await clock.advance(20_000)
    expect(await limited.call('b', { clock, deadline: '30s' })).toMatchObject({
      ok: false,
      text: "Error: Tool 'worker' has reached its limit for another 40 s.",
      error: { code: 'rate_limited', class: 'rate_limited', retryable: true, outcome: 'not_started', retryAfterMs: 40_000 },
    })
    expect([log.starts.length, clock.pending()]).toEqual([1, 0])
    expect(await clock.until(limited.call('c', { clock, deadline: '50s' }))).toMatchObject({ ok: true })
  })

  test('counts those before it in line', async () => {
    const { tool: made } = worker()
    const limited = limit(made, { rate: { calls: 1, per: '10s' } })
    const clock = fakeClock()
    const before = ['a', 'b', 'c'].map((input) => limited.call(input, { clock }))
    expect(await limited.call('d', { clock, deadline: '25s' })).toMatchObject({ ok: false, error: { retryAfterMs: 30_000 } })
    expect(await limited.call('other caller', { clock, deadline: '15s', ...of('x') })).toMatchObject({
      ok: false,
      error: { retryAfterMs: 20_000 },
    })
    await clock.until(Promise.all(before))
  })

  test('does not wait if it should not', async () => {
    const { tool: made } = worker({ ms: 100, estimates: { latencyMs: 80 } })
    const clock = fakeClock()
    const limited = limit(made, { concurrency: 1, wait: false })
    const first = limited.call('a', { clock })
    expect(await limited.call('b', { clock })).toMatchObject({ ok: false, error: { code: 'rate_limited', retryAfterMs: 80 } })
    await clock.until(first)
    expect(await clock.until(limited.call('c', { clock }))).toMatchObject({ ok: true })
  })

  test('ends at its deadline when no place gets free', async () => {
    const { tool: made, log } = worker({ ms: 60_000 })
    const clock = fakeClock()
    const limited = limit(made, { concurrency: 1 })
    const first = limited.call('a', { clock, deadline: '2m' })
    const start = clock.now()
    expect(await clock.until(limited.call('b', { clock, deadline: '5s' }))).toMatchObject({
      ok: false,
      error: { code: 'deadline_exceeded', outcome: 'not_started' },
    })
    expect(clock.now() - start).toBe(5000)
    await clock.until(first)
    expect(log.starts).toHaveLength(1)
  })

  test('leaves the line when its caller gives up, and keeps no place', async () => {
    const { tool: made, log } = worker({ ms: 10 })
    const clock = fakeClock()
    const limited = limit(made, { concurrency: 1 })
    const caller = new AbortController()
    const [first, gone, last] = [{}, { signal: caller.signal }, {}].map((more) => limited.call('x', { clock, ...more }))
    await clock.advance(5)
    caller.abort()
    expect(await gone).toMatchObject({ ok: false, error: { class: 'cancelled', outcome: 'not_started' } })
    await clock.until(Promise.all([first, last]))
    expect([log.starts.length, clock.pending()]).toEqual([2, 0])
  })

  test('gives the place of a call back, however it ends', async () => {
    const clock = fakeClock()
    let calls = 0
    const made = tool({
      name: 'worker',
      description: 'Fails.',
      effect: 'read',
      execute: async (input: string) => {
        if (++calls < 4) throw new Error('No.')
        return input
      },
    })
    const limited = limit(made, { concurrency: 1 })
    const results = await callAll(limited, clock, ['a', 'b', 'c', 'd'])
    expect(results.map(({ ok }) => ok)).toEqual([false, false, false, true])
  })

  test('shares its limits by the name and version of the tool, in the store of the call', async () => {
    const clock = fakeClock()
    const [one, same] = [worker(), worker()]
    const rate = { calls: 1, per: '1h' } as const
    const stores = { limits: memoryLimits() }
    await limit(one.tool, { rate }).call('x', { clock })
    expect(await limit(same.tool, { rate }).call('x', { clock })).toMatchObject({ ok: false })
    expect(await limit(same.tool, { rate }).call('x', { clock, stores })).toMatchObject({ ok: true })
    expect(await limit(same.tool, { rate }).call('x', { clock, overrides: { worker: () => 'y' } })).toMatchObject({ ok: true })
    expect(await limit(worker({ version: '2.0.0' }).tool, { rate }).call('x', { clock })).toMatchObject({ ok: true })
  })

  test('never lets a call wait for itself, whatever is around what [F5]', async () => {
    const { tool: made, log } = worker({ ms: 10 })
    const clock = fakeClock()
    const start = clock.now()
    const one = { concurrency: 1 }
    await callAll(limit(gate(limit(made, one), { approval: () => false }), one), clock, ['a', 'b', 'c'])
    expect([log.most, times(log, start)]).toEqual([1, [0, 10, 20]])
    const rate = { calls: 2, per: '1h' } as const
    const results = await callAll(limit(limit(made, { rate }), { rate }), clock, ['a', 'b'])
    expect(results.map(({ ok }) => ok)).toEqual([true, true])
    expect(await limit(made, { rate }).call('x', { clock })).toMatchObject({ ok: false, error: { code: 'rate_limited' } })
  })

  test('remembers callers only as long as they matter', async () => {
    const limited = limit(worker().tool, { rate: { calls: 1, per: '1s' }, by: 'caller' })
    const clock = fakeClock()
    for (let caller = 0; caller < 3000; caller++) {
      await clock.advance(1)
      expect((await limited.call('x', { clock, ...of(`caller ${caller}`) })).ok).toBe(true)
    }
    expect(await limited.call('x', { clock, deadline: 1, ...of('caller 2999') })).toMatchObject({ ok: false })
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
    const clock = fakeClock()
    const limited = limit(made, { concurrency: 1 })
    const input = { to: 'ada' }
    const running = [limited.call(input, { clock }), limited.call(input, { clock })]
    input.to = 'changed'
    await clock.until(Promise.all(running))
    expect(inputs).toEqual([{ to: 'ada' }, { to: 'ada' }])
  })

  test('is told of by check when a map calls more at a time [C5]', () => {
    const codes = (concurrency: number): string[] =>
      check(map(limit(worker().tool, { concurrency: 2 }), { concurrency })).flatMap(({ code, severity }) =>
        code === 'limited_concurrency' ? [severity] : [],
      )
    expect([codes(3), codes(2)]).toEqual([['note'], []])
  })

  test('is told of by check when parallel branches call the same tool more at a time [C5]', () => {
    const limited = limit(worker().tool, { concurrency: 1 })
    const other = worker({ version: '2.0.0' }).tool
    const messages = (findings: ReturnType<typeof check>): string[] =>
      findings.flatMap(({ code, message }) => (code === 'limited_concurrency' ? [message] : []))
    const twice = { first: limited, second: limited }
    expect(messages(check(parallel(twice)))).toEqual([expect.stringContaining('2 at a time, and a limit lets 1 through')])
    expect(messages(check(parallel(twice, { concurrency: 1 })))).toEqual([])
    expect(messages(check(parallel({ first: limited, second: other })))).toEqual([])
  })
})

describe('a limit in a recorded run', () => {
  test('sleeps through a long wait, and asks again', async () => {
    const { tool: made } = worker()
    const limited = limit(made, { rate: { calls: 1, per: '10s' } })
    const clock = fakeClock()
    await limited.call('a', { clock })
    const journal = memoryJournal()
    expect(await clock.until(limited.call('b', { clock, journal }))).toMatchObject({ ok: true })
    expect([...new Set(journal.entries.map(({ kind, path }) => `${kind} ${path}`))]).toEqual([
      'decision worker/.turn',
      'sleep worker/.wait',
      'decision worker/.turn#2',
      'call worker/limited',
    ])
  })

  test('waits for a place and sleeps in between', async () => {
    const { tool: made, log } = worker({ ms: 20_000 })
    const limited = limit(made, { concurrency: 1 })
    const clock = fakeClock()
    const start = clock.now()
    const first = limited.call('a', { clock })
    const journal = memoryJournal()
    expect(await clock.until(limited.call('b', { clock, journal, deadline: '2m' }))).toMatchObject({ ok: true })
    await first
    expect(log.starts.map(([, at]) => at - start)).toEqual([0, 23_000 + 1000])
    expect(journal.entries.filter(({ kind }) => kind === 'sleep').length).toBeGreaterThan(2)
  })

  test('follows what it was told before', async () => {
    const { tool: made, log } = worker()
    const limited = limit(made, { rate: { calls: 1, per: '1h' } })
    const clock = fakeClock()
    const first = memoryJournal()
    await clock.until(limited.call('a', { clock, journal: first, idempotencyKey: 'one' }))
    const second = memoryJournal()
    expect(await clock.until(limited.call('b', { clock, journal: second, idempotencyKey: 'two' }))).toMatchObject({ ok: false })
    await clock.advance(3_600_000)
    const again = await clock.until(limited.call('b', { clock, journal: memoryJournal(second.entries), idempotencyKey: 'two' }))
    expect(again).toMatchObject({ ok: false, error: { code: 'rate_limited', retryAfterMs: 3_600_000 } })
    await limited.call('c', { clock })
    const resumed = memoryJournal(first.entries.slice(0, 1))
    expect(await clock.until(limited.call('a', { clock, journal: resumed, idempotencyKey: 'one' }))).toMatchObject({ ok: true })
    expect(log.starts.map(([input]) => input)).toEqual(['a', 'c', 'a'])
  })

  test('gives back the place of a run that leaves its process, and takes it again with the run', async () => {
    const { tool: made, log } = worker({ ms: 1000 })
    const limited = limit(made, { concurrency: 1 })
    const clock = fakeClock()
    const leavers = new Set<() => void>()
    const durable = (past?: readonly JournalEntry[]) => ({
      ...memoryJournal(past),
      durable: true,
      onLeave: (callback: () => void) => {
        leavers.add(callback)
        return () => leavers.delete(callback)
      },
    })
    const journal = durable()
    void limited.call('a', { clock, journal, deadline: Infinity, idempotencyKey: 'run' })
    await clock.advance(1)
    const second = limited.call('b', { clock, deadline: Infinity })
    await clock.advance(1)
    expect(log.starts.map(([input]) => input)).toEqual(['a'])
    const left = [...journal.entries]
    for (const leave of leavers) leave()
    leavers.clear()
    await clock.advance(1)
    expect(log.starts.map(([input]) => input)).toEqual(['a', 'b'])
    await clock.advance(1000)
    expect((await second).ok).toBe(true)
    // Another segment goes on with it, and others wait for its place.
    void limited.call('a', { clock, journal: durable(left), deadline: Infinity, idempotencyKey: 'run' })
    await clock.advance(1)
    void limited.call('c', { clock, deadline: Infinity })
    await clock.advance(1)
    expect(log.starts.map(([input]) => input)).toEqual(['a', 'b', 'a'])
    await clock.advance(1000)
    expect(log.starts.map(([input]) => input)).toEqual(['a', 'b', 'a', 'c'])
  })

  test('takes no turn for a call that was cut off before the run was resumed', async () => {
    const starts: string[] = []
    const made = tool({
      name: 'worker',
      description: 'Works.',
      execute: async (input: string, { sleep }) => {
        starts.push(input)
        await sleep(5)
        if (input === 'fails') throw new ToolError('No.', { code: 'refused' })
        return input
      },
    })
    const limited = limit(made, { rate: { calls: 1, per: '10s' } })
    const rest = tool({ name: 'rest', description: 'Rests.', execute: (_item: string, { sleep }) => sleep('1m').then(() => 'rested') })
    const run = fallback({ name: 'settle', description: 'Settles.' }, [map(limited), map(rest)])
    const clock = fakeClock()
    const begin = (past?: readonly JournalEntry[]) => {
      const journal = { ...memoryJournal(past), durable: true }
      void run.call(['fails', 'waits'], { clock, journal, deadline: Infinity, idempotencyKey: 'run' })
      return journal
    }
    const { entries } = begin()
    await clock.advance(100)
    const left = [...entries]
    await clock.advance(20_000)
    begin(left)
    await clock.advance(1)
    void limited.call('next', { clock })
    await clock.advance(1)
    expect(starts).toEqual(['fails', 'next'])
  })

  test('gives up the place of a durable run that left its process inside the tool, if nobody told', async () => {
    const { tool: made, log } = worker({ ms: 10_000_000 })
    const limited = limit(made, { concurrency: 1 })
    const clock = fakeClock()
    void limited.call('a', { clock, journal: { ...memoryJournal(), durable: true }, deadline: Infinity })
    await clock.advance(1)
    void limited.call('b', { clock, deadline: Infinity })
    await clock.advance(299_000)
    expect(log.starts).toHaveLength(1)
    await clock.advance(1000)
    expect(log.starts).toHaveLength(2)
  })

  test('comes to the same end from every prefix of its journal', async () => {
    expect((await replayFromEveryPrefix(limit(worker().tool, { concurrency: 1, rate: { calls: 1, per: '5s' } }), 'x')).diverged).toEqual([])
  })
})
