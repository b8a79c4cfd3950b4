import { expect, test } from 'vitest'
import { ClientLimits } from './client-limits.ts'

const RULES = { concurrency: 1, rate: { calls: 2, perMs: 1000 }, cost: undefined }

test('each client has places and a rate of its own', () => {
  const limits = new ClientLimits(RULES)
  const first = limits.enter('ada', 0)
  expect(limits.enter('ada', 1)).toEqual({ afterMs: 1000 })
  expect(limits.enter('eve', 1)).toHaveProperty('leave')
  if ('leave' in first) {
    first.leave()
    first.leave()
  }
  const second = limits.enter('ada', 2)
  expect(second).toHaveProperty('leave')
  expect(limits.enter('ada', 3)).toEqual({ afterMs: 1000 })
  if ('leave' in second) second.leave()
  expect(limits.enter('ada', 400)).toEqual({ afterMs: 600 })
  expect(limits.enter('ada', 1001)).toHaveProperty('leave')
})

test('clients without number are forgotten, and those with requests under way are kept where there is place', () => {
  const limits = new ClientLimits(RULES)
  limits.enter('ada', 0)
  for (let index = 0; index < 25_000; index++) {
    const place = limits.enter(`client ${index}`, 2000 * index)
    if ('leave' in place) place.leave()
  }
  expect(limits.enter('ada', 60_000_000)).toEqual({ afterMs: 1000 })
})
