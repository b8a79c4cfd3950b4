import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fakeClock } from '../../testing/fake-clock.ts'
import { comparable, replayFromEveryPrefix, type RunEnd } from '../../testing/replay-from-every-prefix.ts'
import { runInSegments } from '../../testing/run-in-segments.ts'
import type { AgentTool } from '../../tool/agent-tool.ts'
import { compound } from '../../tool/compound.ts'
import type { ToolResult } from '../../tool/result/result.ts'
import type { ReviewDecision, ReviewRequest } from '../../tool/review.ts'
import { tool } from '../../tool/tool.ts'
import { gate } from '../gate/gate.ts'
import { map } from './map.ts'

const SCHEMA = {
  type: 'object',
  properties: {
    ms: { type: 'number' },
    ok: { type: 'boolean' },
    gate: { type: 'string', enum: ['none', 'approved', 'edited', 'rejected'] },
    sleepMs: { type: 'number' },
  },
  required: ['ms', 'ok', 'gate', 'sleepMs'],
} as const

interface Item {
  readonly ms: number
  readonly ok: boolean
  readonly gate: 'none' | 'approved' | 'edited' | 'rejected'
  readonly sleepMs: number
}

const item: fc.Arbitrary<Item> = fc.record({
  ms: fc.integer({ min: 0, max: 9 }),
  ok: fc.boolean(),
  gate: fc.constantFrom('none', 'none', 'approved', 'edited', 'rejected'),
  sleepMs: fc.integer({ min: 0, max: 5 }),
})
/** No two end at the same time: which came first would be for the clock to say. */
const list = fc.array(item, { maxLength: 7 }).map((items) => items.map((each, index) => ({ ...each, ms: each.ms * 10 + index })))
const concurrency = fc.integer({ min: 1, max: 8 })

const step = tool({
  name: 'step',
  description: 'Takes its time.',
  inputSchema: SCHEMA,
  effect: 'write',
  idempotent: 'keyed',
  execute: async ({ ms, ok }, { sleep }) => {
    await sleep(ms)
    if (!ok) throw new Error(`no ${ms}`)
    return ms
  },
})
const gated = gate(step, { approval: (input) => input.gate !== 'none' })
const slept: AgentTool<Item, number> = compound({
  name: 'slept',
  description: 'Sleeps in the record, then asks, then works.',
  inputSchema: SCHEMA,
  parts: { gated },
  run: async (input, context) => {
    await context.sleep(input.sleepMs)
    return context.call('gated', gated, input)
  },
})

function decide({ input }: ReviewRequest): ReviewDecision {
  const { gate: wanted, ms } = input as Item
  if (wanted === 'rejected') return { action: 'reject' }
  return wanted === 'edited' ? { action: 'edit', patch: { ms: ms + 100 } } : { action: 'continue' }
}

const options = () => ({ review: { review: decide } })
const succeeds = ({ ok, gate: wanted }: Item): boolean => ok && wanted !== 'rejected'
const valueOf = ({ ms, gate: wanted }: Item): number => (wanted === 'edited' ? ms + 100 : ms)

function resultOf(end: RunEnd): ToolResult {
  if ('rejected' in end) throw end.rejected
  return end.result
}

function run<O>(whole: AgentTool<readonly Item[], O>, items: readonly Item[]): Promise<ToolResult<O>> {
  const clock = fakeClock()
  return clock.until(whole.call(items, { clock, ...options() }))
}

describe('a map', () => {
  test('gives what each item gives in the order of the items, however they interleave [C4]', async () => {
    await fc.assert(
      fc.asyncProperty(list, concurrency, async (items, many) => {
        const good = items.filter(succeeds)
        const result = await run(map(slept, { concurrency: many }), good)
        expect(result).toMatchObject({ ok: true, value: good.map(valueOf) })
      }),
    )
  })

  test('fails exactly when an item fails, and names one that does [C4]', async () => {
    await fc.assert(
      fc.asyncProperty(list, concurrency, async (items, many) => {
        const result = await run(map(slept, { concurrency: many }), items)
        expect(result.ok).toBe(items.every(succeeds))
        if (result.ok) return
        const index = Number(/^Item at index (\d+) failed/.exec(result.error.message)?.[1])
        expect(items[index] === undefined ? true : succeeds(items[index])).toBe(false)
      }),
    )
  })

  test('collects one entry for each item, in order, whatever becomes of the others [C4]', async () => {
    await fc.assert(
      fc.asyncProperty(list, concurrency, async (items, many) => {
        const result = await run(map(slept, { concurrency: many, onFailure: 'collect' }), items)
        expect(result.ok && result.value.map((entry) => (entry.ok ? entry.value : 'failed'))).toEqual(
          items.map((each) => (succeeds(each) ? valueOf(each) : 'failed')),
        )
      }),
    )
  })
})

describe('a recorded map', () => {
  test(
    'comes to the same end from every prefix of its journal where no item is cancelled, gates included [C4]',
    { timeout: 110_000 },
    async () => {
      await fc.assert(
        fc.asyncProperty(list, concurrency, fc.boolean(), async (items, many, collects) => {
          const whole: AgentTool<readonly Item[]> = collects
            ? map(slept, { concurrency: many, onFailure: 'collect' })
            : map(slept, { concurrency: many })
          const { diverged } = await replayFromEveryPrefix(whole, collects ? items : items.filter(succeeds), { options })
          expect(diverged).toEqual([])
        }),
        { numRuns: 100 },
      )
    },
  )

  test('comes to the same end from every prefix where a failure cancels items of one step [C4]', { timeout: 110_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(list, async (items) => {
        const { diverged } = await replayFromEveryPrefix(map(gated), items, { options })
        expect(diverged).toEqual([])
      }),
      { numRuns: 100 },
    )
  })

  /** Before it is recorded who failed first, that depends on time alone, and a replay takes only the time of what is left. */
  test(
    'comes to the same end from every prefix that holds who failed first, whatever the items are made of [C4]',
    { timeout: 110_000 },
    async () => {
      await fc.assert(
        fc.asyncProperty(list, concurrency, async (items, many) => {
          const { diverged, entries, live } = await replayFromEveryPrefix(map(slept, { concurrency: many }), items, { options })
          const decided = entries.findIndex(({ path }) => path === 'map_slept/.ended')
          expect(diverged.filter(({ prefix }) => prefix > decided)).toEqual([])
          for (const { end } of diverged) expect(resultOf(end).ok).toBe(resultOf(live).ok)
        }),
        { numRuns: 100 },
      )
    },
  )

  test('parked at its gates and taken up again, comes to the end of a run that waited [C4]', { timeout: 110_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(list, concurrency, fc.nat(5), async (items, many, choice) => {
        const whole = map(slept, { concurrency: many, onFailure: 'collect' })
        const live = await run(whole, items)
        const parked = await runInSegments(whole, items, { decide, pick: (open) => open[choice % open.length] })
        expect(comparable(resultOf(parked.end))).toEqual(comparable(live))
        const good = items.filter(succeeds)
        const strict = await runInSegments(map(slept, { concurrency: many }), good, { decide, pick: (open) => open[choice % open.length] })
        expect(resultOf(strict.end)).toMatchObject({ ok: true, value: good.map(valueOf) })
      }),
      { numRuns: 60 },
    )
  })

  test('parked at its gates fails where a run that waited fails [C4]', { timeout: 110_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(list, concurrency, fc.nat(5), async (items, many, choice) => {
        const parked = await runInSegments(map(slept, { concurrency: many }), items, { decide, pick: (open) => open[choice % open.length] })
        expect(resultOf(parked.end).ok).toBe(items.every(succeeds))
      }),
      { numRuns: 60 },
    )
  })
})
