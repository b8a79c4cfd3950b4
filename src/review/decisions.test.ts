import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { compound, gate, memoryJournal, type OnTimeout, type ReviewDecision, type ReviewHandler, tool } from '../index.ts'
import { fakeClock } from '../testing/fake-clock.ts'
import { autoReview } from './auto-review.ts'
import { createInbox } from './create-inbox.ts'

const Transfer = z.object({ to: z.string(), amount: z.number().positive(), password: z.string() })
const input = { to: 'bob', amount: 100, password: 'hunter22' }

function transfers() {
  const ran: z.output<typeof Transfer>[] = []
  const transfer = tool({
    name: 'transfer',
    description: 'Transfers money.',
    inputSchema: Transfer,
    execute: (given) => {
      ran.push(given)
      return given.amount
    },
  })
  const gated = gate(transfer, { why: 'Money leaves.' })
  const inside = compound({
    name: 'monthly',
    description: 'Pays monthly.',
    inputSchema: Transfer,
    parts: { gated },
    run: (given, context) => context.call('pay', gated, given),
  })
  const marked = tool({
    name: 'transfer_marked',
    description: 'Transfers money.',
    inputSchema: Transfer,
    requireApproval: true,
    execute: (given) => {
      ran.push(given)
      return given.amount
    },
  })
  return { ran, forms: { marked, gated, inside } }
}

/** A tool marked by itself, one behind a gate, and a gated one inside a compound: a decision means the same for all. */
describe.each(['marked', 'gated', 'inside'] as const)('a %s tool', (form) => {
  const decided = async (decision: ReviewDecision) => {
    const { ran, forms } = transfers()
    const seen: unknown[] = []
    const review = autoReview((request) => {
      seen.push(request.input)
      return decision
    })
    return { result: await forms[form].call(input, { review }), ran, seen }
  }

  test('continue runs it as it was asked for; the reviewer sees secrets masked [T14]', async () => {
    const { result, ran, seen } = await decided({ action: 'continue' })
    expect(result).toMatchObject({ ok: true, value: 100 })
    expect(ran).toEqual([input])
    expect(seen).toEqual([{ to: 'bob', amount: 100, password: '••••••' }])
  })

  test('edit with a whole input replaces it, and a field left masked keeps its value [T14]', async () => {
    const { ran } = await decided({ action: 'edit', input: { to: 'eve', amount: 7, password: '••••••' } })
    expect(ran).toEqual([{ to: 'eve', amount: 7, password: 'hunter22' }])
  })

  test('edit with a patch changes what it names [T14]', async () => {
    const { ran } = await decided({ action: 'edit', patch: { amount: 7 } })
    expect(ran).toEqual([{ to: 'bob', amount: 7, password: 'hunter22' }])
  })

  test('an edit that does not fit the schema runs nothing [T14]', async () => {
    const { result, ran } = await decided({ action: 'edit', patch: { amount: -7 } })
    expect(result).toMatchObject({ ok: false, error: { class: 'input_validation' } })
    expect(ran).toEqual([])
  })

  test('reject fails without the secret in the message [T14]', async () => {
    const { result, ran } = await decided({ action: 'reject', reason: 'not this month' })
    expect(result).toMatchObject({
      ok: false,
      text: 'Error: Rejected by reviewer, who says "not this month": {"to":"bob","amount":100,"password":"••••••"}',
      error: { class: 'rejected', retryable: false, outcome: 'not_started' },
    })
    expect(ran).toEqual([])
  })

  test('stop ends the run, whatever stands around the tool [T14]', async () => {
    await expect(decided({ action: 'stop', reason: 'fraud' })).rejects.toMatchObject({
      name: 'ExitEarly',
      message: expect.stringContaining('fraud'),
    })
  })

  test('an answer to an approval is nonsense, and nonsense rejects [T14]', async () => {
    const { result, ran } = await decided({ action: 'answer', value: true })
    expect(result).toMatchObject({ error: { code: 'reviewer_unreachable' } })
    expect(ran).toEqual([])
  })

  test('a reviewer who is lost rejects [T14]', async () => {
    const { ran, forms } = transfers()
    const lost: ReviewHandler = { review: () => Promise.reject(new Error('the line is dead')) }
    expect(await forms[form].call(input, { review: lost })).toMatchObject({
      error: {
        code: 'reviewer_unreachable',
        message: expect.stringContaining('No reviewer decided (The reviewer could not be reached: the line is dead): '),
      },
    })
    expect(ran).toEqual([])
  })

  test('nobody to ask at all is a configuration error [T14]', async () => {
    const { ran, forms } = transfers()
    await expect(forms[form].call(input)).rejects.toMatchObject({ code: 'missing_review_handler' })
    expect(ran).toEqual([])
  })

  test('a cancelled call withdraws its request [T14]', async () => {
    const { ran, forms } = transfers()
    const inbox = createInbox()
    const cancel = new AbortController()
    const result = forms[form].call(input, { review: inbox.handler, signal: cancel.signal })
    await expect.poll(() => inbox.list()).toHaveLength(1)
    const [item] = await inbox.list()
    cancel.abort()
    expect(await result).toMatchObject({ error: { code: 'cancelled', outcome: 'not_started' } })
    expect(await inbox.list()).toEqual([])
    await expect(inbox.approve(item?.request.id ?? '')).rejects.toMatchObject({ code: 'withdrawn' })
    expect(ran).toEqual([])
  })
})

describe('when nobody decides in time', () => {
  const late = (onTimeout: OnTimeout | undefined) => {
    const ran: string[] = []
    const clock = fakeClock()
    const send = tool({
      name: 'send',
      description: 'Sends.',
      requireApproval: { timeout: '1m', onTimeout },
      execute: (text) => void ran.push(text),
    })
    const result = send.call('hello', { review: createInbox().handler, clock, deadline: '1s' })
    return { ran, clock, result }
  }

  test.each([undefined, 'reject'] as const)('%s rejects [T14]', async (onTimeout) => {
    const { ran, clock, result } = late(onTimeout)
    await clock.advance(60_000)
    expect(await result).toMatchObject({
      error: { code: 'review_timed_out', hint: expect.stringContaining('Nobody decided in time, so nothing ran.') },
    })
    expect(ran).toEqual([])
  })

  test('continue runs it, and not a moment earlier [T14]', async () => {
    const { ran, clock, result } = late('continue')
    await clock.advance(59_999)
    expect(ran).toEqual([])
    await clock.advance(1)
    expect(await result).toMatchObject({ ok: true })
    expect(ran).toEqual(['hello'])
  })

  test('stop ends the run [T14]', async () => {
    const { ran, clock, result } = late('stop')
    result.catch(() => undefined)
    await clock.advance(60_000)
    await expect(result).rejects.toMatchObject({ name: 'ExitEarly' })
    expect(ran).toEqual([])
  })
})

test('days of waiting take nothing from the deadline, which goes on afterwards [T14]', async () => {
  const clock = fakeClock()
  const inbox = createInbox()
  const remaining: number[] = []
  const slow = tool({
    name: 'slow',
    description: 'Takes its time.',
    requireApproval: true,
    execute: (_text, context) => {
      remaining.push(context.remainingMs)
      return context.sleep('10s')
    },
  })
  const result = slow.call('x', { review: inbox.handler, clock, deadline: '5s' })
  await clock.advance(3 * 24 * 3_600_000)
  const [item] = await inbox.list()
  await inbox.approve(item?.request.id ?? '')
  await clock.advance(5000)
  expect(await result).toMatchObject({ error: { code: 'deadline_exceeded' } })
  expect(remaining).toEqual([5000])
})

test('a recorded run that is taken up again brings its request back once, and one decision serves it [T14]', async () => {
  const { ran, forms } = transfers()
  const inbox = createInbox()
  const first = memoryJournal()
  void forms.inside.call(input, { review: inbox.handler, journal: first, idempotencyKey: 'run-1' })
  await expect.poll(() => inbox.list()).toHaveLength(1)
  const second = memoryJournal(first.entries)
  const resumed = forms.inside.call(input, { review: inbox.handler, journal: second, idempotencyKey: 'run-1' })
  await expect.poll(() => second.entries).toHaveLength(1)
  const items = await inbox.list()
  expect(items).toHaveLength(1)
  await inbox.approve(items[0]?.request.id ?? '', 'ada')
  expect(await resumed).toMatchObject({ ok: true, value: 100 })
  const replayed = await forms.inside.call(input, {
    journal: memoryJournal(second.entries),
    idempotencyKey: 'run-1',
    review: autoReview({ action: 'stop' }),
  })
  expect(replayed).toMatchObject({ ok: true, value: 100 })
  expect(ran.length).toBeLessThanOrEqual(2)
})
