import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fakeClock } from '../../testing/fake-clock.ts'
import { recordEvents } from '../../testing/record-events.ts'
import { comparable, replayFromEveryPrefix } from '../../testing/replay-from-every-prefix.ts'
import { runInSegments } from '../../testing/run-in-segments.ts'
import type { AgentTool } from '../../tool/agent-tool.ts'
import type { CallOptions } from '../../tool/context.ts'
import type { ToolResult } from '../../tool/result/result.ts'
import type { ReviewDecision, ReviewRequest } from '../../tool/review.ts'
import { tool } from '../../tool/tool.ts'
import { gate } from '../gate/gate.ts'
import { makePipeline } from './make-pipeline.ts'

type Kind = 'append' | 'fail' | 'gated' | 'nap'
type Strategy = 'FAIL_FAST' | 'CONTINUE_ON_FAILURE'
type Text = AgentTool<string, string>

const kinds = fc.array(fc.constantFrom<Kind>('append', 'append', 'append', 'nap', 'gated', 'fail'), { minLength: 1, maxLength: 6 })
const strategies = fc.constantFrom<Strategy>('FAIL_FAST', 'CONTINUE_ON_FAILURE')

/** Steps whose effects are written down in the order in which they happen. */
function steps(of: readonly Kind[], effects: string[] = []): readonly Text[] {
  return of.map((kind, index): Text => {
    const name = `${kind}${index}`
    const leaf = tool({
      name,
      description: 'A step.',
      effect: 'write',
      idempotent: 'keyed',
      execute: async (input, { sleep, idempotencyKey }): Promise<string> => {
        if (kind === 'nap') await sleep(100 * (index + 1))
        if (!effects.includes(`${name} ${idempotencyKey}`)) effects.push(`${name} ${idempotencyKey}`)
        if (kind === 'fail') throw new Error(`${name} failed on ${input}`)
        return `${input}>${name}`
      },
    })
    return kind === 'gated' ? gate(leaf) : leaf
  })
}

const pipeline = (parts: readonly Text[], errorStrategy: Strategy, name = 'whole'): Text =>
  makePipeline(
    parts.map((each) => ({ tool: each })),
    { name, errorStrategy },
  )
/** Runs to the end on a clock of its own: naps take no time. */
const run = (whole: Text, options: CallOptions = {}): Promise<ToolResult<string>> => {
  const clock = fakeClock()
  return clock.until(whole.call('x', { review: { review: () => ({ action: 'continue' }) }, clock, ...options }))
}
const decide = ({ path }: ReviewRequest): ReviewDecision =>
  path.includes('gated2') ? { action: 'reject' } : path.includes('gated1') ? { action: 'edit', input: 'edited' } : { action: 'continue' }
const outline = (result: ToolResult): unknown => [result.ok, result.text, result.ok ? result.value : result.error.code]
const names = (effects: readonly string[]): readonly (string | undefined)[] => effects.map((each) => each.split(' ')[0])
const law = <T>(title: string, given: fc.Arbitrary<T>, body: (given: T) => Promise<void>): void =>
  test(title, async () => {
    await fc.assert(fc.asyncProperty(given, body), { numRuns: 100, seed: 7 })
  })

describe('pipe', () => {
  law(
    'has an identity: a step that gives what it takes, before or after, changes nothing [P7]',
    fc.tuple(kinds, strategies),
    async ([of, strategy]) => {
      const identity: Text = tool({ name: 'identity', description: 'Gives what it takes.', effect: 'read', execute: (input) => input })
      const plain = await run(pipeline(steps(of), strategy))
      const before = await run(pipeline([identity, ...steps(of)], strategy))
      expect(outline(before)).toEqual(outline(plain))
      if (!plain.ok) return
      expect(outline(await run(pipeline([...steps(of), identity], strategy)))).toEqual(outline(plain))
    },
  )

  law(
    'is associative: however it is nested, it equals its flat form in result and in order of effects [P7]',
    fc.tuple(kinds, strategies, fc.nat(5), fc.nat(5)),
    async ([of, strategy, a, b]) => {
      const [from, to] = [Math.min(a, b) % of.length, Math.max(a, b) % of.length]
      const flatEffects: string[] = []
      const flat = await run(pipeline(steps(of, flatEffects), strategy))
      const nestedEffects: string[] = []
      const parts = steps(of, nestedEffects)
      const inner = parts.slice(from, to + 1)
      if (inner.length === 0) return
      const nested = await run(pipeline([...parts.slice(0, from), pipeline(inner, strategy, 'inner'), ...parts.slice(to + 1)], strategy))
      expect(outline(nested)).toEqual(outline(flat))
      expect(names(nestedEffects)).toEqual(names(flatEffects))
    },
  )

  law('failing fast runs nothing after the failure; continuing runs everything [P5]', kinds, async (of) => {
    const fast: string[] = []
    await run(pipeline(steps(of, fast), 'FAIL_FAST'))
    const firstFailure = of.indexOf('fail')
    expect(fast.length).toBe(firstFailure === -1 ? of.length : firstFailure + 1)
    const all: string[] = []
    await run(pipeline(steps(of, all), 'CONTINUE_ON_FAILURE'))
    expect(all.length).toBe(of.length)
  })

  law(
    'replayed from every prefix of its journal, comes to the same end, and does nothing twice [P6]',
    fc.tuple(kinds, strategies),
    async ([of, strategy]) => {
      const effects: string[] = []
      const { diverged, live } = await replayFromEveryPrefix(pipeline(steps(of, effects), strategy), 'x', {
        options: () => ({ review: { review: decide } }),
      })
      expect(diverged).toEqual([])
      expect(new Set(names(effects)).size).toBe(effects.length)
      const parked = await runInSegments(pipeline(steps(of), strategy), 'x', { decide })
      if (!('result' in live) || !('result' in parked.end)) throw new Error('a run was rejected')
      expect(comparable(parked.end.result)).toEqual(comparable(live.result))
    },
  )

  law('gives each step a start and an end of its own [P8]', kinds, async (of) => {
    const recorder = recordEvents()
    const result = await run(pipeline(steps(of), 'CONTINUE_ON_FAILURE'), { on: recorder })
    const finished = recorder.events.filter((event) => event.type === 'call.finished' && event.call.layer === undefined)
    expect(finished.length).toBe(of.length + 1)
    expect(result.steps?.length).toBe(of.length)
  })
})
