import { describe, expect, test } from 'vitest'
import { gate } from '../../combinators/gate/gate.ts'
import type { CallOptions } from '../context.ts'
import type { Reviewers } from '../deciders.ts'
import { autoReview } from '../../review/auto-review.ts'
import { createInbox } from '../../review/create-inbox.ts'
import { createRuntime } from '../../runtime/create-runtime.ts'
import { fakeClock, settled } from '../../testing/fake-clock.ts'
import type { ReviewDecision } from '../review.ts'
import { tool } from '../tool.ts'

const pay = tool({ name: 'pay', description: 'Pays.', execute: (to) => `paid ${to}` })
const careful = gate(pay, { why: 'Money.' })
const principal = { id: 'rita', permissions: [] }
const decided = (decision: ReviewDecision, options: CallOptions = {}) =>
  careful.call('ann', { principal, reviewers: {}, review: autoReview(decision), ...options })

describe('a refusal by a handler that answers once, where deciders must be known', () => {
  test.each([
    ['unreachable', 'reviewer_unreachable'],
    ['timed_out', 'review_timed_out'],
  ] as const)('keeps its cause %s', async (cause, code) => {
    const result = await decided({ action: 'reject', cause, by: 'cli', reason: 'The console was closed.' })
    expect(result).toMatchObject({ ok: false, error: { code, message: expect.stringContaining('(The console was closed): ann') } })
  })

  test('keeps the reason of a person whom nobody knows', async () => {
    const result = await decided({ action: 'reject', by: 'eve', reason: 'The supplier is bankrupt.' })
    expect(result).toMatchObject({
      ok: false,
      error: { code: 'rejected', message: expect.stringContaining('who says "The supplier is bankrupt.": ') },
    })
  })

  test('stops the run, in its own words', async () => {
    const stopping = decided({ action: 'stop', reason: 'fraud' })
    await expect(stopping).rejects.toMatchObject({ name: 'ExitEarly', message: expect.stringContaining('fraud') })
  })
})

describe('an approval that does not count names the cure', () => {
  const messageOf = async (decision: ReviewDecision, reviewers: Reviewers): Promise<string> => {
    const result = await decided(decision, { reviewers })
    return result.ok ? 'ran' : result.error.message
  }

  test.each([
    ['nobody is named', { action: 'continue' }, {}, /none was named\. Pass a Principal .* inbox.* `reviewers\.identify`/],
    ['the program identifies nobody', { action: 'continue', by: 'bob' }, {}, /'bob' is a name .*Principal.*`reviewers\.identify`/],
    ['the program does not know the name', { action: 'continue', by: 'bob' }, { identify: () => undefined }, /identify` gave no principal/],
  ] as const)('where %s', async (_name, decision, reviewers, words) => {
    expect(await messageOf(decision, reviewers)).toMatch(words)
  })

  test('where two must approve', async () => {
    const two = gate(pay, { approvals: { count: 2 } })
    const reviewers: Reviewers = { identify: ({ name: id }) => ({ id, permissions: ['review:*'] }) }
    const result = await two.call('ann', { principal, reviewers, review: autoReview({ action: 'continue', by: 'bob' }) })
    expect(result).toMatchObject({ ok: false, error: { message: expect.stringContaining('createInbox()') } })
  })
})

describe('an identify that throws', () => {
  const reviewers: Reviewers = { identify: () => Promise.reject(new Error('directory down')) }

  test('refuses the approval of a handler, says why, and warns', async () => {
    const warned = new Promise<Error>((resolve) => process.once('warning', resolve))
    const result = await decided({ action: 'continue', by: 'bob' }, { reviewers })
    expect(result).toMatchObject({ ok: false, error: { message: expect.stringContaining('`reviewers.identify` failed: directory down') } })
    expect((await warned).message).toContain("failed: directory down (asked for 'bob')")
  })

  test('refuses the approval at an inbox, says why, and leaves the request open', async () => {
    const inbox = createInbox()
    void careful.call('ann', { principal, reviewers, review: inbox.handler })
    await settled()
    const [item] = await inbox.list()
    const approving = inbox.approve(item?.request.id ?? '', 'bob')
    await expect(approving).rejects.toMatchObject({ code: 'not_permitted', message: expect.stringContaining('failed: directory down') })
    expect(await inbox.list()).toHaveLength(1)
  })
})

test.each([null, [], 'ada', () => undefined, { identify: {} }, { identify: 'ada' }])('reviewers %o are refused', async (reviewers) => {
  const wrong = { code: 'invalid_option', message: expect.stringContaining("'reviewers'") }
  await expect(decided({ action: 'continue' }, { reviewers: reviewers as never })).rejects.toMatchObject(wrong)
  expect(() => createRuntime({ reviewers: reviewers as never })).toThrow(expect.objectContaining(wrong))
})

test('a gate that excludes an unknown requester says which option is missing', async () => {
  const result = await gate(pay, { approvals: {} }).call('ann', { review: autoReview() })
  expect(result).toMatchObject({ ok: false, error: { code: 'permission_denied', hint: expect.stringContaining("'principal'") } })
})

test('a reason that the hint begins with is not said twice', async () => {
  const clock = fakeClock()
  const calling = gate(pay, { timeout: '1s' }).call('ann', { clock, review: createInbox().handler })
  await clock.advance(1000)
  const result = await calling
  expect(result.ok ? '' : result.error.message.match(/Nobody decided in time/g)).toHaveLength(1)
})
