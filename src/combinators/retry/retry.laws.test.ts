import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fakeClock } from '../../testing/fake-clock.ts'
import { comparable, replayFromEveryPrefix } from '../../testing/replay-from-every-prefix.ts'
import type { ErrorClass } from '../../tool/errors/error-codes.ts'
import { type Outcome, ToolError } from '../../tool/errors/tool-error.ts'
import { memoryJournal } from '../../tool/journal/journal.ts'
import { tool } from '../../tool/tool.ts'
import { retry } from './retry.ts'

interface Answer {
  readonly class: ErrorClass | undefined
  readonly outcome: Outcome
  readonly retryAfterMs: number | undefined
  readonly ms: number
}

const CLASSES: readonly (ErrorClass | undefined)[] = [
  undefined,
  'transient',
  'transient',
  'rate_limited',
  'server',
  'not_found',
  'deadline',
  'rejected',
]

const script = fc.array(
  fc.record<Answer>({
    class: fc.constantFrom(...CLASSES),
    outcome: fc.constantFrom('failed', 'failed', 'unknown', 'not_started'),
    retryAfterMs: fc.option(fc.constantFrom(0, 50, 8000, 70_000), { nil: undefined }),
    ms: fc.constantFrom(0, 1, 30),
  }),
  { minLength: 1, maxLength: 6 },
)

/** Its attempt decides about its answer, as in a service that heals: the same in every run. */
function scripted(answers: readonly Answer[], isSafe: boolean) {
  const calls: string[] = []
  const made = tool({
    name: 'scripted',
    description: 'Answers by a script.',
    effect: 'write',
    idempotent: isSafe ? 'keyed' : false,
    execute: async (input: string, { path, clock, idempotencyKey }) => {
      calls.push(idempotencyKey)
      const answer = answers[Number(/@(\d+)$/.exec(path)?.[1] ?? 1) - 1] ?? answers.at(-1)
      if (answer === undefined) return input
      if (answer.ms > 0) await new Promise<void>((resolve) => void clock.timer(answer.ms, resolve))
      if (answer.class !== undefined)
        throw new ToolError('No.', { class: answer.class, outcome: answer.outcome, retryAfterMs: answer.retryAfterMs })
      return input
    },
  })
  return { tool: made, calls }
}

const RETRYABLE = new Set<ErrorClass | undefined>(['transient', 'rate_limited', 'server'])

/** The number of calls that the rules allow, if the deadline is no matter. */
function allowedCalls(answers: readonly Answer[], attempts: number, isSafe: boolean): number {
  for (let call = 1; call < attempts; call++) {
    const answer = answers[call - 1] ?? answers.at(-1)
    if (answer === undefined || !RETRYABLE.has(answer.class) || (answer.outcome === 'unknown' && !isSafe)) return call
  }
  return attempts
}

const programs = fc.record({ answers: script, attempts: fc.integer({ min: 1, max: 5 }), isSafe: fc.boolean() })

describe('retry', () => {
  test('calls as often as the failures allow, under one key [H1] [H2]', async () => {
    await fc.assert(
      fc.asyncProperty(programs, fc.boolean(), async ({ answers, attempts, isSafe }, isRecorded) => {
        const { tool: made, calls } = scripted(answers, isSafe)
        const clock = fakeClock()
        const options = { clock, deadline: Infinity, ...(isRecorded ? { journal: memoryJournal() } : {}) }
        const result = await clock.until(retry(made, { attempts }).call('x', options))
        const expected = allowedCalls(answers, attempts, isSafe)
        expect(calls).toHaveLength(expected)
        expect(new Set(calls).size).toBe(1)
        expect(result.attempts?.length ?? 1).toBe(expected)
      }),
      { numRuns: 60 },
    )
  })

  test('with one attempt is the tool itself', async () => {
    await fc.assert(
      fc.asyncProperty(script, async (answers) => {
        const [once, plain] = [scripted(answers, true).tool, scripted(answers, true).tool]
        const ends = [retry(once, { attempts: 1 }), plain].map(async (each) => {
          const clock = fakeClock()
          return comparable(await clock.until(each.call('x', { clock })))
        })
        expect(await ends[0]).toEqual(await ends[1])
      }),
      { numRuns: 40 },
    )
  })

  test('never ends later than its deadline, and waits for no attempt that it cannot make [H2]', async () => {
    await fc.assert(
      fc.asyncProperty(programs, fc.integer({ min: 1, max: 9000 }), async ({ answers, attempts }, deadline) => {
        const clock = fakeClock()
        const start = clock.now()
        const result = await clock.until(retry(scripted(answers, true).tool, { attempts }).call('x', { clock, deadline }))
        expect(clock.now() - start).toBeLessThanOrEqual(deadline)
        if (!result.ok && result.error.hint.startsWith('No time was left')) expect(result.error.retryAfterMs).toBeDefined()
      }),
      { numRuns: 60 },
    )
  })

  test('comes to the same end from every prefix of its journal, also where a deadline leaves no time', async () => {
    await fc.assert(
      fc.asyncProperty(programs, fc.constantFrom(700, 9000, 60_000), async ({ answers, attempts }, deadline) => {
        // After a crash nobody knows any more that a step had not begun its work.
        const steady = answers.map(
          (each) => ({ ...each, ms: 0, outcome: each.outcome === 'not_started' ? 'failed' : each.outcome }) as const,
        )
        const options = () => ({ deadline, random: () => 0.5 })
        expect((await replayFromEveryPrefix(retry(scripted(steady, true).tool, { attempts }), 'x', { options })).diverged).toEqual([])
      }),
      { numRuns: 25 },
    )
  })
})
