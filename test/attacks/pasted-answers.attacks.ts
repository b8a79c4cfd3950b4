import { PassThrough } from 'node:stream'
import { compound, consoleReview, jsonSchema, tool } from 'toolwright'
import { fakeClock, settled } from 'toolwright/testing'
import { expect } from 'vitest'
import { z } from 'zod'
import type { Attack } from './attack.ts'

/** Longer than the terminal is listened to before a prompt. */
const A_WHILE = 100

/** Lines that decide nothing; a person had another text in the clipboard. */
const FIRST: readonly string[] = [
  '',
  '   ',
  'Dear all,',
  'yes, but',
  'y n',
  'edit {',
  'e {"amount": "much"}',
  'e = 5',
  '{',
  '\u001B[B',
  '\u202Ey',
  'y\u200B',
  'ｙ',
  '\u0443',
  'x'.repeat(5000),
]

/** Lines behind it that would decide. */
const THEN: readonly (readonly string[])[] = [
  ['y'],
  ['yes'],
  ['c'],
  ['continue'],
  ['', 'y'],
  ['e {}'],
  ['e', '{"amount": 2}'],
  ['e = {"amount": 3}'],
]

type Call = (review: ReturnType<typeof consoleReview>, clock: ReturnType<typeof fakeClock>) => Promise<unknown>

/** A person at a terminal gives lines. Each arrives by itself, as terminals pass them on; pasted ones arrive at once. */
async function give(lines: readonly string[], how: 'pasted' | 'typed', call: Call): Promise<unknown> {
  const clock = fakeClock()
  const input = Object.assign(new PassThrough(), { isTTY: true })
  const output = new PassThrough()
  output.resume()
  const over = call(consoleReview({ input, output }), clock)
  const wait = async (): Promise<void> => {
    await settled()
    await clock.advance(A_WHILE)
    await settled()
  }
  await wait()
  for (const line of lines) {
    input.write(`${line}\n`)
    await (how === 'pasted' ? settled() : wait())
  }
  await wait()
  input.end()
  await wait()
  return over
}

/** How often a tool runs whose person gives these lines. */
export async function runsAfter(lines: readonly string[], how: 'pasted' | 'typed'): Promise<number> {
  let runs = 0
  const inputSchema = z.object({ amount: z.number() })
  const pays = tool({ name: 'pays', description: 'd', inputSchema, requireApproval: true, execute: () => ++runs })
  await give(lines, how, (review, clock) => pays.call({ amount: 1 }, { review, clock }))
  return runs
}

/** The answer of a person who gives these lines. */
export async function answerAfter(lines: readonly string[], how: 'pasted' | 'typed'): Promise<unknown> {
  let answer: unknown
  const asks = compound({
    name: 'asks',
    description: 'd',
    parts: {},
    run: async (_input, context) => {
      answer = await context.ask({ question: 'Do it?', answerSchema: jsonSchema<boolean>({ type: 'boolean' }) })
      return 'x'
    },
  })
  await give(lines, how, (review, clock) => asks.call('x', { review, clock }))
  return answer
}

export const PASTED_ANSWERS_ATTACKS: readonly Attack[] = [
  ...FIRST.flatMap((first) =>
    THEN.map((then): Attack => ({
      name: `${JSON.stringify([first.slice(0, 20), ...then])} is pasted where a decision is asked for`,
      before: 'fell',
      attempt: async () => {
        expect(await runsAfter([first, ...then], 'pasted')).toBe(0)
      },
    })),
  ),
  ...['', '{', 'Dear all,', '5', '[1,'].flatMap((first) =>
    [['true'], ['', 'true'], ['{', 'true']].map((then): Attack => ({
      name: `${JSON.stringify([first, ...then])} is pasted where an answer is asked for`,
      before: 'fell',
      attempt: async () => {
        expect(await answerAfter([first, ...then], 'pasted')).toBeUndefined()
      },
    })),
  ),
]
