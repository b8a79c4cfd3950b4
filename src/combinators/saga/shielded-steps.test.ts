import { describe, expect, test } from 'vitest'
import { ENDED, park, takeUp } from '../../../test/fixtures/saga/parked-run.ts'
import type { AgentTool } from '../../tool/agent-tool.ts'
import { compound } from '../../tool/compound.ts'
import { failure } from '../../tool/result/returned.ts'
import { tool } from '../../tool/tool.ts'
import { gate } from '../gate/gate.ts'
import { map } from '../map/map.ts'
import { first } from '../parallel/join.ts'
import { parallel } from '../parallel/parallel.ts'
import { pipe } from '../pipe/pipe.ts'
import { ToolPipeline } from '../pipe/tool-pipeline.ts'
import { retry } from '../retry/retry.ts'
import { saga } from './saga.ts'

/** Effects, by the paths of the steps. */
function world() {
  const effects: string[] = []
  const leaf = (name: string, what: string): AgentTool<string, string> =>
    tool({
      name,
      description: 'Takes effect.',
      effect: 'write',
      idempotent: 'keyed',
      execute: (_input, { path }) => {
        effects.push(`${what} ${path}`)
        return 'x'
      },
    })
  const look = tool({ name: 'look', description: 'Reads.', effect: 'read', execute: () => 'x' })
  return { act: leaf('act', 'do'), tidy: leaf('tidy', 'tidied'), look, effects }
}

type World = ReturnType<typeof world>

describe('a step of a saga that cleans up after itself', () => {
  /** Waits for a person, and then tidies in any case. */
  function tidying({ look, tidy }: World, name = 'used'): AgentTool<string, string> {
    const asked = gate(look)
    return compound({
      name,
      description: 'd',
      parts: { asked, tidy },
      run: async (_input, context) => {
        try {
          return await context.call('asked', asked, 'x')
        } finally {
          await context.call('tidy', tidy, 'x', { shielded: true })
        }
      },
    })
  }

  const inSaga = (w: World, step: AgentTool<string, unknown>, name = 'whole'): AgentTool<string, string> =>
    saga({ name, description: 'd' })
      .step('act', w.act, { compensate: { with: w.look, class: 'reversible', input: () => 'x' } })
      .step('step', step, { input: () => 'x' })
      .build({ output: () => 'x' })

  const steps: Readonly<Record<string, (w: World) => AgentTool<string, unknown>>> = {
    'a compound': (w) => inSaga(w, tidying(w)),
    'a retried compound': (w) => inSaga(w, retry(tidying(w))),
    'a pipeline': (w) => inSaga(w, ToolPipeline.of(w.look, tidying(w))),
    'a race': (w) => inSaga(w, parallel({ one: tidying(w), two: tidying(w, 'other') }, { name: 'raced', join: first() })),
    'a saga': (w) => inSaga(w, inSaga(w, tidying(w), 'inner')),
  }
  const stepCases = Object.entries(steps).flatMap(([name, shape]) => Object.keys(ENDED).map((how) => [name, how, shape] as const))

  test.each(stepCases)(
    'as %s, taken up %s while it waits, does so once, wherever the run is killed [G1] [G5]',
    async (_name, how, shape) => {
      const w = world()
      const parked = await park(shape(w))
      const tidied = (of: World): readonly string[] => of.effects.filter((each) => each.startsWith('tidied ')).toSorted()
      expect(tidied(w)).toEqual([])
      const entries = await takeUp(shape(w), parked, ENDED[how] ?? {})
      const all = tidied(w)
      expect(all.length).toBeGreaterThan(0)
      expect(new Set(all).size).toBe(all.length)
      for (let cut = parked.entries.length; cut <= entries.length; cut++) {
        const again = world()
        await takeUp(shape(again), { ...parked, entries: entries.slice(0, cut) }, ENDED[how] ?? {})
        const recorded = entries
          .slice(0, cut)
          .flatMap((entry) => (entry.kind === 'call' && entry.tool === 'tidy' && entry.result !== undefined ? [entry.path] : []))
        // What was under way may be done again, under the same key.
        expect([cut, tidied(again).filter((each) => recorded.includes(each.slice('tidied '.length)))]).toEqual([cut, []])
        expect([cut, [...tidied(again), ...recorded.map((path) => `tidied ${path}`)].toSorted()]).toEqual([cut, all])
      }
    },
  )

  test.each(Object.keys(ENDED))('still asks a person about it in a run that is taken up %s [G1] [T14]', async (how) => {
    const shape = (w: World): AgentTool<string, unknown> => {
      const asked = gate(w.act)
      const step = compound({
        name: 'step',
        description: 'd',
        parts: { asked },
        run: async (_input, context) => context.call('asked', asked, 'x', { shielded: true }),
      })
      return saga({ name: 'whole', description: 'd' })
        .step('step', step, { input: () => 'x' })
        .build()
    }
    const w = world()
    const parked = await park(shape(w))
    let questions = 0
    const asks = {
      review: async () => {
        questions++
        return { action: 'continue' } as const
      },
    }
    await takeUp(shape(w), parked, { ...ENDED[how], review: asks })
    expect([questions, w.effects]).toEqual([1, ['do whole/step/asked/gated']])
  })

  test.each(Object.keys(ENDED))('does nothing where it had not begun, in a run that is taken up %s [G1] [G5]', async (how) => {
    const shape = (w: World): AgentTool<string, unknown> =>
      saga({ name: 'whole', description: 'd' })
        .step('asked', gate(w.look), { input: () => 'x' })
        .step('step', tidying(w), { input: () => 'x' })
        .build({ output: () => 'x' })
    const w = world()
    const parked = await park(shape(w))
    await takeUp(shape(w), parked, ENDED[how] ?? {})
    expect(w.effects).toEqual([])
  })

  test.each(Object.keys(ENDED))(
    'does so only where it had begun, in a run that is taken up %s and killed at any point [G1] [G5]',
    async (how) => {
      const begin = tool({ name: 'begin', description: 'Lists.', effect: 'read', execute: () => ['a', 'b', 'c'] })
      const shape = (w: World): AgentTool<string, unknown> => {
        const inner = map(tidying(w), { concurrency: 2, onFailure: 'collect' })
        const whole = pipe(begin, inner)
        return compound({
          name: 'whole',
          description: 'd',
          parts: { whole, tidy: w.tidy },
          run: async (_input, context) => {
            try {
              return await context.call('items', whole, 'x')
            } finally {
              await context.call('tidy', w.tidy, 'x', { shielded: true })
            }
          },
        })
      }
      const w = world()
      const parked = await park(shape(w))
      const entries = await takeUp(shape(w), parked, ENDED[how] ?? {})
      const expected = ['tidied whole/items/map_used/0/tidy', 'tidied whole/items/map_used/1/tidy', 'tidied whole/tidy']
      expect(w.effects.toSorted()).toEqual(expected)
      for (let cut = parked.entries.length; cut <= entries.length; cut++) {
        const again = world()
        await takeUp(shape(again), { ...parked, entries: entries.slice(0, cut) }, ENDED[how] ?? {})
        expect([cut, again.effects.filter((each) => !expected.includes(each))]).toEqual([cut, []])
      }
    },
  )
})

describe('a compensation that asks a person', () => {
  const failing = tool({ name: 'failing', description: 'Fails.', execute: () => failure('no') })
  const asking = (w: World): AgentTool<string, string> =>
    saga({ name: 'asking', description: 'd' })
      .step('act', w.act, { compensate: { with: gate(w.tidy), class: 'reversible', input: () => 'x' } })
      .build({ output: () => 'x' })
  const undone = (step: AgentTool<string, unknown>): AgentTool<string, unknown> =>
    saga({ name: 'whole', description: 'd' })
      .step('step', step, { input: () => 'x' })
      .step('failing', failing, { input: () => 'x' })
      .build()
  const shapes: Readonly<Record<string, (w: World) => AgentTool<string, unknown>>> = {
    'a saga': (w) => undone(asking(w)),
    'a saga in a saga': (w) => undone(nested(asking(w))),
    'a pipeline': (w) => undone(ToolPipeline.of(w.look, asking(w))),
    'a map': (w) =>
      undone(ToolPipeline.of(tool({ name: 'list', description: 'd', effect: 'read', execute: () => ['a', 'b'] }), map(asking(w)))),
    'a race': (w) => undone(parallel({ one: asking(w), two: w.look }, { name: 'both' })),
  }
  const nested = (inner: AgentTool<string, unknown>): AgentTool<string, unknown> =>
    saga({ name: 'middle', description: 'd' })
      .step('inner', inner, { input: () => 'x' })
      .build()

  // `park` expects that nothing moves without the person.
  test.each(Object.entries(shapes))(
    'of %s inside the one that is undone waits without work, and is made when they agree [G1] [T14]',
    async (_name, shape) => {
      const w = world()
      const parked = await park(shape(w))
      expect(w.effects.filter((each) => each.startsWith('tidied'))).toEqual([])
      await takeUp(shape(w), parked, { review: { review: async () => ({ action: 'continue' }) } })
      const made = w.effects.filter((each) => each.startsWith('do ')).length
      expect(w.effects.filter((each) => each.startsWith('tidied')).length).toBe(made)
    },
  )
})
