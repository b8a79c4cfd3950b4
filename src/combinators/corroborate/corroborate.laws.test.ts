import fc from 'fast-check'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { replayFromEveryPrefix } from '../../testing/replay-from-every-prefix.ts'
import { recordingReview } from '../../testing/recording-review.ts'
import { memoryJournal } from '../../tool/journal/journal.ts'
import { byPerson } from '../../tool/seam/by-person.ts'
import { tool } from '../../tool/tool.ts'
import { corroborate } from './corroborate.ts'
import { type ArbiterQuestion, byAuthority, byFreshness, byMajority } from './resolution.ts'

const judge = tool({
  ...{ name: 'judge', description: 'd', effect: 'read', inputSchema: z.custom<ArbiterQuestion>() },
  execute: ({ conflicts }) => ({ rate: conflicts.length }),
})

const WAYS = {
  authority: byAuthority(),
  freshness: byFreshness('at'),
  majority: byMajority(),
  person: byPerson(),
  tool: judge,
  function: () => ({ rate: 7 }),
  nothing: () => undefined,
  failing: () => Promise.reject(new Error('Ill.')),
}

const plan = fc.record({
  /** What each source says; null is a failure. */
  said: fc.array(fc.option(fc.record({ rate: fc.integer({ min: 1, max: 3 }), at: fc.integer({ min: 1, max: 3 }) })), {
    minLength: 2,
    maxLength: 4,
  }),
  ways: fc.array(fc.constantFrom(...Object.keys(WAYS)), { maxLength: 3 }),
  severity: fc.constantFrom('critical', 'warning'),
})

type Plan = typeof plan extends fc.Arbitrary<infer P> ? P : never

function build({ said, ways, severity }: Plan) {
  const sources = said.map((each, index) => [
    `s${index}`,
    tool({
      ...{ name: `s${index}`, description: 'd', effect: 'read' },
      execute: () => {
        if (each === null) throw new Error('No.')
        return { ...each }
      },
    }),
  ])
  const resolve = [...new Set(ways)].map((way) => WAYS[way as keyof typeof WAYS])
  return corroborate(Object.fromEntries(sources) as Record<'s0' | 's1', ReturnType<typeof dated>>, {
    ...{ name: 'rate', description: 'd', fields: { rate: { severity } } },
    resolve: resolve as never,
  })
}

const dated = (name: string) => tool({ name, description: 'd', effect: 'read', execute: () => ({ rate: 1, at: 1 }) })
const review = () => recordingReview({ action: 'answer', value: { rate: 9 } })

test('the verdict follows from the answers, the severity and the resolutions [V1] [V2] [V3]', async () => {
  await fc.assert(
    fc.asyncProperty(plan, async (given) => {
      const result = await build(given).call('x', { review: review() })
      const answers = given.said.filter((each) => each !== null)
      if (answers.length < 2) return result.ok === false && result.error.code === 'quorum_not_met'
      const agrees = new Set(answers.map(({ rate }) => rate)).size === 1
      const { verdict, conflicts = [] } = result.validation ?? {}
      if (agrees) return result.ok && conflicts.length === 0 && verdict === (answers.length < given.said.length ? 'warning' : 'success')
      if (given.severity === 'warning') return result.ok && verdict === 'warning' && conflicts[0]?.resolved === undefined
      const resolved = conflicts[0]?.resolved
      if (!result.ok) return verdict === 'failure' && resolved === undefined
      return verdict === 'conditional' && resolved !== undefined && result.value.rate === resolved.value
    }),
    { numRuns: 200 },
  )
})

test('comes to the same end from every prefix of its record [V2]', async () => {
  await fc.assert(
    fc.asyncProperty(plan, async (given) => {
      const { diverged } = await replayFromEveryPrefix(build(given), 'x', { options: () => ({ review: review() }) })
      expect(diverged).toEqual([])
    }),
    { numRuns: 60 },
  )
})

test('a resumed run asks neither the arbiter nor a person again, also where the arbiter has failed [V2]', async () => {
  const asked: string[] = []
  const arbiter = () => {
    asked.push('arbiter')
    return asked.length === 1 ? Promise.reject(new Error('Ill.')) : Promise.resolve({ rate: 5 })
  }
  const sources = { a: dated('a'), b: tool({ name: 'b', description: 'd', effect: 'read', execute: () => ({ rate: 2, at: 1 }) }) }
  const rate = corroborate(sources, { name: 'rate', description: 'd', fields: { rate: {} }, resolve: [arbiter, byPerson()] })
  const journal = memoryJournal([])
  const first = await rate.call('x', { journal, idempotencyKey: 'k', review: review() })
  const people = recordingReview({ action: 'answer', value: { rate: 1 } })
  const again = await rate.call('x', { journal: memoryJournal(journal.entries), idempotencyKey: 'k', review: people })
  expect([first, again].map((each) => each.ok && each.value.rate)).toEqual([9, 9])
  expect([asked.length, people.requests.length]).toEqual([1, 0])
})
