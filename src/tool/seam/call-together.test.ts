import { expect, test, describe } from 'vitest'
import { saga } from '../../combinators/saga/saga.ts'
import { fakeClock } from '../../testing/fake-clock.ts'
import { compound } from '../compound.ts'
import { memoryJournal } from '../journal/journal.ts'
import { tool } from '../tool.ts'
import { callTogether, type TogetherOptions } from './call-together.ts'

const timed = (name: string, ms: number, log: string[] = []) =>
  tool({
    name,
    description: 'Takes its time.',
    effect: 'write',
    idempotent: true,
    async execute(input: string, { clock }) {
      log.push(`${name} began`)
      await new Promise<void>((resolve) => void clock.timer(ms, resolve))
      if (input === 'fail') throw new Error(`${name} failed`)
      log.push(`${name} ended`)
      return `${name} ${input}`
    },
  })

const slow = timed('slow', 50)
const fast = timed('fast', 5)

const both = (options?: TogetherOptions<string>) =>
  compound({
    name: 'both',
    description: 'Calls two.',
    parts: { slow, fast },
    async run(input, context, parts) {
      const calls = { slow: { tool: parts.slow, input }, fast: { tool: parts.fast, input } }
      const { results, cancelled } = await callTogether(context, calls, options)
      return { results: Object.values(results).map(({ text }) => text), cancelled }
    },
  })

describe('calls side by side inside a compound', () => {
  test('each call has the time of the group at most, and a shorter one of its own', async () => {
    const clock = fakeClock()
    const result = await clock.until(both({ deadline: 20 }).call('x', { clock }))
    expect(result).toMatchObject({ value: { results: ["Error: The deadline passed: 'slow' was still running.", 'fast x'], cancelled: [] } })
    const recorded = await clock.until(both({ deadline: 20 }).call('x', { clock, journal: memoryJournal() }))
    expect(recorded).toMatchObject({ value: { results: ["Error: The deadline passed: 'slow' was still running.", 'fast x'] } })
    await expect(both({ deadline: 'soon' as never }).call('x')).rejects.toThrow("'deadline' of callTogether")
    const brief = tool({ name: 'brief', description: 'Hangs.', effect: 'read', deadline: 5, execute: () => new Promise<string>(() => {}) })
    const one = compound({
      name: 'one',
      description: 'Calls one.',
      parts: { brief },
      run: async (input, context, parts) =>
        (await callTogether(context, { brief: { tool: parts.brief, input } }, { deadline: '1h' })).results.brief ?? 'none',
    })
    const from = clock.now()
    await clock.until(one.call('x', { clock, deadline: '2h' }))
    expect(clock.now() - from).toBe(5)
  })

  test('all run to their end, and keep their order', async () => {
    const clock = fakeClock()
    const result = await clock.until(both().call('x', { clock }))
    expect(result).toMatchObject({ value: { results: ['slow x', 'fast x'], cancelled: [] } })
  })

  test('end when the rule says so, and the rest is cancelled', async () => {
    const clock = fakeClock()
    const result = await clock.until(both({ until: ({ ok }) => ok }).call('x', { clock }))
    expect(result).toMatchObject({ value: { results: ['fast x'], cancelled: ['slow'] } })
    expect(result.steps?.map(({ label }) => label)).toEqual(['fast'])
  })

  test('end when the time is up', async () => {
    const clock = fakeClock()
    const result = await clock.until(both({ after: '20ms' }).call('x', { clock }))
    expect(result).toMatchObject({ value: { results: ['fast x'], cancelled: ['slow'] } })
  })

  test('begin in their order, so many at a time', async () => {
    const clock = fakeClock()
    const log: string[] = []
    const a = timed('a', 10, log)
    const b = timed('b', 10, log)
    const inTurn = compound({
      name: 'in_turn',
      description: 'One after the other.',
      parts: { a, b },
      async run(input, context, parts) {
        await callTogether(context, { a: { tool: parts.a, input }, b: { tool: parts.b, input } }, { concurrency: 1 })
        return 'done'
      },
    })
    await clock.until(inTurn.call('x', { clock }))
    expect(log).toEqual(['a began', 'a ended', 'b began', 'b ended'])
  })

  test('come to the recorded end when the run is taken up, and begin nothing else', async () => {
    const clock = fakeClock()
    const journal = memoryJournal()
    const whole = both({ until: ({ ok }) => ok })
    const live = await clock.until(whole.call('x', { clock, journal, idempotencyKey: 'run' }))
    expect(journal.entries.filter(({ kind }) => kind === 'decision')).toEqual([
      { kind: 'decision', path: 'both/.ended.slow', value: { ended: ['fast'], cancelled: ['slow'] } },
    ])
    const later = fakeClock()
    const again = memoryJournal(journal.entries)
    const taken = await later.until(whole.call('x', { clock: later, journal: again, idempotencyKey: 'run' }))
    expect(taken.ok && taken.value).toEqual(live.ok && live.value)
    expect(again.entries).toHaveLength(journal.entries.length)
  })

  test('may happen several times in one compound, each with a record of its own', async () => {
    const clock = fakeClock()
    const journal = memoryJournal()
    const twice = compound({
      name: 'twice',
      description: 'Two rounds.',
      parts: { slow, fast },
      async run(input, context, parts) {
        const calls = { slow: { tool: parts.slow, input }, fast: { tool: parts.fast, input } }
        const one = await callTogether(context, calls, { until: ({ ok }) => ok })
        const two = await callTogether(context, calls, { until: (_latest, { succeeded }) => succeeded === 2 })
        return [Object.keys(one.results), Object.keys(two.results)]
      },
    })
    const live = await clock.until(twice.call('x', { clock, journal, idempotencyKey: 'run' }))
    expect(live.ok && live.value).toEqual([['fast'], ['slow', 'fast']])
    expect(journal.entries.filter(({ kind }) => kind === 'decision').map(({ path }) => path)).toEqual([
      'twice/.ended.slow',
      'twice/.ended.slow#2',
    ])
    const later = fakeClock()
    const taken = await later.until(twice.call('x', { clock: later, journal: memoryJournal(journal.entries), idempotencyKey: 'run' }))
    expect(taken.ok && taken.value).toEqual(live.ok && live.value)
  })

  test('a saga among the cancelled undoes its steps, and parts outside of the group are left alone', async () => {
    const clock = fakeClock()
    const log: string[] = []
    const note = (name: string) =>
      tool({ name, description: 'Notes.', effect: 'write', idempotent: true, execute: () => void log.push(name) })
    const careful = saga({ name: 'careful', description: 'Undoes.' })
      .step('book', note('book'), { compensate: { with: note('unbook'), class: 'reversible', input: () => 'x' } })
      .step('wait', slow)
      .build()
    const before = note('before')
    const whole = compound({
      name: 'whole',
      description: 'One step, then two side by side.',
      parts: { before, careful, fast },
      async run(input, context, parts) {
        await context.call('before', parts.before, input)
        const calls = { careful: { tool: parts.careful, input }, fast: { tool: parts.fast, input } }
        const { cancelled } = await callTogether(context, calls, { until: ({ ok }) => ok })
        return cancelled
      },
    })
    const result = await clock.until(whole.call('x', { clock, journal: memoryJournal(), idempotencyKey: 'run' }))
    expect(result.ok && result.value).toEqual(['careful'])
    expect(log).toEqual(['before', 'book', 'unbook'])
    expect(result.steps?.map(({ label }) => label)).toEqual(['before', 'fast'])
  })

  test('a rule that throws fails the compound, and the rest is cancelled', async () => {
    const clock = fakeClock()
    const broken = both({
      until: () => {
        throw new Error('no rule')
      },
    })
    const result = await clock.until(broken.call('x', { clock }))
    expect(result).toMatchObject({ ok: false, error: { code: 'adapter_failed', message: "'until' of callTogether failed: no rule" } })
  })

  test.each([
    ['a tool that is not among the parts', { other: { tool: timed('other', 1), input: 'x' } }, {}, 'undeclared_part'],
    ['a label with a leading dot', { '.ended': { tool: fast, input: 'x' } }, {}, 'invalid_label'],
    ['a call without a tool', { fast: { tool: undefined, input: 'x' } }, {}, 'not_a_tool'],
    ['no room for any', { fast: { tool: fast, input: 'x' } }, { concurrency: 0 }, 'invalid_option'],
    ['a rule that is no function', { fast: { tool: fast, input: 'x' } }, { until: true }, 'invalid_option'],
    ['a time that is none', { fast: { tool: fast, input: 'x' } }, { after: 'soon' }, 'invalid_option'],
  ])('refuse %s', async (_what, calls, options, code) => {
    const whole = compound({
      name: 'wrong',
      description: 'Wrong.',
      parts: { fast },
      run: async (_input, context) => void (await callTogether(context, calls as never, options as never)),
    })
    await expect(whole.call('x')).rejects.toMatchObject({ code })
  })

  test('need the context itself, not a copy', async () => {
    const whole = compound({
      name: 'copied',
      description: 'Copies its context.',
      parts: { fast },
      run: async (input, context, parts) => void (await callTogether({ ...context }, { fast: { tool: parts.fast, input } })),
    })
    await expect(whole.call('x')).rejects.toMatchObject({ code: 'invalid_option' })
  })

  test('a group that all calls ended by themselves stays so, also when the run is taken up after its time', async () => {
    const journal = memoryJournal()
    const clock = fakeClock()
    const whole = both({ after: '1m', until: (latest, { underWay }) => latest.ok && underWay > 1 })
    const live = await clock.until(whole.call('x', { clock, journal, idempotencyKey: 'run' }))
    expect(live.ok && live.value).toEqual({ results: ['slow x', 'fast x'], cancelled: [] })
    await clock.advance(120_000)
    const taken = await clock.until(whole.call('x', { clock, journal: memoryJournal(journal.entries), idempotencyKey: 'run' }))
    expect(taken.ok && taken.value).toEqual(live.ok && live.value)
  })

  test('two flows of one compound with labels of their own keep their records apart', async () => {
    const twoFlows = compound({
      name: 'two_flows',
      description: 'Two groups at once.',
      parts: { slow, fast },
      async run(input, context, parts) {
        const flow = async (name: string, wait: number): Promise<readonly string[]> => {
          await context.sleep(wait, `${name}_before`)
          const calls = { [`${name}_slow`]: { tool: parts.slow, input }, [`${name}_fast`]: { tool: parts.fast, input } }
          return Object.keys((await callTogether(context, calls, { until: ({ ok }) => ok })).results)
        }
        return Promise.all([flow('a', 20), flow('b', 1)])
      },
    })
    const journal = memoryJournal()
    const clock = fakeClock()
    const live = await clock.until(twoFlows.call('x', { clock, journal, idempotencyKey: 'run' }))
    expect(live.ok && live.value).toEqual([['a_fast'], ['b_fast']])
    const taken = await clock.until(twoFlows.call('x', { clock, journal: memoryJournal(journal.entries), idempotencyKey: 'run' }))
    expect(taken.ok && taken.value).toEqual(live.ok && live.value)
  })
})
