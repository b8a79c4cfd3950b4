import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { comparable, replayFromEveryPrefix, type RunEnd } from '../../testing/replay-from-every-prefix.ts'
import { runInSegments } from '../../testing/run-in-segments.ts'
import type { AgentTool } from '../../tool/agent-tool.ts'
import { compound } from '../../tool/compound.ts'
import type { ReviewDecision, ReviewRequest } from '../../tool/review.ts'
import { tool } from '../../tool/tool.ts'
import { gate } from '../gate/gate.ts'
import { loop } from './loop.ts'

/** Counts up by what each turn is told; fails at a number, and a person stands before another. */
interface Course {
  readonly stopAt: number
  readonly maxTurns: number
  readonly failAt: number
  readonly gate: ReviewDecision['action']
  readonly whenExhausted: 'fail' | 'last'
  readonly sleepMs: number
}

const course: fc.Arbitrary<Course> = fc.record({
  stopAt: fc.integer({ min: 1, max: 9 }),
  maxTurns: fc.integer({ min: 1, max: 8 }),
  failAt: fc.integer({ min: 1, max: 20 }),
  gate: fc.constantFrom('continue', 'edit', 'reject', 'stop'),
  whenExhausted: fc.constantFrom('fail', 'last'),
  sleepMs: fc.integer({ min: 0, max: 5 }),
})

function wholeOf({ stopAt, maxTurns, failAt, whenExhausted, sleepMs }: Course): AgentTool<number, number> {
  const count = tool({
    name: 'count',
    description: 'Counts one up.',
    inputSchema: { type: 'number' },
    effect: 'write',
    idempotent: 'keyed',
    execute: async (n, { sleep }) => {
      await sleep(1)
      if (n + 1 === failAt) throw new Error(`no ${failAt}`)
      return n + 1
    },
  })
  const gated = gate(count, { approval: (n) => n % 3 === 2 })
  const turn = compound({
    name: 'one',
    description: 'Sleeps in the record, then counts.',
    inputSchema: { type: 'number' },
    parts: { gated },
    run: async (n, context) => {
      await context.sleep(sleepMs)
      return context.call('count', gated, n)
    },
  })
  return loop(turn as AgentTool<number, number>, { until: (n) => n >= stopAt, maxTurns, whenExhausted })
}

const decideBy =
  (action: Course['gate']) =>
  ({ input }: ReviewRequest): ReviewDecision => {
    if (action === 'edit') return { action, input: (input as number) + 1 }
    return action === 'answer' ? { action: 'continue' } : { action }
  }

function comparableEnd(end: RunEnd): unknown {
  return 'rejected' in end ? end.rejected.message : comparable(end.result)
}

describe('a loop', () => {
  test('takes as many turns as it needs and never more than it may [C4]', async () => {
    await fc.assert(
      fc.asyncProperty(course, async ({ stopAt, maxTurns, whenExhausted }) => {
        const up = tool({ name: 'up', description: 'd', inputSchema: { type: 'number' }, effect: 'read', execute: (n) => n + 1 })
        const result = await loop(up, { until: (n) => n >= stopAt, maxTurns, whenExhausted }).call(0)
        const turns = Math.min(stopAt, maxTurns)
        expect(result.steps?.length).toBe(turns)
        const gives = stopAt <= maxTurns || whenExhausted === 'last'
        expect(result).toMatchObject(gives ? { ok: true, value: turns } : { ok: false, error: { code: 'loop_exhausted' } })
        expect(result.issues?.length ?? 0).toBe(result.ok && stopAt > maxTurns ? 1 : 0)
      }),
    )
  })

  test('comes to the same end from every prefix of its journal, gates included [C4]', { timeout: 110_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(course, async (given) => {
        const options = () => ({ review: { review: decideBy(given.gate) } })
        const { diverged } = await replayFromEveryPrefix(wholeOf(given), 0, { options })
        expect(diverged).toEqual([])
      }),
      { numRuns: 100 },
    )
  })

  test('parked at its gates and taken up again, comes to the end of a run that waited [C4]', { timeout: 110_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(course, async (given) => {
        const decide = decideBy(given.gate)
        const { live } = await replayFromEveryPrefix(wholeOf(given), 0, { options: () => ({ review: { review: decide } }) })
        const parked = await runInSegments(wholeOf(given), 0, { decide })
        expect(comparableEnd(parked.end)).toEqual(comparableEnd(live))
      }),
      { numRuns: 100 },
    )
  })
})
