import { describe, expect, test, vi } from 'vitest'
import { logger, no, threeSteps, type World, world } from '../../../test/fixtures/saga/world.ts'
import { fakeClock } from '../../testing/fake-clock.ts'
import type { AgentTool } from '../../tool/agent-tool.ts'
import type { Alert } from '../../tool/alert.ts'
import { compound } from '../../tool/compound.ts'
import { ConfigurationError } from '../../tool/errors/configuration-error.ts'
import { ToolError } from '../../tool/errors/tool-error.ts'
import { memoryJournal } from '../../tool/journal/journal.ts'
import type { ReviewDecision } from '../../tool/review.ts'
import { tool } from '../../tool/tool.ts'
import { saga } from './saga.ts'

describe('a compensation that fails', () => {
  test('does not keep the others from running; it is logged as critical and raised as an alert [G1]', async () => {
    const here = world()
    const clock = fakeClock()
    const log = logger()
    const alerts: Alert[] = []
    here.fail('c', () => no('the c is out'))
    here.fail('unb', () => no('b is stuck'))
    const result = await clock.until(
      threeSteps(here).call('x', { clock, log, alert: (alert) => void alerts.push(alert), idempotencyKey: 'run-7', traceId: 't' }),
    )
    expect(here.log).toEqual(['a x', 'b x', 'una x'])
    expect(result).toMatchObject({
      error: { outcome: 'unknown', retryable: false },
      compensation: {
        state: 'compensation_failed',
        outcomes: [
          { step: 'c', status: 'not_needed' },
          { step: 'b', status: 'failed', attempts: 3, error: { message: 'b is stuck' } },
          { step: 'a', status: 'undone', attempts: 1 },
        ],
        notUndone: ['b'],
      },
    })
    expect(result.text).toBe("Error: Step 'c' failed: the c is out. Not undone: b. Undone: a.")
    expect(log.lines).toContain("fatal Step 'b' of 'three' could not be undone: b is stuck")
    expect(alerts).toMatchObject([{ kind: 'compensation_failed', saga: 'three', path: 'three', step: 'b', runId: 'run-7', traceId: 't' }])
    expect(alerts[0]?.error?.message).toBe('b is stuck')
  })

  test('is logged as an error that says CRITICAL where the logger knows no fatal [G1]', async () => {
    const here = world()
    const clock = fakeClock()
    const { fatal: _fatal, ...log } = logger()
    here.fail('c', () => no())
    here.fail('una', () => no('stuck'))
    await clock.until(threeSteps(here).call('x', { clock, log }))
    expect(log.lines).toContain("error CRITICAL: Step 'a' of 'three' could not be undone: stuck")
  })

  test('an alert that throws, rejects or never comes back changes nothing but is logged [G1]', async () => {
    const hooks = [
      () => {
        throw new Error('pager is down')
      },
      async () => {
        throw new Error('pager is down')
      },
      () => new Promise<void>(() => {}),
    ]
    for (const alert of hooks) {
      const here = world()
      const clock = fakeClock()
      const log = logger()
      here.fail('c', () => no())
      here.fail('unb', () => no())
      const result = await clock.until(threeSteps(here).call('x', { clock, log, alert }))
      expect(result.compensation?.state).toBe('compensation_failed')
      expect(here.log).toEqual(['a x', 'b x', 'una x'])
      expect(log.lines.filter((line) => line.startsWith("error The alert about step 'b' of 'three' failed:")).length).toBe(1)
    }
  })

  test('an alert is made once in a run, also when the run is replayed [G1] [G3]', async () => {
    const here = world()
    const clock = fakeClock()
    const alert = vi.fn<(alert: Alert) => void>()
    here.fail('c', () => no())
    here.fail('unb', () => no())
    const journal = memoryJournal()
    await clock.until(threeSteps(here).call('x', { clock, alert, journal, idempotencyKey: 'k' }))
    await clock.until(threeSteps(here).call('x', { clock, alert, journal: memoryJournal(journal.entries), idempotencyKey: 'k' }))
    expect(alert).toHaveBeenCalledTimes(1)
  })

  test('is not asked for again when a person has said no to it [G1]', async () => {
    const here = world()
    const review = vi.fn<() => ReviewDecision>(() => ({ action: 'reject' }))
    const gated = tool({ name: 'gated', description: 'd', effect: 'write', requireApproval: true, execute: () => 'never' })
    here.fail('b', () => no())
    const whole = saga({ name: 'whole', description: 'd' })
      .step('a', here.act('a'), { compensate: { with: gated, class: 'semantic', input: () => '', attempts: 5 } })
      .step('b', here.act('b'))
      .build()
    const result = await whole.call('x', { review: { review } })
    expect(result.compensation).toMatchObject({
      state: 'compensation_failed',
      outcomes: [{}, { attempts: 1, error: { code: 'rejected' } }],
    })
    expect(review).toHaveBeenCalledTimes(1)
  })

  test('makes the failure one that is not to be repeated [G1]', async () => {
    const here = world()
    const clock = fakeClock()
    here.fail('c', () => new ToolError('busy', { code: 'service_unavailable', outcome: 'failed' }))
    expect(await clock.until(threeSteps(here).call('x', { clock }))).toMatchObject({ error: { retryable: true, outcome: 'failed' } })
    here.fail('una', () => no())
    expect(await clock.until(threeSteps(here).call('y', { clock }))).toMatchObject({
      error: {
        code: 'service_unavailable',
        retryable: false,
        outcome: 'unknown',
        hint: expect.stringContaining('A person must correct this'),
      },
    })
  })

  test('a mistake in the program comes up in the input of a compensation: the others run, and it passes [G1]', async () => {
    const here = world()
    here.fail('c', () => no())
    const whole = saga({ name: 'whole', description: 'd' })
      .step(...here.step('a'))
      .step('b', here.act('b'), {
        compensate: {
          with: here.act('unb'),
          class: 'reversible',
          input: () => {
            throw new ConfigurationError('invalid_option', 'There is no such option.')
          },
        },
      })
      .step('c', here.act('c'))
      .build()
    await expect(whole.call('x')).rejects.toThrow('There is no such option.')
    expect(here.log).toEqual(['a x', 'b x', 'una x'])
  })

  test('a compensation without an input fails like any other [G1]', async () => {
    const here = world()
    here.fail('b', () => no())
    const whole = saga({ name: 'whole', description: 'd' })
      .step('a', here.act('a'), {
        compensate: {
          with: here.act('una'),
          class: 'reversible',
          input: () => {
            throw new Error('no input')
          },
        },
      })
      .step('b', here.act('b'))
      .build()
    expect((await whole.call('x')).compensation).toMatchObject({
      state: 'compensation_failed',
      outcomes: [{ step: 'b' }, { step: 'a', status: 'failed', attempts: 0, error: { code: 'adapter_failed' } }],
    })
  })
})

describe('the shield of a compensation', () => {
  /** A step that lasts until it is cut off. */
  const endless = tool({ name: 'endless', description: 'd', effect: 'write', execute: () => new Promise<string>(() => {}) })

  function cutOff({ step, act }: World): AgentTool<string, unknown> {
    return saga({ name: 'cut', description: 'd' })
      .step(...step('a'))
      .step('endless', endless, { compensate: { with: act('stop'), class: 'reversible', input: ({ stepInput }) => stepInput } })
      .build()
  }

  test('the caller gives up: everything is undone, and the saga is aborted [G1] [G3]', async () => {
    const here = world()
    const controller = new AbortController()
    const pending = cutOff(here).call('x', { signal: controller.signal })
    await new Promise((resolve) => setImmediate(resolve))
    controller.abort()
    const result = await pending
    expect(here.log).toEqual(['a x', 'stop x', 'una x'])
    expect(result).toMatchObject({
      error: { code: 'cancelled', outcome: 'failed' },
      compensation: { state: 'aborted', failedStep: 'endless' },
    })
  })

  test('the deadline passes: everything is undone [G1]', async () => {
    const here = world()
    const clock = fakeClock()
    const result = await clock.until(cutOff(here).call('x', { clock, deadline: '5s' }))
    expect(here.log).toEqual(['a x', 'stop x', 'una x'])
    expect(result).toMatchObject({ error: { code: 'deadline_exceeded', outcome: 'failed' }, compensation: { state: 'compensated' } })
  })

  test('after the deadline failed compensations still wait and are tried again [G1]', async () => {
    const here = world()
    const clock = fakeClock()
    let left = 2
    here.fail('una', () => (left-- > 0 ? no() : undefined))
    const result = await clock.until(cutOff(here).call('x', { clock, deadline: '5s' }))
    expect(result.compensation).toMatchObject({ state: 'compensated', outcomes: [{ step: 'endless' }, { step: 'a', attempts: 3 }] })
  })

  test('the caller gives up when all is just done: it is undone, unless that is impossible [G1]', async () => {
    const here = world()
    for (const compensate of [here.step('b')[2].compensate, 'irreversible'] as const) {
      const controller = new AbortController()
      here.log.length = 0
      here.fail('b', () => void controller.abort())
      const whole = saga({ name: 'whole', description: 'd' })
        .step(...here.step('a'))
        .step('b', here.act('b'), { compensate })
        .build()
      const result = await whole.call('x', { signal: controller.signal })
      expect(result.compensation?.state).toBe(compensate === 'irreversible' ? 'completed' : 'aborted')
      expect(here.log).toEqual(compensate === 'irreversible' ? ['a x', 'b x'] : ['a x', 'b x', 'unb x', 'una x'])
    }
  })

  test('a compensation has a deadline of its own [G1]', async () => {
    const here = world()
    const clock = fakeClock()
    here.fail('b', () => no())
    const whole = saga({ name: 'whole', description: 'd' })
      .step('a', here.act('a'), { compensate: { with: endless, class: 'reversible', input: () => '', attempts: 1, deadline: '7s' } })
      .step('b', here.act('b'))
      .build()
    const since = clock.now()
    const result = await clock.until(whole.call('x', { clock, deadline: '1s' }))
    expect(clock.now() - since).toBe(7000)
    expect(result.compensation?.outcomes[1]).toMatchObject({ status: 'failed', error: { code: 'deadline_exceeded' } })
  })

  test('a reviewer stops the run: what was done is undone first, then the stop passes [G1] [G3]', async () => {
    const here = world()
    const journal = memoryJournal()
    const gated = tool({ name: 'gated', description: 'd', requireApproval: true, execute: () => 'never' })
    const whole = saga({ name: 'whole', description: 'd' })
      .step(...here.step('a'))
      .step('gated', gated, { compensate: { with: here.act('ungated'), class: 'reversible', input: () => '' } })
      .build()
    const stopped = whole.call('x', { journal, review: { review: () => ({ action: 'stop', reason: 'enough' }) } })
    await expect(stopped).rejects.toThrow("A reviewer stopped the run at 'gated': enough")
    expect(here.log).toEqual(['a x', 'una x'])
    expect(journal.read('whole:saga')).toMatchObject({ value: { undoing: { state: 'aborted' } } })
  })

  test('a mistake in the program comes up in a step: what was done is undone first, then the error passes [G1]', async () => {
    const here = world()
    const wrong = tool({
      name: 'wrong',
      description: 'd',
      execute: () => {
        throw new ConfigurationError('missing_service', 'There is no database.')
      },
    })
    const whole = saga({ name: 'whole', description: 'd' })
      .step(...here.step('a'))
      .step('wrong', wrong)
      .build()
    await expect(whole.call('x')).rejects.toThrow('There is no database.')
    expect(here.log).toEqual(['a x', 'una x'])
  })

  test('a mistake in the program comes up in a compensation: the others run, and the error passes [G1]', async () => {
    const here = world()
    here.fail('c', () => no())
    here.fail('unb', () => new ConfigurationError('missing_service', 'There is no database.'))
    await expect(threeSteps(here).call('x')).rejects.toThrow('There is no database.')
    expect(here.log).toEqual(['a x', 'b x', 'una x'])
  })

  test('any part of a compound can be shielded: it outlives the deadline of its caller [G1]', async () => {
    const here = world()
    const clock = fakeClock()
    const tidy = compound({
      name: 'tidy',
      description: 'd',
      parts: { endless, clean: here.act('clean') },
      run: async (input, context, parts) => {
        const cut = await context.call('endless', parts.endless, input)
        await context.call('clean', parts.clean, input, { shielded: true })
        return cut
      },
    })
    await clock.until(tidy.call('x', { clock, deadline: '1s' }))
    expect(here.log).toEqual(['clean x'])
  })
})
