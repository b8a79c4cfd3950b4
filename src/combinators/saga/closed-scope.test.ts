import { describe, expect, test } from 'vitest'
import { ENDED, park, type Parked, takeUp } from '../../../test/fixtures/saga/parked-run.ts'
import { fakeClock } from '../../testing/fake-clock.ts'
import type { AgentTool } from '../../tool/agent-tool.ts'
import { compound } from '../../tool/compound.ts'
import { type JournalEntry, memoryJournal } from '../../tool/journal/journal.ts'
import { callTogether, type TogetherOptions } from '../../tool/seam/call-together.ts'
import { tool } from '../../tool/tool.ts'
import { gate } from '../gate/gate.ts'
import { loop } from '../loop/loop.ts'
import { map } from '../map/map.ts'
import { first, partial } from '../parallel/join.ts'
import { parallel } from '../parallel/parallel.ts'
import { ToolPipeline } from '../pipe/tool-pipeline.ts'
import { saga } from './saga.ts'

/** Effects and their undoing, by the paths of the steps. */
function world() {
  const effects: string[] = []
  const leaf = (name: string, what: string): AgentTool<string, string> =>
    tool({
      name,
      description: 'Takes effect.',
      effect: 'write',
      idempotent: 'keyed',
      execute: (_input, { path }) => {
        const step = path.replace(/\/undo\.act$/, '/act')
        if (!effects.includes(`${what} ${step}`)) effects.push(`${what} ${step}`)
        return 'x'
      },
    })
  const look = tool({ name: 'look', description: 'Reads.', effect: 'read', execute: () => 'x' })
  const [act, undo] = [leaf('act', 'do'), leaf('undo', 'undo')]
  const careful = (name = 'careful'): AgentTool<string, string> =>
    saga({ name, description: 'Acts, then asks.' })
      .step('act', act, { compensate: { with: undo, class: 'reversible', input: () => 'x' } })
      .step('asked', gate(look), { input: () => 'x' })
      .build({ output: () => 'x' })
  const asking = (): AgentTool<string, string> =>
    saga({ name: 'asking', description: 'Asks.' })
      .step('asked', gate(look), { input: () => 'x' })
      .build({ output: () => 'x' })
  const plain = (): AgentTool<string, string> =>
    saga({ name: 'plain', description: 'Acts.' })
      .step('act', act, { compensate: { with: undo, class: 'reversible', input: () => 'x' } })
      .build({ output: () => 'x' })
  const standing = (): readonly string[] =>
    effects.flatMap((each) => (each.startsWith('do ') && !effects.includes(`un${each}`) ? [each.slice(3)] : []))
  return { careful, asking, plain, act, look, effects, standing }
}

type World = ReturnType<typeof world>

const begin = (look: World['look']): AgentTool<string, readonly string[]> =>
  ToolPipeline.builder()
    .name('begin')
    .description('d')
    .step(look)
    .adapter(() => ['x', 'x'])
    .step(map(look, { name: 'listed' }))
    .build()

const pure = (name: string): AgentTool<string, string> => compound({ name, description: 'd', parts: {}, run: async () => 'x' })

/** Ways in which sagas that wait for a person lie inside of others. */
const shapes: Readonly<Record<string, (w: World) => AgentTool<string, unknown>>> = {
  'a saga': ({ careful }) => careful(),
  'a map of sagas': ({ careful, look }) =>
    ToolPipeline.builder()
      .name('whole')
      .description('d')
      .step(look)
      .adapter(() => ['x', 'x'])
      .step(map(careful()))
      .build(),
  'a map of sagas, one at a time': ({ careful, look }) =>
    ToolPipeline.builder()
      .name('whole')
      .description('d')
      .step(look)
      .adapter(() => ['x', 'x'])
      .step(map(careful(), { concurrency: 1 }))
      .build(),
  'a map that collects, of sagas': ({ careful, look }) =>
    ToolPipeline.builder()
      .name('whole')
      .description('d')
      .step(look)
      .adapter(() => ['x', 'x'])
      .step(map(careful(), { onFailure: 'collect' }))
      .build(),
  'a map, then a saga': ({ careful, look }) =>
    ToolPipeline.builder()
      .name('whole')
      .description('d')
      .step(begin(look))
      .adapter(() => 'x')
      .step(careful())
      .build(),
  'a sleep, then a saga': ({ careful }) => {
    const inner = careful()
    return compound({
      name: 'whole',
      description: 'd',
      parts: { inner },
      run: async (_input, context) => {
        await context.sleep(50)
        return context.call('inner', inner, 'x')
      },
    })
  },
  'a pure compound, then a saga': ({ careful }) =>
    ToolPipeline.builder().name('whole').description('d').step(pure('pure')).step(careful()).build(),
  'a loop of a saga': ({ careful }) => loop(careful(), { until: () => true, maxTurns: 3 }),
  'two flows of a compound': ({ careful, look }) => {
    const [one, two] = [careful('one'), careful('two')]
    return compound({
      name: 'whole',
      description: 'd',
      parts: { one, two, look },
      run: async (_input, context) =>
        Promise.all([
          context.call('look', look, 'x').then(() => context.call('one', one, 'x')),
          context.sleep(10).then(() => context.call('two', two, 'x')),
        ]),
    })
  },
  'a first of sagas': ({ careful }) => parallel({ one: careful('one'), two: careful('two') }, { name: 'whole', join: first() }),
  'a partial in a partial': ({ careful, look }) =>
    parallel(
      { inner: parallel({ one: careful('one'), look }, { name: 'inner', join: partial({ after: 1000 }) }), other: careful('two') },
      { name: 'whole', join: partial({ after: 2000 }) },
    ),
  'a saga in a saga': ({ careful }) =>
    saga({ name: 'whole', description: 'd' })
      .step('inner', careful(), { input: () => 'x' })
      .build({ output: () => 'x' }),
}

const cases = Object.entries(shapes).flatMap(([name, shape]) => Object.keys(ENDED).map((how) => [name, how, shape] as const))

describe('a run that waits for a person', () => {
  test.each(cases)('in %s, taken up when it is %s, reaches its sagas and undoes what they did [G1] [G5]', async (_name, how, shape) => {
    const w = world()
    const whole = shape(w)
    const parked = await park(whole)
    expect(w.standing().length).toBeGreaterThan(0)
    await takeUp(whole, parked, ENDED[how] ?? {})
    expect(w.standing()).toEqual([])
  })

  test.each(cases)('in %s, taken up when it is %s and killed at any point, undoes what they did [G1] [G5]', async (_name, how, shape) => {
    const w = world()
    const whole = shape(w)
    const parked = await park(whole)
    const entries = await takeUp(whole, parked, ENDED[how] ?? {})
    const before = parked.entries.length
    for (let cut = before; cut <= entries.length; cut++) {
      // What was undone after the cut is undone again: a new world has the effects that were recorded by then, and no undoing.
      const again = world()
      const rebuilt = shape(again)
      const now = await park(rebuilt)
      await takeUp(rebuilt, { ...now, entries: entries.slice(0, cut) }, ENDED[how] ?? {})
      const undone = entries
        .slice(0, cut)
        .flatMap((entry) =>
          entry.kind === 'call' && entry.path.endsWith('/undo.act') && entry.result !== undefined
            ? [entry.path.replace('/undo.act', '/act')]
            : [],
        )
      expect(again.standing().filter((path) => !undone.includes(path))).toEqual([])
    }
  })
})

describe('a group in a step of a saga', () => {
  /** Fails with a part that has failed, not for one that was cancelled. */
  function together({ plain, asking }: World, options: TogetherOptions<string>): AgentTool<string, unknown> {
    const parts = { plain: plain(), asking: asking() }
    return compound({
      name: 'together',
      description: 'd',
      parts,
      run: async (input: string, context) => {
        const calls = { plain: { tool: parts.plain, input }, asking: { tool: parts.asking, input } }
        const { results } = await callTogether<typeof parts>(context, calls, options)
        return [results.plain, results.asking].find((result) => result?.ok === false) ?? 'x'
      },
    })
  }

  test.each(Object.keys(ENDED))('that has not ended, taken up %s, comes to the same end at the next resume [G1] [G5]', async (how) => {
    const shape = (w: World): AgentTool<string, unknown> =>
      saga({ name: 'whole', description: 'd' })
        .step('group', together(w, { after: 1000 }), { input: () => 'x' })
        .step('look', w.look, { input: () => 'x' })
        .build({ output: () => 'x' })
    const w = world()
    const whole = shape(w)
    const parked = await park(whole)
    // The part that is cut off records its undoing, and ends later than the part that gives back its result.
    const entries = await takeUp(whole, { ...parked, writeMs: 1 }, ENDED[how] ?? {})
    expect(w.standing()).toEqual([])
    for (let cut = parked.entries.length; cut <= entries.length; cut++)
      await takeUp(shape(world()), { ...parked, entries: entries.slice(0, cut), writeMs: 1 }, ENDED[how] ?? {})
  })
})

describe('a run that a person stopped', () => {
  /** The stop comes when the saga has just recorded that it completed, and before that has been heard of. */
  async function stopped(whole: AgentTool<string, unknown>): Promise<Parked> {
    const clock = fakeClock()
    const journal = memoryJournal()
    const stop = Promise.withResolvers<{ readonly action: 'stop' }>()
    const write = async (entry: JournalEntry): Promise<void> => {
      await journal.write(entry)
      if (entry.kind !== 'decision' || !JSON.stringify(entry.value).includes('"completed"')) return
      stop.resolve({ action: 'stop' })
      await new Promise<void>((resolve) => void clock.timer(10, resolve))
    }
    const options = {
      journal: { ...journal, write },
      clock,
      idempotencyKey: 'run',
      deadline: Infinity,
      review: { review: () => stop.promise },
    }
    await expect(clock.until(whole.call('x', options))).rejects.toThrow('A reviewer stopped the run')
    return { entries: [...journal.entries], now: clock.now() }
  }

  const race = ({ plain, look }: World): AgentTool<string, unknown> =>
    parallel({ asked: gate(look), done: plain() }, { name: 'whole', join: first() })

  test.each(Object.keys(ENDED))('leaves a completed saga of a race as it is, also when it is taken up %s [G1] [G5]', async (how) => {
    const w = world()
    const { entries, now } = await stopped(race(w))
    expect(w.effects).toEqual(['do whole/done/act'])
    const from = entries.findIndex(({ path }) => path.endsWith(':stopped')) + 1
    expect(from).toBeGreaterThan(0)
    for (let cut = from; cut <= entries.length; cut++) {
      const again = world()
      const taken = takeUp(race(again), { entries: entries.slice(0, cut), now }, ENDED[how] ?? {})
      await expect(taken, `${cut} of ${entries.length} entries`).rejects.toThrow('A reviewer stopped the run')
      expect(again.effects).toEqual([])
    }
  })

  test('in a branch that has just lost comes too late, wherever the run is taken up [G1] [C3]', async () => {
    const w = world()
    const clock = fakeClock()
    const journal = memoryJournal()
    const stop = Promise.withResolvers<{ readonly action: 'stop' }>()
    const pause = (ms: number): Promise<void> => new Promise((resolve) => void clock.timer(ms, resolve))
    const write = async (entry: JournalEntry): Promise<void> => {
      const isWon = entry.kind === 'call' && entry.path === 'whole/raced/act' && entry.result !== undefined
      if (isWon) stop.resolve({ action: 'stop' })
      // The race is over while it is being recorded that the stop came in time.
      if (isWon) await pause(5)
      else if (entry.path.endsWith(':stopped')) await pause(10)
      await journal.write(entry)
    }
    const whole = saga({ name: 'whole', description: 'd' })
      .step('raced', parallel({ act: w.act, asked: w.asking() }, { name: 'raced', join: first() }), { input: () => 'x' })
      .build({ output: () => 'x' })
    const options = { clock, idempotencyKey: 'run', deadline: Infinity }
    const live = await clock.until(whole.call('x', { ...options, journal: { ...journal, write }, review: { review: () => stop.promise } }))
    const from = journal.entries.findIndex(({ path }) => path.endsWith(':stopped')) + 1
    expect([live.ok, from > 0]).toEqual([true, true])
    const review = { review: () => new Promise<never>(() => {}) }
    for (let cut = from; cut <= journal.entries.length; cut++) {
      const again = memoryJournal(journal.entries.slice(0, cut))
      const result = await clock.until(whole.call('x', { ...options, journal: again, review }))
      expect([cut, result.ok]).toEqual([cut, true])
    }
  })
})
