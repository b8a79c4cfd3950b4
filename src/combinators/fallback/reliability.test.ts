import { describe, expect, test } from 'vitest'
import { explain } from '../../plan/explain.ts'
import { fakeClock } from '../../testing/fake-clock.ts'
import type { AgentTool } from '../../tool/agent-tool.ts'
import { ToolError } from '../../tool/errors/tool-error.ts'
import { tool } from '../../tool/tool.ts'
import { ToolPipeline } from '../pipe/tool-pipeline.ts'
import { fallback } from './fallback.ts'
import { isFull } from '../../../test/fixtures/is-full.ts'

/** Numbers from 0 to 1, the same for each seed (mulberry32). */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** A tool that succeeds as often as it says. */
function fallible(name: string, reliability: number, random: () => number): AgentTool<string, string> {
  return tool({
    name,
    description: 'd',
    effect: 'read',
    estimates: { reliability },
    execute: (input) => {
      if (random() >= reliability) throw new ToolError('It is down.', { code: 'service_unavailable' })
      return input
    },
  })
}

const RUNS = isFull ? 100_000 : 30_000

async function shareOfSuccesses(whole: AgentTool<string, string>): Promise<number> {
  const clock = fakeClock()
  let succeeded = 0
  for (let run = 0; run < RUNS; run++) if ((await whole.call('x', { clock })).ok) succeeded++
  return succeeded / RUNS
}

function fiveSteps(step: (index: number) => AgentTool<string, string>): AgentTool<string, string> {
  return [1, 2, 3, 4].reduce((builder, index) => builder.step(step(index)), ToolPipeline.builder().name('five').step(step(0))).build()
}

function predicted(whole: AgentTool<string, string>): number | undefined {
  return explain(whole).root.figures.reliability.value
}

describe('five steps that succeed in 95 of 100 calls', () => {
  test('succeed in 77.4 of 100 runs, as explain predicts [F1]', { timeout: 110_000 }, async () => {
    const random = seeded(20_261_116)
    const whole = fiveSteps((index) => fallible(`step_${index}`, 0.95, random))
    expect(predicted(whole)).toBeCloseTo(0.774, 3)
    expect(Math.abs((await shareOfSuccesses(whole)) - 0.774)).toBeLessThan(0.003)
  })

  test('succeed in 97.5 of 100 with a fallback for each that succeeds in 90 of 100 [F1]', { timeout: 110_000 }, async () => {
    const random = seeded(20_261_117)
    const whole = fiveSteps((index) =>
      fallback({ name: `sure_${index}`, description: 'd' }, [
        fallible(`first_${index}`, 0.95, random),
        fallible(`second_${index}`, 0.9, random),
      ]),
    )
    expect(predicted(whole)).toBeCloseTo(0.975, 3)
    expect(Math.abs((await shareOfSuccesses(whole)) - 0.975)).toBeLessThan(0.003)
  })
})
