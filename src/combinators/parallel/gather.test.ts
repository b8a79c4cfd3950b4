import { describe, expect, test } from 'vitest'
import { fakeClock } from '../../testing/fake-clock.ts'
import { recordingReview } from '../../testing/recording-review.ts'
import type { AgentTool } from '../../tool/agent-tool.ts'
import { tool } from '../../tool/tool.ts'
import { gate } from '../gate/gate.ts'
import { all, best, first, type Join, type JoinKind, partial, quorum } from './join.ts'
import { parallel } from './parallel.ts'

const LABELS = ['a', 'b', 'c', 'd', 'e', 'f', 'g']

/** Seven branches of different length that know how many of them run. */
function crowd() {
  const begun: string[] = []
  let running = 0
  let most = 0
  const member = (name: string, index: number): AgentTool<string, string> =>
    tool({
      name,
      description: 'd',
      effect: 'read',
      execute: async (_input, { sleep }) => {
        begun.push(name)
        most = Math.max(most, ++running)
        await sleep((index * 7) % 5)
        running--
        return name
      },
    })
  return { begun, most: () => most, branches: Object.fromEntries(LABELS.map((name, index) => [name, member(name, index)])) }
}

const joins: readonly Join<JoinKind, unknown>[] = [all(), best(() => 1), quorum(1), partial({ after: '1m' })]

describe('a limit on concurrency', () => {
  test.each(joins.map((join) => [join.kind, join] as const))(
    '%s: so many run at a time, begun in their order [C3]',
    async (_kind, join) => {
      const { begun, most, branches } = crowd()
      const clock = fakeClock()
      const result = await clock.until(parallel(branches, { name: 'whole', join, concurrency: 3 }).call('x', { clock }))
      expect(result.ok).toBe(true)
      expect([begun, most()]).toEqual([LABELS, 3])
      expect(result.steps?.map(({ label }) => label)).toEqual(LABELS)
    },
  )

  test('without one, all run at the same time', async () => {
    const { most, branches } = crowd()
    const clock = fakeClock()
    await clock.until(parallel(branches, { name: 'whole' }).call('x', { clock }))
    expect(most()).toBe(7)
  })

  test('first begins no further branch once one has answered [C3]', async () => {
    const { begun, branches } = crowd()
    const clock = fakeClock()
    await clock.until(parallel(branches, { name: 'whole', join: first(), concurrency: 1 }).call('x', { clock }))
    expect(begun).toEqual(['a'])
  })

  test('no branch is begun in place of one that a person rejected [H1] [C3]', async () => {
    let ran = 0
    const pay = tool({ name: 'pay', description: 'd', effect: 'write', execute: () => `paid ${++ran}` })
    const review = recordingReview({ action: 'reject' })
    for (const join of [first(), quorum({ count: 1 })]) {
      const result = await parallel({ card: gate(pay), cash: pay }, { join, concurrency: 1 }).call('x', { review })
      expect(result).toMatchObject({ ok: false, error: { code: 'rejected' } })
      expect(result.steps?.map(({ label }) => label)).toEqual(['card'])
    }
    expect(ran).toBe(0)
    expect(await parallel({ card: gate(pay), cash: pay }, { join: first() }).call('x', { review })).toMatchObject({
      ok: true,
      value: 'paid 1',
    })
  })
})
