import { expect, test } from 'vitest'
import { gate } from '../combinators/gate/gate.ts'
import { parallel } from '../combinators/parallel/parallel.ts'
import { fakeClock } from '../testing/fake-clock.ts'
import type { CallOptions } from '../tool/context.ts'
import { ExitEarly } from '../tool/errors/exit-early.ts'
import { tool } from '../tool/tool.ts'
import { ParkedCall } from './parked-call.ts'

const shout = tool({ name: 'shout', description: 'Shouts.', execute: (text: string) => text.toUpperCase() })
const careful = gate(shout, { why: 'It is loud.' })
const both = parallel({ one: gate(shout, { why: 'The first.' }), other: gate(shout, { why: 'The second.' }) }, { name: 'both' })

const parked = (called: { readonly call: typeof careful.call }, options: CallOptions = {}): ParkedCall =>
  new ParkedCall((own) => called.call('hello', { ...options, ...own }))

test('a call without people ends at its first stop', async () => {
  expect(await new ParkedCall((options) => shout.call('hello', options)).nextStop()).toMatchObject({ result: { ok: true, value: 'HELLO' } })
})

test('a call stops where a person is needed and goes on when they have decided [T14]', async () => {
  const call = parked(careful)
  expect(await call.nextStop()).toMatchObject({ requests: [{ tool: 'shout', why: 'It is loud.' }] })
  const [request] = call.requests
  expect(call.decide(request?.id ?? '', { action: 'edit', input: 'other' })).toBe(true)
  expect(call.requests).toEqual([])
  expect(await call.nextStop()).toMatchObject({ result: { ok: true, value: 'OTHER' } })
  expect(call.decide(request?.id ?? '', { action: 'continue' })).toBe(false)
})

test('requests that are open at once are given together, and those left open again', async () => {
  const call = new ParkedCall((options) => both.call('hello', options))
  await call.nextStop()
  const [one, other] = call.requests
  expect([one?.why, other?.why]).toEqual(['The first.', 'The second.'])
  call.decide(one?.id ?? '', { action: 'continue' })
  expect(await call.nextStop()).toEqual({ requests: [other] })
  expect(call.decide('nobody asked', { action: 'continue' })).toBe(false)
  call.decide(other?.id ?? '', { action: 'continue' })
  expect(await call.nextStop()).toMatchObject({ result: { ok: true, value: { one: 'HELLO', other: 'HELLO' } } })
})

test('a request that times out is withdrawn, and the next stop is the end', async () => {
  const clock = fakeClock()
  const call = parked(gate(shout, { why: 'Soon.', timeout: '5s' }), { clock })
  await call.nextStop()
  await clock.advance(5000)
  expect(call.requests).toEqual([])
  expect(await call.nextStop()).toMatchObject({ result: { ok: false, error: { code: 'review_timed_out' } } })
})

test('a cancelled call ends as cancelled, also while it waits for a person', async () => {
  const call = parked(careful)
  await call.nextStop()
  call.cancel(new DOMException('Gone.', 'AbortError'))
  expect(await call.nextStop()).toMatchObject({ result: { ok: false, error: { code: 'cancelled' } } })
  expect(call.requests).toEqual([])
  await call.settled()
})

test('what ends a run is thrown at whoever waits', async () => {
  const call = parked(careful)
  await call.nextStop()
  call.decide(call.requests[0]?.id ?? '', { action: 'stop', reason: 'enough' })
  await call.settled()
  await expect(call.nextStop()).rejects.toBeInstanceOf(ExitEarly)
})

test('a call that is left alone and ends badly bothers nobody', async () => {
  const call = new ParkedCall(() => Promise.reject(new ExitEarly('pay', 'enough')))
  await new Promise((resolve) => setImmediate(resolve))
  expect(call.requests).toEqual([])
})

test('with its listener a call parks when all of it waits for people; without, at the first open request', async () => {
  const slow = Promise.withResolvers<string>()
  const wait = tool({ name: 'wait', description: 'Waits.', execute: () => slow.promise })
  const mixed = parallel({ asks: careful, waits: wait }, { name: 'mixed' })
  const eager = new ParkedCall(({ review, signal }) => mixed.call('hello', { review, signal }))
  expect(await eager.nextStop()).toMatchObject({ requests: [{ tool: 'shout' }] })

  const patient = new ParkedCall((options) => mixed.call('hello', options))
  for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve))
  expect([patient.requests.length, patient.isParked]).toEqual([1, false])
  slow.resolve('done')
  await patient.settled()
  expect(patient.isParked).toBe(true)
})
