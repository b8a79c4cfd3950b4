import { expect, test } from 'vitest'
import { gate } from '../combinators/gate/gate.ts'
import { tool } from '../tool/tool.ts'
import { HeldBytes } from './held-bytes.ts'
import { ParkedCall } from './parked-call.ts'

const pay = gate(tool({ name: 'pay', description: 'Pays.', effect: 'write', execute: () => 'paid' }))

function waiting(held: HeldBytes, text: string, caller?: string): ParkedCall {
  return new ParkedCall(({ review, signal, on }) => pay.call(text, { review: held.asking(review, caller), signal, on }))
}

const codeOf = async (call: ParkedCall): Promise<string> => {
  const stop = await call.nextStop()
  return 'requests' in stop ? 'waits' : stop.result.ok ? stop.result.text : stop.result.error.message
}

test('a caller that holds its share is refused, and others are not', async () => {
  const held = new HeldBytes({ maxBytes: 4000, maxBytesPerCaller: 1000 })
  const first = waiting(held, 'x'.repeat(900), 'bob')
  expect(await codeOf(first)).toBe('waits')
  expect(await codeOf(waiting(held, 'x'.repeat(900), 'bob'))).toMatch(/^No reviewer decided \(The calls that wait for people hold too much/)
  expect(await codeOf(waiting(held, 'x'.repeat(900), 'ada'))).toBe('waits')
  for (const { id } of first.requests) first.decide(id, { action: 'continue' })
  expect(await codeOf(first)).toBe('paid')
  expect(await codeOf(waiting(held, 'x'.repeat(900), 'bob'))).toBe('waits')
})

test('without callers the bound of all counts, and what is withdrawn holds nothing', async () => {
  const held = new HeldBytes({ maxBytes: 2000, maxBytesPerCaller: 10 })
  const calls = [waiting(held, 'x'.repeat(900)), waiting(held, 'x'.repeat(900))]
  for (const each of calls) expect(await codeOf(each)).toBe('waits')
  expect(await codeOf(waiting(held, 'x'.repeat(900)))).toContain('hold too much')
  for (const each of calls) each.cancel()
  await Promise.all(calls.map((each) => each.settled()))
  expect(held.size).toBe(0)
})
