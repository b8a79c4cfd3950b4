import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { fakeClock } from '../../testing/fake-clock.ts'
import { memoryJournal } from '../../tool/journal/journal.ts'
import type { AgentTool } from '../../tool/agent-tool.ts'
import type { CallOptions } from '../../tool/context.ts'
import { ConfigurationError } from '../../tool/errors/configuration-error.ts'
import { tool } from '../../tool/tool.ts'
import { gate } from '../gate/gate.ts'
import { makePipeline } from './make-pipeline.ts'

type Text = AgentTool<string, string>

const atOnce: Text = tool({ name: 'at_once', description: 'd', effect: 'read', execute: (input) => `${input}.` })
const later: Text = tool({ name: 'later', description: 'd', effect: 'read', execute: async (input) => `${input}!` })
const pipeline = (steps: readonly Text[]): Text =>
  makePipeline(
    steps.map((each) => ({ tool: each })),
    { name: 'whole' },
  )

describe('a run of a pipeline', () => {
  test('of ten thousand steps that end at once needs no deep stack', async () => {
    const result = await pipeline(Array.from({ length: 10_000 }, () => atOnce)).call('x')
    expect(result.ok && result.value.length).toBe(10_001)
    expect(result.steps?.length).toBe(10_000)
  })

  /** Each of these makes the door wait for something else than the step's own function. */
  const ways: Readonly<Record<string, (steps: readonly Text[]) => { readonly steps: readonly Text[]; readonly options?: CallOptions }>> = {
    'steps that end at once beside steps that end later': (steps) => ({ steps }),
    'a policy that takes its time': (steps) => ({ steps, options: { policy: async () => 'allow' as const } }),
    'a journal': (steps) => ({ steps, options: { journal: memoryJournal() } }),
    'steps that stand in for them': (steps) => ({ steps, options: { overrides: { later: async (input) => `${String(input)}!` } } }),
    'gates that a person opens': (steps) => ({
      steps: steps.map((each) => gate(each)),
      options: { review: { review: async () => ({ action: 'continue' }) } },
    }),
    'deadlines of their own': (steps) => ({ steps: steps.map((each) => pipeline([each])), options: { deadline: '1s' } }),
    'outputs that are checked in time': (steps) => ({
      steps: steps.map((each) =>
        tool({
          name: each.name,
          description: 'd',
          effect: 'read',
          outputSchema: z.string().refine(async () => true),
          execute: async (input) => {
            const result = await each.call(input)
            return result.ok ? result.value : ''
          },
        }),
      ),
    }),
  }
  test.each(Object.entries(ways))('comes to the same end with %s [P6]', async (_what, way) => {
    const { steps, options } = way([atOnce, later, later, atOnce])
    expect(await pipeline(steps).call('x', options)).toMatchObject({ ok: true, value: 'x.!!.' })
  })

  test('passes on what is fatal in a step, whenever it comes, and runs nothing after it [T7]', async () => {
    let ran = 0
    const last: Text = tool({ name: 'last', description: 'd', effect: 'read', execute: () => `${++ran}` })
    const fatal = (): never => {
      throw new ConfigurationError('missing_service', 'No database.')
    }
    const executes: readonly (() => string | Promise<string>)[] = [fatal, async () => fatal()]
    for (const execute of executes) {
      const breaks: Text = tool({ name: 'breaks', description: 'd', effect: 'read', execute })
      await expect(pipeline([later, breaks, last]).call('x')).rejects.toThrow('No database.')
      await expect(pipeline([pipeline([breaks]), last]).call('x', { journal: memoryJournal() })).rejects.toThrow('No database.')
    }
    await expect(pipeline([later, gate(later), last]).call('x')).rejects.toThrow('requires approval')
    expect(ran).toBe(0)
  })

  test('is cut off in a step that hears nothing: the failure names it, and nothing comes after [C1]', async () => {
    const deaf: Text = tool({ name: 'deaf', description: 'd', effect: 'read', execute: () => new Promise<string>(() => {}) })
    const clock = fakeClock()
    const result = await clock.until(pipeline([later, deaf, later]).call('x', { clock, deadline: '1s' }))
    expect(result).toMatchObject({ ok: false, error: { code: 'deadline_exceeded', message: expect.stringContaining("'deaf'") } })
    expect(result.steps?.map(({ label, result: { ok } }) => [label, ok])).toEqual([
      ['later', true],
      ['deaf', false],
    ])
  })

  test('says that later steps need all the time, where nothing is left for a step [C1]', async () => {
    const slow = (name: string): Text =>
      tool({ name, description: 'd', effect: 'read', estimates: { latencyMs: 30_000 }, execute: (input) => input })
    const result = await pipeline([slow('a'), slow('b'), slow('c')]).call('x', { clock: fakeClock() })
    expect(result).toMatchObject({
      ok: false,
      error: {
        code: 'deadline_exceeded',
        outcome: 'not_started',
        message: "The deadline leaves 60000 ms, and the steps after 'a' are expected to take 60000 ms: 'a' was not begun.",
      },
    })
    expect(result.steps?.map(({ label }) => label)).toEqual(['a'])
  })

  test('ends where a step cancels the call and goes on at once', async () => {
    const controller = new AbortController()
    const cancels: Text = tool({
      name: 'cancels',
      description: 'd',
      effect: 'read',
      execute: async (input) => {
        controller.abort()
        return input
      },
    })
    const result = await pipeline([cancels, later]).call('x', { signal: controller.signal })
    expect(result).toMatchObject({ ok: false, error: { code: 'cancelled' } })
    expect(result.steps?.length).toBe(1)
  })
})
