import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { gate } from '../../combinators/gate/gate.ts'
import { parallel } from '../../combinators/parallel/parallel.ts'
import { fakeClock } from '../../testing/fake-clock.ts'
import type { CallOptions } from '../context.ts'
import type { ReviewDecision } from '../review.ts'
import { tool } from '../tool.ts'

const deaf = tool({ name: 'deaf', description: 'd', effect: 'read', execute: () => new Promise<string>(() => {}) })
const nap = (ms: number) =>
  tool({ name: `nap_${ms}`, description: 'd', effect: 'read', execute: async (_input, { sleep }) => (await sleep(ms), ms) })
const asking = tool({
  name: 'asking',
  description: 'd',
  effect: 'read',
  execute: async (_input, { ask }) => (await ask({ question: 'Sure?', answerSchema: z.string() })) ?? 'nobody',
})

/** A person who answers when told to. */
function person(answer: ReviewDecision = { action: 'continue' }) {
  const open: (() => void)[] = []
  const withdrawn: string[] = []
  const review: CallOptions['review'] = {
    review: ({ tool: asked }, { signal }) =>
      new Promise((resolve) => {
        signal.addEventListener('abort', () => withdrawn.push(asked))
        open.push(() => resolve(answer))
      }),
  }
  return { review, withdrawn, answer: () => open.splice(0).forEach((each) => each()) }
}

describe('while a person is waited for', () => {
  const HOUR = 3_600_000

  test('what runs beside is still cut off at the deadline, and the request is withdrawn [T9] [T14]', async () => {
    const clock = fakeClock()
    const { review, withdrawn } = person()
    const whole = parallel({ gated: gate(nap(10)), deaf }, { name: 'whole' })
    const result = await clock.until(whole.call('x', { clock, review, deadline: '5s' }))
    expect(result).toMatchObject({ ok: false, error: { code: 'deadline_exceeded' } })
    expect(result.steps?.map(({ result: each }) => !each.ok && each.error.code)).toEqual(['deadline_exceeded', 'deadline_exceeded'])
    expect(clock.now()).toBe(fakeClock().now() + 5000)
    expect(withdrawn).toEqual(['nap_10'])
  })

  test('only the time in which something ran beside is used up [T14]', async () => {
    const clock = fakeClock()
    const { review, answer } = person()
    const call = (deadline: number) =>
      parallel({ gated: gate(nap(1000)), beside: nap(3000) }, { name: 'whole' }).call('x', { clock, review, deadline })
    const enough = call(4001)
    await clock.advance(HOUR)
    answer()
    expect(await clock.until(enough)).toMatchObject({ ok: true, value: { gated: 1000, beside: 3000 } })
    const tooLittle = call(3999)
    await clock.advance(HOUR)
    answer()
    expect(await clock.until(tooLittle)).toMatchObject({ ok: false })
  })

  test('in a branch with a deadline of its own, neither it nor the whole runs out; what begins after the wait has its full time [T14]', async () => {
    const clock = fakeClock()
    const { review, answer } = person()
    const limited = tool({
      name: 'limited',
      description: 'd',
      effect: 'read',
      deadline: '2s',
      requireApproval: true,
      execute: async (_input, { sleep }) => (await sleep(1900), 'in time'),
    })
    const whole = parallel({ limited, brief: nap(1) }, { name: 'whole' }).call('x', { clock, review, deadline: '2s' })
    await clock.advance(HOUR)
    answer()
    expect(await clock.until(whole)).toMatchObject({ ok: true, value: { limited: 'in time', brief: 1 } })
  })

  test('by a leaf that asks, or by a part of a leaf, the leaf’s own time stands still too [T14]', async () => {
    const outer = tool({
      name: 'outer',
      description: 'd',
      effect: 'read',
      execute: async (_input, { call }) => (await call('inner', asking, 'x')).text,
    })
    for (const each of [asking, outer]) {
      const clock = fakeClock()
      const { review, answer } = person({ action: 'answer', value: 'yes' })
      const result = each.call('x', { clock, review, deadline: '1s' })
      await clock.advance(HOUR)
      answer()
      expect(await clock.until(result)).toMatchObject({ ok: true, text: 'yes' })
    }
  })

  test('two at once: the clock goes when the last has been heard [T14]', async () => {
    const clock = fakeClock()
    const { review, answer } = person()
    const whole = parallel({ one: gate(nap(400)), other: gate(nap(500)) }, { name: 'whole' }).call('x', { clock, review, deadline: '1s' })
    await clock.advance(HOUR)
    answer()
    expect(await clock.until(whole)).toMatchObject({ ok: true, value: { one: 400, other: 500 } })
    const late = parallel({ one: gate(deaf), other: gate(nap(500)) }, { name: 'whole' }).call('x', { clock, review, deadline: '1s' })
    await clock.advance(HOUR)
    answer()
    expect(await clock.until(late)).toMatchObject({ ok: false })
  })
})
