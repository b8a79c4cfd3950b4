import { getEventListeners } from 'node:events'
import { expect, test } from 'vitest'
import { tool } from '../index.ts'
import type { ReviewRequest } from '../tool/review.ts'
import { fakeClock } from '../testing/fake-clock.ts'
import { delayedReview } from './delayed-review.ts'

function publishing() {
  const ran: string[] = []
  const publish = tool({ name: 'publish', description: 'Publishes.', requireApproval: true, execute: (text) => void ran.push(text) })
  return { publish, ran }
}

test('approves after the delay, and not before; the deadline waits too [T15]', async () => {
  const { publish, ran } = publishing()
  const clock = fakeClock()
  const result = publish.call('news', { review: delayedReview({ after: '30s' }), clock, deadline: '1s' })
  await clock.advance(29_999)
  expect(ran).toEqual([])
  await clock.advance(1)
  expect(await result).toMatchObject({ ok: true })
  expect(ran).toEqual(['news'])
})

test('a call cancelled in time is never approved, and leaves no timer [T15]', async () => {
  const { publish, ran } = publishing()
  const clock = fakeClock()
  const cancel = new AbortController()
  const result = publish.call('news', { review: delayedReview({ after: '30s' }), clock, signal: cancel.signal })
  await clock.advance(10_000)
  cancel.abort()
  expect(await result).toMatchObject({ error: { code: 'cancelled', outcome: 'not_started' } })
  expect(clock.pending()).toBe(0)
  await clock.advance(60_000)
  expect(ran).toEqual([])
})

test('gives another decision where one is set [T15]', async () => {
  const { publish } = publishing()
  const clock = fakeClock()
  const review = delayedReview({ after: 1000, decision: ({ risk }) => ({ action: 'reject', reason: `risk is ${risk}` }) })
  const result = publish.call('news', { review, clock })
  await clock.advance(1000)
  expect(await result).toMatchObject({ error: { message: expect.stringContaining('who says "risk is high": ') } })
})

test('no listener stays on the signal, and one that is aborted already is obeyed', async () => {
  const clock = fakeClock()
  const { signal } = new AbortController()
  const request = { kind: 'approval' } as ReviewRequest
  const decision = delayedReview({ after: '1s' }).review(request, { signal, clock })
  await clock.advance(1000)
  expect(await decision).toMatchObject({ action: 'continue' })
  expect(getEventListeners(signal, 'abort')).toEqual([])
  const aborted = AbortSignal.abort(new Error('gone'))
  await expect(delayedReview({ after: '1s' }).review(request, { signal: aborted, clock })).rejects.toThrow('gone')
  expect(clock.pending()).toBe(0)
})

test('a delay that cannot be read is refused at once', () => {
  expect(() => delayedReview({ after: -1 })).toThrow(expect.objectContaining({ code: 'invalid_option' }))
})
