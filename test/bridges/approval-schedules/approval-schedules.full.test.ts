import { describe, expect, test } from 'vitest'
import { checkSchedules, FRAMEWORKS } from './check-schedules.ts'

describe.each(FRAMEWORKS)('calls in memory of %s', (_framework, play) => {
  test('take effect once, if a person approved exactly this, in 20,000 schedules [T14] [T15]', { timeout: 3_600_000 }, async () => {
    expect(await checkSchedules(play, 20_000, 15)).toBe(20_000)
  })
})
