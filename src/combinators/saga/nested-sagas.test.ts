import { describe, expect, test, vi } from 'vitest'
import { no, type World, world } from '../../../test/fixtures/saga/world.ts'
import { fakeClock } from '../../testing/fake-clock.ts'
import type { AgentTool } from '../../tool/agent-tool.ts'
import type { Alert } from '../../tool/alert.ts'
import { ToolError } from '../../tool/errors/tool-error.ts'
import { memoryJournal } from '../../tool/journal/journal.ts'
import { tool } from '../../tool/tool.ts'
import { pipe } from '../pipe/pipe.ts'
import { retryCompensation } from './retry-compensation.ts'
import { saga } from './saga.ts'

describe('a saga inside a saga', () => {
  function nested(
    { step, act }: World,
    wrap: (inner: AgentTool<string, unknown>) => AgentTool<string, unknown>,
  ): AgentTool<string, unknown> {
    const inner = saga({ name: 'inner', description: 'd' })
      .step(...step('a'))
      .step(...step('b'))
      .build()
    return saga({ name: 'outer', description: 'd' })
      .step(...step('first'))
      .step('inside', wrap(inner))
      .step('last', act('last'), { input: ({ input }) => input })
      .build()
  }

  test.each([
    ['directly', (inner: AgentTool<string, unknown>) => inner, 'outer/inside'],
    ['deep inside a pipeline', (inner: AgentTool<string, unknown>) => pipe(pipe(inner)), 'outer/inside/inner_pipeline/inner'],
  ])('that completed is undone by its own ledger, %s [G1]', async (_where, wrap, path) => {
    const here = world()
    here.fail('last', () => no())
    const journal = memoryJournal()
    const whole = nested(here, wrap)
    const result = await whole.call('x', { journal })
    expect(here.log).toEqual(['first x', 'a x', 'b x', 'unb x', 'una x', 'unfirst x'])
    expect(result).toMatchObject({
      error: { outcome: 'failed' },
      compensation: { state: 'compensated', outcomes: [{ step: 'last' }, { step: 'inside', status: 'undone' }, { step: 'first' }] },
    })
    const inner = journal.entries.find((entry) => entry.path.endsWith('/undo.a'))?.path.slice(0, -'/undo.a'.length)
    expect(path === 'outer/inside' ? inner : inner?.startsWith('outer/inside/')).toBe(path === 'outer/inside' ? path : true)
    expect(journal.read(`${inner}:saga`)).toMatchObject({ value: { undoing: { state: 'compensated', hadCompleted: true } } })
  })

  test('two in a row in one step are undone in reverse [G1]', async () => {
    const here = world()
    here.fail('last', () => no())
    const one = (name: 'a' | 'b'): AgentTool<string, unknown> =>
      saga({ name: `inner_${name}`, description: 'd' })
        .step(...here.step(name))
        .build({ output: () => 'x' })
    const outer = saga({ name: 'outer', description: 'd' })
      .step('both', pipe(one('a'), one('b') as AgentTool<unknown, unknown>))
      .step('last', here.act('last'))
      .build()
    await outer.call('x')
    expect(here.log).toEqual(['a x', 'b x', 'unb x', 'una x'])
  })

  test('that failed has undone itself and is not undone twice [G1]', async () => {
    const here = world()
    here.fail('b', () => no('b is out'))
    const result = await nested(here, (inner) => inner).call('x')
    expect(here.log).toEqual(['first x', 'a x', 'una x', 'unfirst x'])
    expect(result).toMatchObject({ error: { outcome: 'failed' }, compensation: { failedStep: 'inside', state: 'compensated' } })
  })

  test('that could not undo itself leaves the whole not undone, by its path [G1] [G2]', async () => {
    const here = world()
    const clock = fakeClock()
    const alert = vi.fn<(alert: Alert) => void>()
    here.fail('b', () => no('b is out'))
    here.fail('una', () => no('stuck'))
    const result = await clock.until(nested(here, (inner) => inner).call('x', { clock, alert }))
    expect(result.compensation).toMatchObject({ state: 'compensation_failed', notUndone: ['inside/a'] })
    expect(alert.mock.calls).toMatchObject([[{ step: 'a', path: 'outer/inside' }]])
  })

  test('whose compensation fails is tried again with the whole [G3]', async () => {
    const here = world()
    const clock = fakeClock()
    let isStuck = true
    here.fail('last', () => no())
    here.fail('una', () => (isStuck ? no('stuck') : undefined))
    const result = await clock.until(nested(here, (inner) => inner).call('x', { clock }))
    expect(result.compensation).toMatchObject({ state: 'compensation_failed', notUndone: ['inside/a'] })
    isStuck = false
    here.log.length = 0
    expect(await clock.until(retryCompensation(result))).toMatchObject({ state: 'compensated', notUndone: [] })
    expect(here.log).toEqual(['una x'])
  })

  test('effects beside it in the same step are not undone, and it says which [G1]', async () => {
    const here = world()
    here.fail('last', () => no())
    const result = await nested(here, (inner) => pipe(here.act('beside'), inner as AgentTool<string, unknown>)).call('x')
    expect(here.log.filter((line) => line.startsWith('un')).length).toBe(3)
    expect(result.compensation?.notUndone).toEqual(['inside/beside'])
  })

  test('with a compensation of its own in the saga around it is undone by that alone [G1]', async () => {
    const here = world()
    here.fail('last', () => no())
    const inner = saga({ name: 'inner', description: 'd' })
      .step(...here.step('a'))
      .build()
    const outer = saga({ name: 'outer', description: 'd' })
      .step('inside', inner, { compensate: { with: here.act('undo_all'), class: 'semantic', input: ({ value }) => value?.a ?? '' } })
      .step('last', here.act('last'))
      .build()
    await outer.call('x')
    expect(here.log).toEqual(['a x', 'undo_all ad x'])
  })

  test('that failed is told with the whole in one sentence [G1] [G2]', async () => {
    const textOf = async (failing: readonly string[], steps: readonly ('first' | 'a')[]): Promise<string> => {
      const here = world()
      for (const each of failing) here.fail(each, () => no())
      const look = tool({ name: 'look', description: 'd', effect: 'read', execute: () => 'seen' })
      const start = (name: string, label: 'first' | 'a'): ReturnType<typeof begun> => begun(name, steps.includes(label) ? label : undefined)
      const begun = (name: string, label: 'first' | 'a' | undefined) => {
        const whole = saga({ name, description: 'd' }).step('look', look)
        return label === undefined ? whole : (whole.step(...here.step(label)) as typeof whole)
      }
      const inner = start('inner', 'a').step('b', here.act('b')).build()
      const middle = saga({ name: 'middle', description: 'd' }).step('inner', inner).build()
      const clock = fakeClock()
      return (await clock.until(start('outer', 'first').step('inside', middle).build().call('x', { clock }))).text
    }
    const lead = "Error: Step 'inside' failed: Step 'inner' failed: Step 'b' failed: no."
    expect(await textOf(['b'], [])).toBe(`${lead} There was nothing to undo.`)
    expect(await textOf(['b'], ['a'])).toBe(`${lead} Undone: inside/inner/a.`)
    expect(await textOf(['b'], ['first'])).toBe(`${lead} Undone: first.`)
    expect(await textOf(['b'], ['first', 'a'])).toBe(`${lead} Undone: inside/inner/a, first.`)
    expect(await textOf(['b', 'una'], ['first', 'a'])).toBe(`${lead} Not undone: inside/inner/a. Undone: first.`)
  })

  test('tried twice is told by attempt: one may have undone what the other could not [G1] [G2]', async () => {
    const here = world()
    const clock = fakeClock()
    let tried = 0
    here.fail('b', () => new ToolError('busy', { retryable: true, outcome: 'failed' }))
    here.fail('una', () => (++tried === 1 ? undefined : no('stuck')))
    const inner = saga({ name: 'inner', description: 'd' })
      .step(...here.step('a'))
      .step('b', here.act('b'))
      .build()
    const outer = saga({ name: 'outer', description: 'd' }).step('inside', inner, { attempts: 2 }).build()
    const { text } = await clock.until(outer.call('x', { clock }))
    expect(text).toBe("Error: Step 'inside' failed: Step 'b' failed: busy. Not undone: inside@2/a. Undone: inside/a.")
  })

  test('a stop inside passes both, when both are undone [G1]', async () => {
    const here = world()
    const gated = tool({ name: 'gated', description: 'd', requireApproval: true, execute: () => 'never' })
    const inner = saga({ name: 'inner', description: 'd' })
      .step(...here.step('a'))
      .build()
    const outer = saga({ name: 'outer', description: 'd' })
      .step(...here.step('first'))
      .step('inside', pipe(inner, gated as AgentTool<unknown, string>))
      .build()
    await expect(outer.call('x', { review: { review: () => ({ action: 'stop' }) } })).rejects.toThrow('A reviewer stopped the run')
    expect(here.log).toEqual(['first x', 'a x', 'una x', 'unfirst x'])
  })
})
