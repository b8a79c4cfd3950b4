import { describe, expect, test } from 'vitest'
import { gate } from '../combinators/gate/gate.ts'
import { compound } from '../tool/compound.ts'
import { tool } from '../tool/tool.ts'
import { detectLostContext } from './detect-lost-context.ts'
import { fakeClock } from './fake-clock.ts'
import { replayFromEveryPrefix } from './replay-from-every-prefix.ts'
import { runInSegments } from './run-in-segments.ts'
import { scriptedTool } from './scripted-tool.ts'

const echo = tool({ name: 'echo', description: 'Says it again.', effect: 'read', execute: (input) => input })

describe('the fake clock', () => {
  test('fires timers in order of time, then of making, and only when it is moved', async () => {
    const clock = fakeClock(0)
    const fired: string[] = []
    clock.timer(20, () => fired.push('late'))
    clock.timer(10, () => clock.timer(5, () => fired.push(`nested at ${clock.now()}`)))
    clock.timer(10, () => fired.push('second'))
    const cancel = clock.timer(1, () => fired.push('never'))
    cancel()
    await clock.advance(19)
    expect(fired).toEqual(['second', 'nested at 15'])
    expect(clock.pending()).toBe(1)
    await clock.advance(1)
    expect(fired.at(-1)).toBe('late')
  })

  test('says so when a promise waits for something else', async () => {
    await expect(fakeClock().until(new Promise(() => {}))).rejects.toThrow('no timer')
  })
})

describe('the replay harness', () => {
  test('finds a combinator that reads the world without decide', async () => {
    let n = 0
    const unstable = compound({
      name: 'unstable',
      description: 'd',
      parts: { echo },
      run: (_input, context) => context.call('echo', echo, `run ${++n}`),
    })
    const { diverged } = await replayFromEveryPrefix(unstable, 'x')
    expect(diverged.length).toBeGreaterThan(0)
    expect(diverged.some(({ end }) => 'rejected' in end && end.rejected.message.includes('context.decide'))).toBe(true)
  })

  test('finds one that depends on what ends first', async () => {
    const naps = { slow: '50', fast: '10' }
    const nap = tool({ name: 'nap', description: 'd', effect: 'read', execute: async (ms, { sleep }) => (await sleep(Number(ms)), ms) })
    const racy = compound({
      name: 'racy',
      description: 'd',
      parts: { nap },
      run: async (_input, context) => {
        const both = [context.call('slow', nap, naps.slow), context.call('fast', nap, naps.fast)]
        const first = await Promise.race(both)
        await Promise.all(both)
        return first
      },
    })
    expect((await replayFromEveryPrefix(racy, 'x')).diverged.length).toBeGreaterThan(0)
  })

  test('passes one that keeps the rules, and counts its entries', async () => {
    const good = compound({
      name: 'good',
      description: 'd',
      parts: { echo },
      run: async (input, context) => context.call('echo', echo, await context.decide('what', () => input)),
    })
    const report = await replayFromEveryPrefix(good, 'x')
    expect(report.diverged).toEqual([])
    expect(report.entries.map(({ kind, path }) => `${kind} ${path}`)).toEqual(['decision good/what', 'call good/echo', 'call good/echo'])
  })

  test('begins every run at the same moment, so that a step that runs again ends when it did', async () => {
    const seen: number[] = []
    const nap = tool({ name: 'nap', description: 'd', effect: 'read', execute: async (ms, { sleep }) => (await sleep(Number(ms)), ms) })
    const timed = compound({
      name: 'timed',
      description: 'd',
      parts: { nap },
      run: async (_input, context) => {
        const long = context.call('long', nap, '40')
        await context.sleep(30)
        await long
        seen.push(context.clock.now() - 1_700_000_000_000)
        return 'done'
      },
    })
    expect((await replayFromEveryPrefix(timed, 'x')).diverged).toEqual([])
    expect(seen).toEqual([40, 40, 40, 40, 30])
  })

  test('runs in segments, one more for every gate', async () => {
    const gated = gate(echo)
    const two = compound({
      name: 'two',
      description: 'd',
      parts: { gated },
      run: async (_input, context) => {
        const [a, b] = await Promise.all([context.call('a', gated, 'a'), context.call('b', gated, 'b')])
        await context.sleep('1h')
        return a.text + b.text
      },
    })
    const run = await runInSegments(two, 'x', {
      decide: () => ({ action: 'continue' }),
      pick: (open) => open.at(-1),
      options: { deadline: '2h' },
    })
    expect(run.end).toMatchObject({ result: { ok: true, value: 'ab' } })
    expect(run.segments).toBe(3)
  })

  test('says so when a run waits for something that can never be recorded', async () => {
    const stuck = compound({ name: 'stuck', description: 'd', parts: {}, run: () => new Promise<string>(() => {}) })
    await expect(runInSegments(stuck, 'x', { decide: () => ({ action: 'continue' }) })).resolves.toMatchObject({
      end: { result: { ok: false, error: { code: 'deadline_exceeded' } } },
    })
  })
})

describe('lost context', () => {
  test('is found where a tool calls another without its context [T9]', async () => {
    const good = tool({ name: 'good', description: 'd', execute: (input, context) => context.call('echo', echo, input) })
    const bad = tool({ name: 'bad', description: 'd', execute: async (input) => (await echo.call(input)).text })
    const detector = detectLostContext()
    await good.call('x', { on: detector.observer })
    expect(detector.lost).toEqual([])
    await bad.call('x', { on: detector.observer })
    expect(detector.lost).toEqual([{ tool: 'echo', inside: 'bad' }])
    detector.stop()
    await bad.call('x', { on: detector.observer })
    expect(detector.lost.length).toBe(1)
  })
})

describe('a scripted tool', () => {
  test('answers in order, the last answer for ever, and remembers its inputs', async () => {
    const flaky = scriptedTool({ name: 'flaky', effect: 'read', answers: [{ error: new Error('busy') }, { value: 1 }, { value: 2 }] })
    const results = []
    for (const input of ['a', 'b', 'c', 'd']) results.push((await flaky.tool.call(input)).text)
    expect(results).toEqual(['Error: busy', '1', '2', '2'])
    expect(flaky.inputs).toEqual(['a', 'b', 'c', 'd'])
  })
})
