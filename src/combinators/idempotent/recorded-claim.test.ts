import { describe, expect, test } from 'vitest'
import { byOrder, type PaymentInput, payments } from '../../../test/fixtures/idempotent/payments.ts'
import { fakeClock, settled } from '../../testing/fake-clock.ts'
import { recordingReview } from '../../testing/recording-review.ts'
import type { AgentTool } from '../../tool/agent-tool.ts'
import { compound } from '../../tool/compound.ts'
import { ToolError } from '../../tool/errors/tool-error.ts'
import { memoryJournal } from '../../tool/journal/journal.ts'
import { tool } from '../../tool/tool.ts'

import { gate } from '../gate/gate.ts'
import { idempotent } from './idempotent.ts'
import { memoryIdempotency } from './memory-idempotency.ts'
import { saga } from '../saga/saga.ts'

describe('a recorded run', () => {
  /** Pays twice under one key, then says what it has. */
  function paysTwice(once: AgentTool<PaymentInput, string>) {
    return compound({
      name: 'whole',
      description: 'd',
      parts: { once },
      run: async (_input, context) => {
        const first = await context.call('first', once, { order: 'a' })
        const second = await context.call('second', once, { order: 'a' })
        return `${first.text}; ${second.text}`
      },
    })
  }

  test('taken up again from any point of its record takes its own claim up again, and pays once [G4]', async () => {
    const clock = fakeClock()
    const store = memoryIdempotency({ clock })
    const { pay, keys } = payments({ idempotent: 'keyed' })
    const whole = paysTwice(idempotent(pay, { ...byOrder, store }))
    const journal = memoryJournal()
    const live = await whole.call('x', { clock, journal })
    const claimed = journal.entries.findIndex(({ path }) => path === 'whole/first:holder') + 1
    expect(claimed).toBeGreaterThan(0)
    for (let prefix = claimed; prefix <= journal.entries.length; prefix++) {
      const again = await whole.call('x', { clock, journal: memoryJournal(journal.entries.slice(0, prefix)) })
      expect(again.text.replaceAll(/payment \d/g, 'payment')).toBe(live.text.replaceAll(/payment \d/g, 'payment'))
    }
    expect(new Set(keys).size).toBe(1)
  })

  test('gives the answer that was recorded, whatever the store has forgotten since', async () => {
    const clock = fakeClock()
    const { pay, keys } = payments()
    const once = idempotent(pay, { ...byOrder, keepFor: '1h', store: memoryIdempotency({ clock }) })
    await once.call({ order: 'a' }, { clock })
    const journal = memoryJournal()
    const told = await once.call({ order: 'a' }, { clock, journal })
    await clock.advance(7_200_000)
    const again = await once.call({ order: 'a' }, { clock, journal: memoryJournal(journal.entries) })
    expect([again.text, again.issues]).toEqual([told.text, told.issues])
    expect(keys).toHaveLength(1)
  })

  test('is another holder than a second run with the same key', async () => {
    const clock = fakeClock()
    const { pay, keys } = payments({ ms: 100 })
    const once = idempotent(pay)
    const calls = [1, 2].map(() => once.call({ order: 'a' }, { clock, journal: memoryJournal(), idempotencyKey: 'k' }))
    const results = await clock.until(Promise.all(calls))
    expect([new Set(results.map(({ text }) => text)).size, keys.length]).toEqual([1, 1])
  })

  test('that waits for a person in memory, and may be put away for ever, holds its key without a timer', async () => {
    const clock = fakeClock()
    const once = idempotent(gate(payments().pay), { ...byOrder, store: memoryIdempotency({ clock }), lease: '1s' })
    void once.call({ order: 'a' }, { clock, journal: memoryJournal(), review: { review: () => new Promise<never>(() => {}) } })
    await clock.advance(86_400_000)
    expect(clock.pending()).toBe(0)
    const waiting = clock.until(once.call({ order: 'a' }, { clock, review: recordingReview() }))
    expect((await waiting).text).toContain('waited for another call with the same key')
  })

  test('that is durable holds its key without a timer, for as long as it is parked', async () => {
    const clock = fakeClock()
    const store = memoryIdempotency({ clock })
    const once = idempotent(gate(payments().pay), { ...byOrder, store, lease: '1s' })
    const journal = { ...memoryJournal(), durable: true }
    const options = { clock, journal, idempotencyKey: 'run-1', deadline: Infinity }
    void once.call({ order: 'a' }, { ...options, review: { review: () => new Promise<never>(() => {}) } })
    await clock.advance(86_400_000)
    expect(clock.pending()).toBe(0)
    const waiting = once.call({ order: 'a' }, { clock, review: recordingReview(), deadline: '1d' })
    await clock.advance(60_000)
    const resumed = await once.call({ order: 'a' }, { ...options, review: recordingReview() })
    expect((await clock.until(waiting)).text).toBe(resumed.text)
  })

  test('that is durable sleeps while another one holds its key', async () => {
    const clock = fakeClock()
    const { pay } = payments({ ms: 20_000 })
    const once = idempotent(pay, { ...byOrder, store: memoryIdempotency({ clock }) })
    const first = once.call({ order: 'a' }, { clock })
    await settled()
    const journal = memoryJournal()
    const waiting = once.call({ order: 'a' }, { clock, journal: { ...journal, durable: true }, idempotencyKey: 'run-2' })
    const [a, b] = await clock.until(Promise.all([first, waiting]))
    expect(a.text).toBe(b.text)
    expect(journal.entries.filter(({ kind }) => kind === 'sleep').length).toBeGreaterThan(0)
  })

  test('that is cancelled while another call has taken over its key reports what it had begun [G2] [G4]', async () => {
    const clock = fakeClock()
    const store = memoryIdempotency({ clock })
    let calls = 0
    const pay = tool({
      name: 'pay',
      description: 'Pays an order. The first answer is lost, the second takes long.',
      effect: 'write',
      idempotent: 'keyed',
      execute: async (_input, { sleep }) => {
        if (calls++ === 0) throw new ToolError('No answer.', { class: 'transient', outcome: 'unknown' })
        await sleep('1h')
      },
    })
    const once = idempotent(pay, { key: () => 'a', store })
    const order = saga({ name: 'order', description: 'Orders.' }).step('pay', once).build()
    const journal = memoryJournal()
    await clock.until(order.call('x', { clock, journal }))
    const begun = journal.entries.findIndex((entry) => entry.path === 'order/pay/once' && 'result' in entry && entry.result !== undefined)
    void once.call('x', { clock, deadline: '2h' })
    await settled()
    expect([begun > 0, calls]).toEqual([true, 2])
    const resumed = order.call('x', {
      clock,
      journal: memoryJournal(journal.entries.slice(0, begun + 1)),
      signal: AbortSignal.abort(),
    })
    expect((await clock.until(resumed)).compensation).toMatchObject({ state: 'compensation_failed', notUndone: ['pay/once'] })
  })
})
