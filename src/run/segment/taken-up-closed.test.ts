import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { gate } from '../../combinators/gate/gate.ts'
import { first } from '../../combinators/parallel/join.ts'
import { parallel } from '../../combinators/parallel/parallel.ts'
import { saga } from '../../combinators/saga/saga.ts'
import { createRuntime } from '../../runtime/create-runtime.ts'
import { fakeClock } from '../../testing/fake-clock.ts'
import { memoryRuns } from '../../testing/memory-runs.ts'
import type { AgentTool } from '../../tool/agent-tool.ts'
import { compound } from '../../tool/compound.ts'
import { tool } from '../../tool/tool.ts'

const slowly = z.string().refine(async (text) => text !== '')

/** A step with an effect, its undoing, and their log. */
function noted() {
  const log: string[] = []
  const note = (name: string) =>
    tool({ name, description: 'Notes.', effect: 'write', idempotent: 'keyed', execute: () => (log.push(name), name) })
  return { log, note, undo: { with: note('release'), class: 'reversible', input: () => 'x' } as const }
}

const nap = compound({
  name: 'nap',
  description: 'Sleeps.',
  parts: {},
  async run(_input, context) {
    await context.sleep('10m')
    return 'awake'
  },
})

type Made = ReturnType<typeof noted>

const ASYNC: readonly (readonly [string, (made: Made) => AgentTool<string, unknown>])[] = [
  [
    'of the saga itself',
    ({ note, undo }) =>
      saga({ name: 'book', description: 'Books.', inputSchema: slowly })
        .step('hold', note('hold'), { compensate: undo })
        .step('pay', gate(note('pay')))
        .build(),
  ],
  [
    'of a compound before the saga',
    ({ note, undo }) => {
      const before = compound({ name: 'before', description: 'Checks.', inputSchema: slowly, parts: {}, run: (input) => input })
      const book = saga({ name: 'book', description: 'Books.' })
        .step('hold', note('hold'), { compensate: undo })
        .step('pay', gate(note('pay')))
        .build()
      return compound({
        name: 'both',
        description: 'One, then the other.',
        parts: { before, book },
        async run(input, context, parts) {
          const checked = await context.call('before', parts.before, input)
          return checked.ok ? context.call('book', parts.book, input) : checked
        },
      })
    },
  ],
  [
    'of the output of a compound before the saga',
    ({ note, undo }) => {
      const before = compound({ name: 'before', description: 'Checks.', outputSchema: slowly, parts: {}, run: (input) => input })
      return saga({ name: 'book', description: 'Books.' })
        .step('before', before)
        .step('hold', note('hold'), { compensate: undo })
        .step('pay', gate(note('pay')))
        .build()
    },
  ],
]

describe('a run that is taken up when it is over', () => {
  test.each(ASYNC)('undoes its saga behind an asynchronous schema %s [G2]', async (_what, make) => {
    for (const end of ['cancel', 'deadline'] as const) {
      const made = noted()
      const clock = fakeClock()
      const runs = memoryRuns({ clock })
      const whole = make(made)
      const runtime = createRuntime({ tools: [whole], database: runs })
      const run = await runtime.start(whole, 'x', { deadline: '1m' })
      await runs.idle()
      if (end === 'cancel') await run.cancel('enough')
      else runs.crash()
      const again = end === 'cancel' ? runtime : createRuntime({ tools: [whole], database: runs })
      if (end === 'deadline') {
        await runs.idle()
        await (await again.run(run.id)).cancel()
      }
      const result = await (await again.run(run.id)).result()
      expect(result.text).toContain('Undone: hold.')
      expect(made.log).toEqual(['hold', 'release'])
      await again.close()
    }
  })

  test('goes on undoing a loser behind an asynchronous schema when the process died meanwhile', async () => {
    const { log, note } = noted()
    const clock = fakeClock()
    const runs = memoryRuns({ clock })
    let died = false
    const release = tool({
      name: 'release',
      description: 'Releases.',
      effect: 'write',
      idempotent: 'keyed',
      execute: async () => {
        if (!died) await new Promise(() => {})
        log.push('release')
      },
    })
    const book = saga({ name: 'book', description: 'Books.', inputSchema: slowly })
      .step('hold', note('hold'), { compensate: { with: release, class: 'reversible', input: () => 'x' } })
      .step('wait', nap)
      .build()
    const fast = compound({
      name: 'fast',
      description: 'Answers soon.',
      parts: {},
      run: async (_input, context) => (await context.sleep('1s'), 'fast'),
    })
    const whole = parallel({ book, fast }, { join: first(), inputSchema: z.string() })
    const before = createRuntime({ tools: [whole], database: runs })
    const run = await before.start(whole, 'x')
    await runs.idle()
    await clock.advance(2000)
    await clock.advance(1)
    runs.crash()
    died = true
    const after = createRuntime({ tools: [whole], database: runs })
    const result = await (await after.run(run.id)).result()
    expect(result).toMatchObject({ ok: true, value: 'fast' })
    expect(log).toEqual(['hold', 'release'])
    await after.close()
  })

  test.each([
    ['the deadline', 'deadline', 'The deadline passed'],
    ['a cancel', 'cancel', 'The call was cancelled'],
  ] as const)('does not take a sleep that %s cut off for one that is over', async (_what, end, message) => {
    const { log, note, undo } = noted()
    const clock = fakeClock()
    const runs = memoryRuns({ clock })
    const order = saga({ name: 'order', description: 'Orders.' }).step('hold', note('hold'), { compensate: undo }).step('last', nap).build()
    const runtime = createRuntime({ tools: [order], database: runs })
    const run = await runtime.start(order, 'x', { deadline: '1m' })
    await runs.idle()
    if (end === 'cancel') await run.cancel()
    else await clock.advance(61_000)
    const result = await run.result()
    expect(result.ok).toBe(false)
    expect(result.text).toContain(message)
    expect(result.text).toContain('Undone: hold.')
    expect(log).toEqual(['hold', 'release'])
    await runtime.close()
  })
})

describe('a run that sleeps', () => {
  test('is taken up when the time of an inner compound is up, not when its sleep is over', async () => {
    const clock = fakeClock()
    const runs = memoryRuns({ clock })
    const whole = compound({
      name: 'whole',
      description: 'Gives a part one minute.',
      parts: { nap },
      run: (input, context, parts) => context.call('nap', parts.nap, input, { deadline: '1m' }),
    })
    const runtime = createRuntime({ tools: [whole], database: runs })
    const run = await runtime.start(whole, 'x')
    await runs.idle()
    await clock.advance(61_000)
    const result = await run.result()
    expect(result).toMatchObject({ ok: false, error: { code: 'deadline_exceeded' } })
    await runtime.close()
  })
})
