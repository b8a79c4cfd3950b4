import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { fakeClock, settled } from '../../testing/fake-clock.ts'
import { recordEvents } from '../../testing/record-events.ts'
import type { AgentTool } from '../../tool/agent-tool.ts'
import { compound } from '../../tool/compound.ts'
import { ConfigurationError } from '../../tool/errors/configuration-error.ts'
import { ExitEarly } from '../../tool/errors/exit-early.ts'
import { memoryJournal } from '../../tool/journal/journal.ts'
import type { ReviewHandler } from '../../tool/review.ts'
import { tool } from '../../tool/tool.ts'
import { gate } from '../gate/gate.ts'
import { map } from './map.ts'

const Item = z.object({ n: z.number(), note: z.string().optional() })
const double = tool({ name: 'double', description: 'Doubles.', inputSchema: Item, effect: 'read', execute: ({ n }) => n * 2 })
const items = (...numbers: readonly number[]) => numbers.map((n) => ({ n }))

/** Takes as many milliseconds as it is told, and fails where it is told 'fail'. */
interface Timed {
  readonly tool: AgentTool<string, string>
  readonly started: readonly string[]
  readonly aborted: readonly string[]
}

function timed(effect: 'read' | 'write' = 'read'): Timed {
  const started: string[] = []
  const aborted: string[] = []
  const leaf = tool({
    name: 'timed',
    description: 'Takes its time.',
    effect,
    idempotent: 'keyed',
    execute: async (text, { sleep, signal }) => {
      started.push(text)
      signal.addEventListener('abort', () => aborted.push(text))
      await sleep(Number.parseInt(text, 10))
      if (text.endsWith('fail')) throw new Error(`no ${text}`)
      return text
    },
  })
  return { tool: leaf, started, aborted }
}

describe('a failed item', () => {
  test('ends the list: it is named, the rest is cancelled, and no other item begins [C4]', async () => {
    const clock = fakeClock()
    const leaf = timed()
    const running = map(leaf.tool, { concurrency: 3 }).call(['50', '5', '20fail', '40', '1', '1'], { clock })
    const result = await clock.until(running)
    expect(clock.now() - fakeClock().now()).toBe(20)
    expect(result).toMatchObject({
      ok: false,
      error: { code: 'tool_failed', message: 'Item at index 2 failed: no 20fail', outcome: 'failed' },
    })
    expect(leaf.started).toEqual(['50', '5', '20fail', '40'])
    expect(leaf.aborted).toEqual(['50', '40'])
    expect(result.steps?.map(({ label, result: { ok } }) => `${label} ${ok}`)).toEqual(['1 true', '2 false'])
  })

  test('leaves the outcome unknown where an item that changes something was cancelled', async () => {
    const clock = fakeClock()
    const result = await clock.until(map(timed('write').tool).call(['50', '1fail'], { clock }))
    expect(result).toMatchObject({ ok: false, error: { outcome: 'unknown' } })
  })

  test('is one entry among others where failures are collected, and the result says how many [C4]', async () => {
    const clock = fakeClock()
    const leaf = timed()
    const result = await clock.until(map(leaf.tool, { concurrency: 2, onFailure: 'collect' }).call(['3', '1fail', '2'], { clock }))
    expect(result).toMatchObject({
      ok: true,
      value: [
        { ok: true, value: '3' },
        { ok: false, error: { code: 'tool_failed', class: 'semantic', message: 'no 1fail', retryable: false, outcome: 'failed' } },
        { ok: true, value: '2' },
      ],
      issues: [{ severity: 'warning', message: '1 of 3 items failed.' }],
    })
    expect((await map(double, { onFailure: 'collect' }).call(items(1))).issues).toBeUndefined()
  })

  test('withdraws the open requests of the others', async () => {
    const withdrawn: unknown[] = []
    const review: ReviewHandler = {
      review: ({ input }, { signal }) =>
        new Promise(() => {
          signal.addEventListener('abort', () => withdrawn.push(input))
        }),
    }
    const clock = fakeClock()
    const leaf = timed()
    const result = await clock.until(
      map(gate(leaf.tool, { approval: (text) => !text.endsWith('fail') })).call(['1', '5fail'], { clock, review }),
    )
    expect(result).toMatchObject({ error: { message: 'Item at index 1 failed: no 5fail' } })
    expect(withdrawn).toEqual(['1'])
    expect(leaf.started).toEqual(['5fail'])
  })

  test('of a kind that ends the run cancels the others, waits for them, and passes', async () => {
    const cleaned: string[] = []
    const make = (thrown: () => Error) => {
      const fatal = tool({
        name: 'fatal',
        description: 'd',
        effect: 'read',
        execute: async (text, { sleep }) => {
          await sleep(Number.parseInt(text, 10))
          if (text.endsWith('fatal')) throw thrown()
        },
      })
      return compound({
        name: 'tidy',
        description: 'd',
        parts: { fatal },
        run: async (text, context) => {
          const result = await context.call('fatal', fatal, text)
          if (!result.ok) cleaned.push(text)
          return result
        },
      })
    }
    for (const onFailure of ['fail', 'collect'] as const) {
      for (const thrown of [() => new ConfigurationError('missing_service', 'none'), () => new ExitEarly('x', 'enough')]) {
        const clock = fakeClock()
        const running = map(make(thrown), { onFailure, concurrency: 2 } as { onFailure: 'fail' }).call(['50', '10fatal', '1'], { clock })
        await expect(clock.until(running)).rejects.toThrow(/none|enough/)
        expect(clock.now() - fakeClock().now()).toBe(10)
      }
    }
    expect(cleaned).toEqual(['50', '50', '50', '50'])
  })
})

describe('the end of a map', () => {
  test('comes with its caller: everything under way is aborted within a tick, and nothing begins any more', async () => {
    for (const onFailure of ['fail', 'collect'] as const) {
      const clock = fakeClock()
      const leaf = timed()
      const controller = new AbortController()
      const options = { onFailure, concurrency: 2 } as { onFailure: 'fail' }
      const running = map(leaf.tool, options).call(['10', '20', '30', '40'], { clock, signal: controller.signal })
      await clock.advance(10)
      controller.abort()
      expect(leaf.aborted).toEqual(['20', '30'])
      expect(await running).toMatchObject({ ok: false, error: { code: 'cancelled' } })
      await clock.advance(1000)
      expect(leaf.started).toEqual(['10', '20', '30'])
    }
  })

  test('comes with its deadline, and the results until then are in its steps', async () => {
    for (const journal of [undefined, memoryJournal()]) {
      const clock = fakeClock()
      const result = await clock.until(map(timed().tool, { concurrency: 2 }).call(['10', '20', '30'], { clock, journal, deadline: 25 }))
      expect(result).toMatchObject({
        ok: false,
        error: { code: 'deadline_exceeded', message: "Item at index 2 failed: The deadline passed: 'timed' was still running." },
        steps: [
          { label: '0', result: { ok: true } },
          { label: '1', result: { ok: true } },
          { label: '2', result: { ok: false } },
        ],
      })
    }
  })

  test('keeps the deadline of a tool that has one, for each item', async () => {
    const slow = tool({
      name: 'slow',
      description: 'd',
      effect: 'read',
      deadline: 15,
      execute: async (ms, { sleep }) => (await sleep(Number(ms)), ms),
    })
    const clock = fakeClock()
    const result = await clock.until(map(slow, { onFailure: 'collect' }).call(['10', '20'], { clock }))
    expect(result).toMatchObject({ ok: true, value: [{ ok: true }, { ok: false, error: { code: 'deadline_exceeded' } }] })
  })

  test('leaves no timer, no listener and no unhandled rejection behind', async () => {
    const clock = fakeClock()
    const leaf = timed()
    const controller = new AbortController()
    await clock.until(
      map(leaf.tool, { concurrency: 100 }).call([...Array.from({ length: 50 }, () => '9'), '5fail'], { clock, signal: controller.signal }),
    )
    await settled()
    expect(leaf.aborted.length).toBe(50)
    expect(clock.pending()).toBe(0)
    await clock.until(map(leaf.tool).call(['1', '2'], { clock }))
    expect(leaf.aborted.length).toBe(50)
    expect(clock.pending()).toBe(0)
  })
})

describe('a recorded map', () => {
  test('records who ended it before the others are cancelled, and a replay begins nothing else', async () => {
    const journal = memoryJournal()
    const clock = fakeClock()
    const leaf = timed('write')
    const all = map(leaf.tool, { concurrency: 3 })
    const given = ['50', '5', '20fail', '40', '1', '1']
    await clock.until(all.call(given, { clock, journal, idempotencyKey: 'run' }))
    const decided = journal.entries.findIndex(({ kind }) => kind === 'decision')
    expect(journal.entries[decided]).toEqual({
      kind: 'decision',
      path: 'map_timed/.ended',
      value: { ended: ['1', '2'], cancelled: ['0', '3'] },
    })
    const before = leaf.started.length
    const later = fakeClock()
    const again = await later.until(
      all.call(given, { clock: later, journal: memoryJournal(journal.entries.slice(0, decided + 1)), idempotencyKey: 'run' }),
    )
    expect(again).toMatchObject({ ok: false, error: { message: 'Item at index 2 failed: no 20fail', outcome: 'unknown' } })
    expect(again.steps?.map(({ label }) => label)).toEqual(['1', '2'])
    expect(leaf.started.length).toBe(before)
  })

  test('lets an item that was under way undo what it did, after a crash too', async () => {
    const undone: string[] = []
    const charge = tool({ name: 'charge', description: 'd', effect: 'write', idempotent: 'keyed', execute: (text) => `charged ${text}` })
    const wait = timed()
    const careful = compound({
      name: 'careful',
      description: 'd',
      parts: { charge, wait: wait.tool },
      run: async (text, context) => {
        await context.call('charge', charge, text)
        const waited = await context.call('wait', wait.tool, text)
        if (!waited.ok && waited.error.class === 'cancelled') undone.push(text)
        return waited
      },
    })
    const journal = memoryJournal()
    const clock = fakeClock()
    await clock.until(map(careful).call(['50', '20fail'], { clock, journal }))
    expect(undone).toEqual(['50'])
    const decided = journal.entries.findIndex(({ kind }) => kind === 'decision')
    const later = fakeClock()
    await later.until(map(careful).call(['50', '20fail'], { clock: later, journal: memoryJournal(journal.entries.slice(0, decided + 1)) }))
    expect(undone).toEqual(['50', '50'])
  })

  test('refuses a record that does not fit', async () => {
    const journal = memoryJournal([{ kind: 'decision', path: 'map_double/.ended', value: { ended: ['0'], cancelled: [] } }])
    await expect(map(double).call(items(1), { journal })).rejects.toMatchObject({ code: 'replay_diverged' })
  })

  test('tells of each item by its own events', async () => {
    const recorder = recordEvents()
    await map(double, { concurrency: 1 }).call(items(1, 2), { on: recorder })
    expect(recorder.summary()).toEqual([
      'call.started map_double',
      'call.started map_double/0',
      'call.finished map_double/0',
      'call.started map_double/1',
      'call.finished map_double/1',
      'call.finished map_double',
    ])
  })
})
