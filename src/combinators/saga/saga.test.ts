import { describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { logger, no, threeSteps, type World, world } from '../../../test/fixtures/saga/world.ts'
import { fakeClock } from '../../testing/fake-clock.ts'
import type { AgentTool } from '../../tool/agent-tool.ts'
import type { Alert } from '../../tool/alert.ts'
import { ToolError } from '../../tool/errors/tool-error.ts'
import type { ReviewRequest } from '../../tool/review.ts'
import { tool } from '../../tool/tool.ts'
import { pipe } from '../pipe/pipe.ts'
import { gate } from '../gate/gate.ts'
import { saga } from './saga.ts'

describe('a saga', () => {
  test('runs its steps in order and gives what they gave [G1]', async () => {
    const here = world()
    const result = await threeSteps(here).call('x')
    expect(here.log).toEqual(['a x', 'b x', 'c x'])
    expect(result).toMatchObject({
      ok: true,
      value: { a: 'ad x', b: 'bd x', c: 'cd x' },
      compensation: { state: 'completed', durable: false, outcomes: [], notUndone: [] },
    })
  })

  test('undoes in reverse what was done when a step fails, and says so [G1]', async () => {
    const here = world()
    here.fail('c', () => no('the c is out'))
    const result = await threeSteps(here).call('x')
    expect(here.log).toEqual(['a x', 'b x', 'unb x', 'una x'])
    expect(result.text).toBe("Error: Step 'c' failed: the c is out. Undone: b, a.")
    expect(result).toMatchObject({
      ok: false,
      error: { code: 'tool_failed', outcome: 'failed' },
      compensation: {
        state: 'compensated',
        failedStep: 'c',
        error: { message: 'the c is out' },
        outcomes: [
          { step: 'c', status: 'not_needed', attempts: 0 },
          { step: 'b', status: 'undone', attempts: 1 },
          { step: 'a', status: 'undone', attempts: 1 },
        ],
        notUndone: [],
        results: { a: 'ad x', b: 'bd x' },
      },
    })
  })

  test('feeds steps and compensations from its input and from what steps gave [G1]', async () => {
    const seen: unknown[] = []
    const reserve = tool({
      name: 'reserve',
      description: 'd',
      inputSchema: z.object({ sku: z.string() }),
      effect: 'write',
      execute: ({ sku }) => ({ id: `r-${sku}`, total: 12 }),
    })
    const release = tool({
      name: 'release',
      description: 'd',
      inputSchema: z.object({ reservation: z.string() }),
      effect: 'write',
      execute: (input) => void seen.push(input),
    })
    const charge = tool({
      name: 'charge',
      description: 'd',
      inputSchema: z.object({ card: z.string(), amount: z.number() }),
      execute: (input) => {
        seen.push(input)
        throw no('declined')
      },
    })
    const order = saga({ name: 'order', description: 'd', inputSchema: z.object({ sku: z.string(), card: z.string() }) })
      .step('reserve', reserve, {
        input: ({ input }) => ({ sku: input.sku }),
        compensate: { with: release, class: 'reversible', input: ({ value, stepInput }) => ({ reservation: value?.id ?? stepInput.sku }) },
      })
      .step('charge', charge, {
        input: ({ input, results }) => ({ card: input.card, amount: results.reserve.value.total }),
        compensate: 'irreversible',
      })
      .build({ output: ({ results }) => results.reserve.value.id })
    const result = await order.call({ sku: 's', card: '4242' })
    expect(seen).toEqual([{ card: '4242', amount: 12 }, { reservation: 'r-s' }])
    expect(result.compensation?.state).toBe('compensated')
  })

  test('makes its output of the results; an output that cannot be made undoes everything [G1]', async () => {
    const here = world()
    const whole = saga({ name: 'whole', description: 'd' }).step(...here.step('a'))
    expect(await whole.build({ output: ({ input, results }) => `${input}: ${results.a.text}` }).call('x')).toMatchObject({
      value: 'x: ad x',
    })
    const broken = await whole
      .build({
        output: () => {
          throw new Error('no output')
        },
      })
      .call('y')
    expect(here.log).toEqual(['a x', 'a y', 'una y'])
    expect(broken).toMatchObject({
      ok: false,
      error: { code: 'adapter_failed', outcome: 'failed' },
      compensation: { state: 'compensated' },
    })
    expect(broken.compensation?.failedStep).toBeUndefined()
  })

  test('undoes a step whose outcome nobody knows [G1]', async () => {
    const here = world()
    here.fail('b', () => new ToolError('lost', { outcome: 'unknown' }))
    const result = await threeSteps(here).call('x')
    expect(here.log).toEqual(['a x', 'unb x', 'una x'])
    expect(result).toMatchObject({ error: { outcome: 'failed' }, compensation: { state: 'compensated', failedStep: 'b' } })
  })

  test('tells the input of a compensation what the step came to, failure or not [G1]', async () => {
    const here = world()
    const told: unknown[] = []
    here.fail('b', () => new ToolError('lost', { outcome: 'unknown' }))
    const whole = saga({ name: 'whole', description: 'd' })
      .step('a', here.act('a'))
      .step('b', here.act('b'), {
        input: ({ results }) => `${results.a.text}!`,
        compensate: {
          with: here.act('unb'),
          class: 'traces',
          input: ({ input, stepInput, result, value, results }) => {
            told.push(input, stepInput, result.ok, value, results.a.value)
            return 'back'
          },
        },
      })
      .build()
    await whole.call('x')
    expect(told).toEqual(['x', 'ad x!', false, undefined, 'ad x'])
  })

  test('fails when a step has no input, and undoes those before it [G1]', async () => {
    const here = world()
    const whole = saga({ name: 'whole', description: 'd' })
      .step(...here.step('a'))
      .step('b', here.act('b'), {
        input: () => {
          throw new Error('cannot')
        },
      })
      .build()
    const result = await whole.call('x')
    expect(here.log).toEqual(['a x', 'una x'])
    expect(result).toMatchObject({
      error: { code: 'adapter_failed', outcome: 'failed' },
      compensation: { failedStep: 'b', state: 'compensated' },
    })
  })
})

describe('the budgets of a saga', () => {
  const unavailable = (outcome: 'failed' | 'unknown'): Error => new ToolError('busy', { code: 'service_unavailable', outcome })

  function flaky({ act, step }: World, attempts: number): AgentTool<string, unknown> {
    return saga({ name: 'flaky', description: 'd' })
      .step(...step('a'))
      .step('b', act('b'), { attempts, compensate: 'irreversible' })
      .build()
  }

  test('a step is tried again within its budget, under the same key, with growing pauses [G1] [G4]', async () => {
    const here = world()
    const clock = fakeClock()
    let left = 2
    here.fail('b', () => (left-- > 0 ? unavailable('failed') : undefined))
    const since = clock.now()
    const result = await clock.until(flaky(here, 3).call('x', { clock, random: () => 0.5 }))
    expect(result.ok).toBe(true)
    expect(clock.now() - since).toBe(300 + 500)
    expect(here.keys.filter((key) => key.startsWith('b ')).length).toBe(3)
    expect(new Set(here.keys.filter((key) => key.startsWith('b '))).size).toBe(1)
    expect(result.steps?.map(({ path }) => path)).toEqual(['flaky/a', 'flaky/b', 'flaky/b@2', 'flaky/b@3'])
  })

  test('when the budget is spent, the saga is undone [G1]', async () => {
    const here = world()
    const clock = fakeClock()
    here.fail('b', () => unavailable('failed'))
    const result = await clock.until(flaky(here, 2).call('x', { clock }))
    expect(here.keys.filter((key) => key.startsWith('b ')).length).toBe(2)
    expect(here.log).toEqual(['a x', 'una x'])
    expect(result).toMatchObject({ error: { code: 'service_unavailable', retryable: true, outcome: 'failed' } })
  })

  test('a failure that another try cannot help is not tried again [G1]', async () => {
    const here = world()
    here.fail('b', () => no())
    await flaky(here, 5).call('x')
    expect(here.keys.filter((key) => key.startsWith('b ')).length).toBe(1)
  })

  test('after an unknown outcome only what bears repeating is tried again [G1]', async () => {
    const clock = fakeClock()
    for (const [idempotent, tries] of [
      [false, 1],
      ['keyed', 3],
      [true, 3],
    ] as const) {
      let tried = 0
      const lost = tool({
        name: 'lost',
        description: 'd',
        effect: 'write',
        idempotent,
        execute: () => {
          tried++
          throw unavailable('unknown')
        },
      })
      await clock.until(saga({ name: 's', description: 'd' }).step('lost', lost, { attempts: 3 }).build().call('x', { clock }))
      expect(tried).toBe(tries)
    }
  })

  test('a step that may have taken effect in an attempt before is undone, however the last one ended [G1]', async () => {
    const here = world()
    const clock = fakeClock()
    let tried = 0
    here.fail('b', () => (++tried === 1 ? unavailable('unknown') : no('not any more')))
    const whole = saga({ name: 'whole', description: 'd' })
      .step('b', here.act('b'), { attempts: 3, compensate: here.step('b')[2].compensate })
      .build()
    const result = await clock.until(whole.call('x', { clock }))
    expect(tried).toBe(2)
    expect(here.log).toEqual(['unb x'])
    expect(result).toMatchObject({ error: { outcome: 'failed' }, compensation: { state: 'compensated' } })
  })

  test('a compensation is tried until its budget is spent, whatever it fails with, under one key of its own [G1] [G4]', async () => {
    const here = world()
    const clock = fakeClock()
    let left = 2
    here.fail('una', () => (left-- > 0 ? no('not yet') : undefined))
    here.fail('b', () => no())
    const result = await clock.until(flaky(here, 1).call('x', { clock }))
    const keyOf = (name: string): Set<string> =>
      new Set(here.keys.filter((key) => key.startsWith(`${name} `)).map((key) => key.slice(name.length)))
    expect(keyOf('una').size).toBe(1)
    expect([...keyOf('una')]).not.toEqual([...keyOf('a')])
    expect(result.compensation).toMatchObject({
      state: 'compensated',
      outcomes: [{ step: 'b' }, { step: 'a', status: 'undone', attempts: 3 }],
    })
  })

  test('a compensation that may have happened and does not bear repeating is not repeated [G1]', async () => {
    const here = world()
    let tried = 0
    const refund = tool({
      name: 'refund',
      description: 'd',
      effect: 'write',
      execute: () => {
        tried++
        throw new ToolError('lost', { outcome: 'unknown' })
      },
    })
    here.fail('b', () => no())
    const whole = saga({ name: 'whole', description: 'd' })
      .step('a', here.act('a'), { compensate: { with: refund, class: 'semantic', input: () => 'a', attempts: 5 } })
      .step('b', here.act('b'))
      .build()
    expect((await whole.call('x')).compensation).toMatchObject({ state: 'compensation_failed', notUndone: ['a'] })
    expect(tried).toBe(1)
  })

  test('a saga that is tried again as a whole uses new keys: what it did before is undone [G4]', async () => {
    const here = world()
    const clock = fakeClock()
    let left = 1
    here.fail('b', () => (left-- > 0 ? unavailable('failed') : undefined))
    const inner = saga({ name: 'inner', description: 'd' })
      .step(...here.step('a'))
      .step(...here.step('b'))
      .build()
    const outer = saga({ name: 'outer', description: 'd' }).step('inner', pipe(inner), { attempts: 2 }).build()
    expect(inner.idempotent).toBe(false)
    expect((await clock.until(outer.call('x', { clock }))).ok).toBe(true)
    expect(here.log).toEqual(['a x', 'una x', 'a x', 'b x'])
    expect(new Set(here.keys.filter((key) => key.startsWith('a '))).size).toBe(2)
  })
})

describe('a step that cannot be undone', () => {
  test('an effect without a compensation is a warning and an alert, and the saga is not compensated [G1]', async () => {
    const here = world()
    const log = logger()
    const alert = vi.fn<(alert: Alert) => void>()
    here.fail('b', () => no())
    const whole = saga({ name: 'whole', description: 'd' }).step('a', here.act('a')).step('b', here.act('b')).build()
    const result = await whole.call('x', { log, alert })
    expect(result).toMatchObject({
      error: { outcome: 'unknown' },
      compensation: { state: 'compensation_failed', notUndone: ['a'], outcomes: [{ step: 'b' }, { step: 'a', status: 'skipped' }] },
    })
    expect(log.lines).toContain("warn Step 'a' of 'whole' took effect and has no compensation: it was not undone.")
    expect(alert.mock.calls).toMatchObject([[{ kind: 'not_undone', step: 'a' }]])
  })

  test('a step that only reads needs no compensation [G1]', async () => {
    const here = world()
    here.fail('b', () => no())
    const look = tool({ name: 'look', description: 'd', effect: 'read', execute: () => 'seen' })
    const whole = saga({ name: 'whole', description: 'd' }).step('look', look).step('b', here.act('b')).build()
    expect((await whole.call('x')).compensation).toMatchObject({
      state: 'compensated',
      outcomes: [{ step: 'b' }, { step: 'look', status: 'not_needed' }],
    })
  })

  function irreversibleFirst({ act, step }: World): AgentTool<string, unknown> {
    return saga({ name: 'whole', description: 'd' })
      .step(...step('a'))
      .step('mail', act('mail'), { compensate: 'irreversible' })
      .step(...step('b'))
      .build()
  }

  test('is approved by a person unless it is the last [G2]', async () => {
    const here = world()
    const review = vi.fn<(request: ReviewRequest) => { action: 'continue' }>(() => ({ action: 'continue' }))
    expect((await irreversibleFirst(here).call('x', { review: { review } })).ok).toBe(true)
    expect(review.mock.calls.map(([request]) => request)).toMatchObject([
      {
        tool: 'mail',
        path: 'whole/mail:approval',
        risk: 'high',
        why: "Step 'mail' of 'whole' cannot be undone, and steps come after it that may fail.",
      },
    ])
    const last = saga({ name: 'last', description: 'd' })
      .step(...here.step('a'))
      .step('mail', here.act('mail'), { compensate: 'irreversible' })
      .build()
    expect((await last.call('x')).ok).toBe(true)
  })

  test('denied, the saga is undone and aborted [G2] [G3]', async () => {
    const here = world()
    const result = await irreversibleFirst(here).call('x', { review: { review: () => ({ action: 'reject', reason: 'not today' }) } })
    expect(here.log).toEqual(['a x', 'una x'])
    expect(result).toMatchObject({ error: { code: 'rejected', outcome: 'failed' }, compensation: { state: 'aborted', failedStep: 'mail' } })
  })

  test('approved, and a later step fails: it is listed as not undone, with an alert [G2]', async () => {
    const here = world()
    const log = logger()
    const alert = vi.fn<(alert: Alert) => void>()
    here.fail('b', () => no('b is out'))
    const result = await irreversibleFirst(here).call('x', { log, alert, review: { review: () => ({ action: 'continue' }) } })
    expect(here.log).toEqual(['a x', 'mail x', 'una x'])
    expect(result).toMatchObject({ error: { outcome: 'unknown' }, compensation: { state: 'compensation_failed', notUndone: ['mail'] } })
    expect(result.text).toBe("Error: Step 'b' failed: b is out. Not undone: mail. Undone: a.")
    expect(alert.mock.calls).toMatchObject([[{ kind: 'not_undone', step: 'mail' }]])
    expect(log.lines).toContain("fatal Step 'mail' of 'whole' cannot be undone, and the saga failed after it.")
  })

  test('edited by the person, it runs with that input [G2]', async () => {
    const here = world()
    const result = await irreversibleFirst(here).call('x', { review: { review: () => ({ action: 'edit', input: 'y' }) } })
    expect(result.ok).toBe(true)
    expect(here.log).toEqual(['a x', 'mail y', 'b x'])
  })

  test('a step that a person edited is undone by what it was given then [G1]', async () => {
    const here = world()
    here.fail('b', () => no())
    const careful = saga({ name: 'whole', description: 'd' })
      .step('a', gate(here.act('a')), { compensate: here.step('a')[2].compensate })
      .step('b', here.act('b'))
      .build()
    await careful.call('x', { review: { review: () => ({ action: 'edit', input: 'y' }) } })
    expect(here.log).toEqual(['a y', 'una y'])
  })

  test('with nobody to ask nothing runs at all [G2]', async () => {
    const here = world()
    await expect(irreversibleFirst(here).call('x')).rejects.toThrow(
      "Tool 'mail' requires approval but no ReviewHandler is configured. Pass one as 'review'.",
    )
    expect(here.log).toEqual([])
  })
})
