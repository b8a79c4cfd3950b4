import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { map } from '../combinators/map/map.ts'
import { parallel } from '../combinators/parallel/parallel.ts'
import { partial } from '../combinators/parallel/join.ts'
import { makePipeline } from '../combinators/pipe/make-pipeline.ts'
import { pipe } from '../combinators/pipe/pipe.ts'
import type { AgentTool } from '../tool/agent-tool.ts'
import type { Estimates } from '../tool/metadata.ts'
import { tool } from '../tool/tool.ts'
import { check } from './check.ts'
import { explain } from './explain.ts'

function step(name: string, estimates: Estimates): AgentTool<string, string> {
  return tool({ name, description: 'd', effect: 'read', estimates, execute: (input) => input })
}

const derived = (value: number, isBound: boolean): object => ({ value, source: 'derived', isBound })

describe('the figures of map', () => {
  const item = step('item', { latencyMs: 80, p99Ms: 200, costUsd: 0.01, reliability: 0.9 })

  test('are bounds: how many items there will be nobody knows [C5]', () => {
    const { root, text } = explain(map(item))
    expect(root.figures).toMatchObject({
      latencyMs: derived(80, true),
      p99Ms: derived(200, true),
      costUsd: derived(0.01, true),
      reliability: derived(0.9, true),
    })
    expect(text).toMatch(/map_item \(map, 8 at a time\) +≥80 ms +≥200 ms +≥\$0.01 +≤0.9 /)
    expect(text).toContain('≥ at least, since not all is known; ≤ at most, since not all is known.')
  })

  test('make bounds of the sums that they are part of, and of what is said of a deadline [C5]', () => {
    const list = tool({
      name: 'list',
      description: 'd',
      outputSchema: z.array(z.string()).max(5),
      effect: 'read',
      estimates: { latencyMs: 20, reliability: 1 },
      execute: () => [],
    })
    const whole = pipe(list, map(item))
    expect(explain(whole).root.figures.latencyMs).toEqual(derived(100, true))
    expect(check(whole, { deadline: 90 }).map(({ message }) => message)).toContainEqual(expect.stringContaining('takes at least 100 ms'))
  })

  test('do not fail where failures are collected [C5]', () => {
    expect(explain(map(item, { onFailure: 'collect' })).root.figures.reliability.value).toBe(1)
  })
})

test('the reliability of a pipeline that goes on after failures is that of its last step [C5]', () => {
  const steps = [step('a', { latencyMs: 10, reliability: 0.9 }), step('b', { latencyMs: 20, reliability: 0.8 })].map((each) => ({
    tool: each,
  }))
  const { figures } = explain(makePipeline(steps, { errorStrategy: 'CONTINUE_ON_FAILURE' })).root
  expect(figures.reliability).toEqual(derived(0.8, false))
  expect(figures.latencyMs).toEqual(derived(30, false))
  expect(explain(makePipeline(steps, {})).root.figures.reliability.value).toBeCloseTo(0.72)
})

test('a branch that takes longer than a partial join waits does not answer [C5]', () => {
  const branches = { quick: step('quick', { latencyMs: 100, reliability: 0.9 }), slow: step('slow', { latencyMs: 300, reliability: 0.9 }) }
  const of = (after: number, atLeast: number): object =>
    explain(parallel(branches, { join: partial({ after, atLeast }) })).root.figures.reliability
  expect(of(150, 1)).toEqual(derived(expect.closeTo(0.9, 9) as never, false))
  expect(of(150, 2)).toEqual(derived(0, false))
  expect(of(400, 2)).toEqual(derived(expect.closeTo(0.81, 9) as never, false))
})
