import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fakeClock } from '../../testing/fake-clock.ts'
import { replayFromEveryPrefix, type RunEnd } from '../../testing/replay-from-every-prefix.ts'
import { runInSegments } from '../../testing/run-in-segments.ts'
import type { AgentTool } from '../../tool/agent-tool.ts'
import { compound } from '../../tool/compound.ts'
import type { ReviewDecision } from '../../tool/review.ts'
import { tool } from '../../tool/tool.ts'
import { gate } from '../gate/gate.ts'
import { cache } from './cache.ts'

interface Ask {
  readonly input: string
  readonly who: string
  readonly may: readonly string[]
  readonly afterMs: number
}

const ask: fc.Arbitrary<Ask> = fc.record({
  input: fc.constantFrom('a', 'b', 'c'),
  who: fc.constantFrom('ann', 'bob'),
  may: fc.constantFrom(['read'], ['read', 'write']),
  afterMs: fc.integer({ min: 0, max: 60 }),
})

describe('a cache', () => {
  test('gives only what was made for the same input, principal and permissions, less than its ttl ago [C4]', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(ask, { maxLength: 30 }), fc.integer({ min: 1, max: 4 }), async (asks, maxEntries) => {
        const clock = fakeClock(0)
        const made = tool({
          name: 'made',
          description: 'Says for whom, with what and when it was made.',
          effect: 'read',
          execute: (input, { principal }) => ({ input, principal, at: clock.now() }),
        })
        const cached = cache(made, { ttl: 100, maxEntries })
        for (const { input, who, may, afterMs } of asks) {
          await clock.advance(afterMs)
          const principal = { id: who, permissions: may }
          const result = await cached.call(input, { clock, principal })
          if (!result.ok) throw new Error(result.text)
          expect(result.value).toMatchObject({ input, principal })
          expect(clock.now() - result.value.at).toBeLessThan(100)
          expect(result.issues !== undefined || result.value.at === clock.now()).toBe(true)
        }
      }),
    )
  })

  test('gives what a cache without a bound and without time would give: it only saves calls [C4]', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(ask, { maxLength: 20 }), async (asks) => {
        const clock = fakeClock(0)
        let calls = 0
        const pure = tool({
          name: 'pure',
          description: 'd',
          effect: 'read',
          execute: (input, { principal }) => (calls++, `${input} ${principal?.id}`),
        })
        const cached = cache(pure, { ttl: Infinity })
        for (const { input, who, may } of asks) {
          const principal = { id: who, permissions: may }
          expect((await cached.call(input, { clock, principal })).text).toBe(`${input} ${who}`)
        }
        expect(calls).toBe(new Set(asks.map(({ input, who, may }) => `${input} ${who} ${may.length}`)).size)
      }),
    )
  })
})

/** Looks several things up, some twice, with sleeps that outlast the ttl. */
interface Course {
  readonly inputs: readonly string[]
  readonly sleepMs: number
  readonly gated: boolean
  readonly fails: string
  readonly action: 'continue' | 'edit' | 'reject'
}

const course: fc.Arbitrary<Course> = fc.record({
  inputs: fc.array(fc.constantFrom('a', 'b'), { minLength: 1, maxLength: 5 }),
  sleepMs: fc.constantFrom(0, 30, 200),
  gated: fc.boolean(),
  fails: fc.constantFrom('a', 'none'),
  action: fc.constantFrom('continue', 'edit', 'reject'),
})

/** The tool and its cache are made once: what earlier runs have left in it must make no difference to a replay. */
function wholeOf({ inputs, sleepMs, gated, fails }: Course): AgentTool<string, string> {
  const look = tool({
    name: 'look',
    description: 'Looks.',
    effect: 'read',
    execute: (input) => {
      if (input === fails) throw new Error(`no ${input}`)
      return `seen ${input}`
    },
  })
  const cached = cache(gated ? gate(look) : look, { ttl: 100 })
  return compound({
    name: 'whole',
    description: 'd',
    parts: { cached },
    run: async (_input, context) => {
      const texts: string[] = []
      for (const input of inputs) {
        texts.push((await context.call('look', cached, input)).text)
        await context.sleep(sleepMs)
      }
      return texts.join()
    },
  })
}

const decideBy = (action: Course['action']) => (): ReviewDecision => (action === 'edit' ? { action, input: 'edited' } : { action })

function textOf(end: RunEnd): string {
  if ('rejected' in end) throw end.rejected
  return end.result.text
}

describe('a recorded run through a cache', () => {
  test('comes to the same end from every prefix of its journal, gates included [C4]', { timeout: 110_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(course, async (given) => {
        const options = () => ({ review: { review: decideBy(given.action) } })
        const { live, entries, diverged } = await replayFromEveryPrefix(wholeOf(given), 'x', { options })
        // Whether something is kept is for the store to say until it is recorded; what is given does not depend on it.
        const recorded = entries.findLastIndex(({ kind }) => kind === 'decision')
        expect(diverged.filter(({ prefix }) => prefix > recorded)).toEqual([])
        for (const { end } of diverged) expect(textOf(end)).toBe(textOf(live))
      }),
      { numRuns: 100 },
    )
  })

  test('parked at its gates and taken up again, comes to the end of a run that waited [C4]', { timeout: 110_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(course, async (given) => {
        const decide = decideBy(given.action)
        const { live } = await replayFromEveryPrefix(wholeOf(given), 'x', { options: () => ({ review: { review: decide } }) })
        const parked = await runInSegments(wholeOf(given), 'x', { decide })
        expect(textOf(parked.end)).toBe(textOf(live))
      }),
      { numRuns: 100 },
    )
  })
})
