import { describe, expect, test } from 'vitest'
import { fakeClock, settled } from '../../testing/fake-clock.ts'
import type { AgentTool } from '../../tool/agent-tool.ts'
import { tool } from '../../tool/tool.ts'
import { all, best, first, partial, quorum } from './join.ts'
import { parallel } from './parallel.ts'
import { endless } from '../../../test/fixtures/parallel/endless.ts'

describe('a caller that gives up', () => {
  const joins = [all(), best(() => 1), first(), quorum(1), partial({ after: '1m' })]

  test.each(joins.map((join) => [join.kind, join] as const))(
    '%s: every running leaf aborts at once, and nothing starts afterwards [C3]',
    async (_kind, join) => {
      const clock = fakeClock()
      const leaves = Array.from({ length: 4 }, (_, index) => endless(`leaf_${index}`))
      const [a, b, c, d] = leaves.map((leaf) => leaf.tool) as [
        AgentTool<string, string>,
        AgentTool<string, string>,
        AgentTool<string, string>,
        AgentTool<string, string>,
      ]
      const inner = parallel({ b, c }, { name: 'inner' })
      const controller = new AbortController()
      const running = parallel({ a, inner, d }, { name: 'whole', join, concurrency: 2 }).call('x', { clock, signal: controller.signal })
      await settled()
      expect(leaves.map(({ seen }) => seen.length)).toEqual([1, 1, 1, 0])
      controller.abort(new Error('gone'))
      expect(leaves.slice(0, 3).map(({ seen }) => seen[1])).toEqual(Array.from({ length: 3 }, () => 'aborted: gone'))
      expect(await running).toMatchObject({ ok: false, error: { code: 'cancelled', class: 'cancelled', retryable: false } })
      expect(leaves[3]?.seen).toEqual([])
    },
  )

  test('10,000 aborted runs leave no timer and no listener behind [C3]', { timeout: 60_000 }, async () => {
    const clock = fakeClock()
    const waiting = tool({ name: 'waiting', description: 'd', effect: 'read', execute: (_input, { sleep }) => sleep('1h') })
    const wholes = joins.map((join) => parallel({ waiting, again: waiting }, { name: 'whole', join }))
    const controllers: AbortController[] = []
    let listeners = 0
    for (let run = 0; run < 10_000; run++) {
      const controller = new AbortController()
      const { signal } = controller
      const add = signal.addEventListener.bind(signal)
      const remove = signal.removeEventListener.bind(signal)
      signal.addEventListener = (...given: Parameters<typeof add>) => (listeners++, add(...given))
      signal.removeEventListener = (...given: Parameters<typeof remove>) => (listeners--, remove(...given))
      controllers.push(controller)
      const running = wholes[run % wholes.length]?.call('x', { clock, signal })
      await Promise.resolve()
      controller.abort()
      expect((await running)?.ok).toBe(false)
    }
    await settled()
    expect([clock.pending(), listeners]).toEqual([0, 0])
  })
})
