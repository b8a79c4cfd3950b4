import { expect, test } from 'vitest'
import { gate } from '../../combinators/gate/gate.ts'
import { fakeClock } from '../../testing/fake-clock.ts'
import { tool } from '../../tool/tool.ts'
import { type OpenCall, OpenCalls } from './open-calls.ts'
import { ProgressReports } from './progress-reports.ts'

const careful = gate(tool({ name: 'pay', description: 'Pays.', execute: () => 'paid' }), { why: 'Money.' })

/** A call that waits for a person. */
async function waiting(calls: OpenCalls): Promise<OpenCall> {
  const call = calls.begin(new ProgressReports(), (options) => careful.call('', options))
  await call.parked.nextStop()
  return call
}

const ending = async ({ parked }: OpenCall): Promise<unknown> => {
  const stop = await parked.nextStop()
  return 'result' in stop && !stop.result.ok ? `${stop.result.error.code}: ${stop.result.error.message}` : 'open'
}

test('a call is taken up once, by the key of its wait', async () => {
  const calls = new OpenCalls(1000, fakeClock())
  const call = await waiting(calls)
  const key = calls.keep(call, 'pay {}')
  expect(calls.subjectOf(key)).toBe('pay {}')
  expect(calls.take(key)).toBe(call)
  expect(calls.take(key)).toBeUndefined()
  expect(calls.keep(call, 'pay {}')).not.toBe(key)
  expect(await ending(call)).toBe('open')
})

test('a call that nobody comes back for is given up when its time is over [T14]', async () => {
  const clock = fakeClock()
  const calls = new OpenCalls(1000, clock)
  const call = await waiting(calls)
  const key = calls.keep(call, 'pay {}')
  await clock.advance(999)
  expect(calls.subjectOf(key)).toBe('pay {}')
  await clock.advance(1)
  expect(calls.take(key)).toBeUndefined()
  expect(await ending(call)).toMatch(/^cancelled: /)
})

test('a call that was taken up in time is not given up, and leaves no timer', async () => {
  const clock = fakeClock()
  const calls = new OpenCalls(1000, clock)
  const call = await waiting(calls)
  calls.take(calls.keep(call, 'pay {}'))
  expect(clock.pending()).toBe(0)
  await clock.advance(5000)
  expect(await ending(call)).toBe('open')
})

test('beyond 256 the one that waits longest is given up', async () => {
  const calls = new OpenCalls(1000, fakeClock())
  const open = await Promise.all(Array.from({ length: 257 }, () => waiting(calls)))
  const keys = open.map((call) => calls.keep(call, 'pay {}'))
  expect(keys.filter((key) => calls.subjectOf(key) === undefined)).toEqual([keys[0]])
  expect(await ending(open[0] as OpenCall)).toMatch(/^cancelled: /)
  expect(await ending(open[1] as OpenCall)).toBe('open')
})

test('closing gives up what waits, what runs and what comes later, and leaves no timer', async () => {
  const clock = fakeClock()
  const calls = new OpenCalls(1000, clock)
  const kept = await waiting(calls)
  const key = calls.keep(kept, 'pay {}')
  const running = await waiting(calls)
  calls.close()
  const late = calls.begin(new ProgressReports(), (options) => careful.call('', options))
  expect(calls.take(key)).toBeUndefined()
  expect(calls.subjectOf(calls.keep(running, 'pay {}'))).toBeUndefined()
  for (const each of [kept, running, late]) expect(await ending(each)).toMatch(/^cancelled: /)
  expect(clock.pending()).toBe(0)
})
