import { describe, expect, test } from 'vitest'
import { checkAsking, FRAMEWORKS } from './check-asking.ts'

const SCHEDULES = 20_000

describe.each(FRAMEWORKS)('calls through %s', (_framework, play) => {
  test('take effect once, if a person approved exactly this, and are not lost, in 20,000 schedules [T14] [T15]', async () => {
    expect(await checkAsking(play, SCHEDULES, 15)).toBe(SCHEDULES)
  }, 14_400_000)
})
