import { describe, expect, test } from 'vitest'
import { fakeClock } from '../../testing/fake-clock.ts'
import { recordEvents } from '../../testing/record-events.ts'
import { compound } from '../../tool/compound.ts'
import { ConfigurationError } from '../../tool/errors/configuration-error.ts'
import type { ReviewDecision } from '../../tool/review.ts'
import { tool } from '../../tool/tool.ts'
import { gate } from '../gate/gate.ts'
import { all, best, first, partial, quorum } from './join.ts'
import { parallel } from './parallel.ts'
import { endless } from '../../../test/fixtures/parallel/endless.ts'

const quick = tool({ name: 'quick', description: 'd', effect: 'read', execute: async (_input, { sleep }) => (await sleep(1), 'quick') })

describe('losers', () => {
  test.each([
    ['first', first()],
    ['quorum', quorum({ count: 1 })],
    ['partial', partial({ after: 10 })],
  ])('%s: cancellation reaches the signal of what still runs, and its events tell of it [C3]', async (_name, join) => {
    const clock = fakeClock()
    const slow = endless('slow')
    const inner = parallel({ deep: slow.tool }, { name: 'inner' })
    const recorder = recordEvents()
    const result = await clock.until(parallel({ quick, inner }, { name: 'whole', join }).call('x', { clock, on: recorder }))
    expect(result.ok).toBe(true)
    expect(slow.seen).toEqual(['began', 'aborted: The rest of the group is no longer needed.'])
    expect(result.steps?.map(({ label }) => label)).toEqual(['quick'])
    const ended = recorder.events.filter((event) => event.type === 'call.finished').map(({ call, code }) => `${call.path} ${code ?? 'ok'}`)
    expect(ended).toEqual(['whole/quick ok', 'whole/inner/deep cancelled', 'whole/inner cancelled', 'whole ok'])
    expect(clock.pending()).toBe(0)
  })

  test('the whole ends when those that it cancelled have let go', async () => {
    const clock = fakeClock()
    const slow = endless('slow')
    const order: string[] = []
    const cleaning = compound({
      name: 'cleaning',
      description: 'd',
      parts: { slow: slow.tool },
      run: async (input, context) => {
        await context.call('slow', slow.tool, input)
        for (let turn = 0; turn < 50; turn++) await Promise.resolve()
        order.push('cleaned up')
        return 'late'
      },
    })
    await clock.until(
      parallel({ cleaning, quick }, { join: first() })
        .call('x', { clock })
        .then(({ text }) => order.push(text)),
    )
    expect(order).toEqual(['cleaned up', 'quick'])
  })

  test('an open request for approval is withdrawn [T14] [C3]', async () => {
    const clock = fakeClock()
    const withdrawn: string[] = []
    const review = {
      review: ({ tool: name }: { tool: string }, { signal }: { signal: AbortSignal }) => {
        signal.addEventListener('abort', () => withdrawn.push(name))
        return new Promise<ReviewDecision>(() => {})
      },
    }
    let ran = 0
    const pay = gate(tool({ name: 'pay', description: 'd', execute: () => ++ran }))
    const result = await clock.until(parallel({ pay, quick }, { join: first() }).call('x', { clock, review }))
    expect(result).toMatchObject({ ok: true, value: 'quick' })
    expect([withdrawn, ran]).toEqual([['pay'], 0])
  })

  test('no step of a loser starts after the decision [C3]', async () => {
    const clock = fakeClock()
    const began: string[] = []
    const step = (name: string) =>
      tool({ name, description: 'd', effect: 'read', execute: async (_input, { sleep }) => (began.push(name), await sleep(2), name) })
    const [one, two] = [step('one'), step('two')]
    const steps = compound({
      name: 'steps',
      description: 'd',
      parts: { one, two },
      run: async (input, context) => {
        await context.call('one', one, input)
        return context.call('two', two, input)
      },
    })
    await clock.until(parallel({ steps, quick }, { join: first() }).call('x', { clock }))
    await clock.advance(100)
    expect(began).toEqual(['one'])
  })

  test('a branch keeps the deadline of its own tool in a race', async () => {
    const clock = fakeClock()
    const slow = endless('slow')
    const impatient = tool({
      name: 'impatient',
      description: 'd',
      effect: 'read',
      deadline: 20,
      execute: () => new Promise<string>(() => {}),
    })
    const result = await clock.until(parallel({ impatient, slow: slow.tool }, { join: quorum(1) }).call('x', { clock }))
    expect(clock.now() - fakeClock().now()).toBe(20)
    expect(result).toMatchObject({ ok: false, error: { code: 'deadline_exceeded' } })
  })
})

describe('something fatal in a branch', () => {
  const misconfigured = tool({
    name: 'misconfigured',
    description: 'd',
    effect: 'read',
    execute: async (_input, { sleep }) => {
      await sleep(5)
      throw new ConfigurationError('missing_service', 'No database.')
    },
  })

  test.each([
    ['all', all()],
    ['best', best(() => 1)],
    ['first', first()],
    ['quorum', quorum(1)],
    ['partial', partial({ after: '1m' })],
  ])('%s: cancels the others, waits for them to end, then passes [T7] [C3]', async (_name, join) => {
    const clock = fakeClock()
    const slow = endless('slow')
    const ended: string[] = []
    const cleaning = compound({
      name: 'cleaning',
      description: 'd',
      parts: { slow: slow.tool },
      run: async (input, context) => {
        const result = await context.call('slow', slow.tool, input)
        for (let turn = 0; turn < 50; turn++) await Promise.resolve()
        ended.push('cleaned up')
        return result
      },
    })
    const whole = parallel({ misconfigured, cleaning }, { name: 'whole', join })
    const outer = compound({
      name: 'outer',
      description: 'd',
      parts: { whole },
      run: (input, context) => context.call('whole', whole, input),
    })
    for (const called of [whole, outer]) {
      const noting = called.call('x', { clock }).catch((error: Error) => ended.push(error.message))
      await clock.until(noting)
      expect(ended.splice(0)).toEqual(['cleaned up', 'No database.'])
      expect(slow.seen.splice(0).length).toBe(2)
      expect(clock.pending()).toBe(0)
    }
  })

  test('begins no branch that waits for its turn', async () => {
    const clock = fakeClock()
    const slow = endless('slow')
    const late = endless('late')
    for (const join of [all(), partial({ after: '1m' })]) {
      const recorder = recordEvents()
      const whole = parallel({ misconfigured, slow: slow.tool, late: late.tool }, { name: 'whole', join, concurrency: 2 })
      await expect(clock.until(whole.call('x', { clock, on: recorder }))).rejects.toThrow('No database.')
      expect(recorder.summary()).not.toContain('call.started whole/late')
    }
    expect(late.seen).toEqual([])
  })

  test('whoever stops the run stops the other branches first [T14]', async () => {
    const slow = endless('slow')
    const pay = gate(tool({ name: 'pay', description: 'd', execute: () => 'paid' }))
    const review = { review: async (): Promise<ReviewDecision> => ({ action: 'stop', reason: 'enough' }) }
    await expect(parallel({ pay, slow: slow.tool }).call('x', { review })).rejects.toThrow('enough')
    expect(slow.seen.length).toBe(2)
  })

  test('leaves whoever called it free to clean up in the same scope', async () => {
    const clock = fakeClock()
    const undo = tool({ name: 'undo', description: 'd', effect: 'write', execute: () => 'undone' })
    const whole = parallel({ misconfigured, quick })
    const texts: string[] = []
    const careful = compound({
      name: 'careful',
      description: 'd',
      parts: { whole, undo },
      run: async (input, context) => {
        try {
          return await context.call('whole', whole, input)
        } catch (error) {
          texts.push((await context.call('undo', undo, input)).text)
          throw error
        }
      },
    })
    await expect(clock.until(careful.call('x', { clock }))).rejects.toThrow('No database.')
    expect(texts).toEqual(['undone'])
  })
})
