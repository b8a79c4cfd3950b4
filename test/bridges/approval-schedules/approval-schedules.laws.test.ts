import { describe, expect, test } from 'vitest'
import { checkSchedules, FRAMEWORKS } from './check-schedules.ts'

describe.each(FRAMEWORKS)('calls in memory of %s', (_framework, play) => {
  test('take effect once, if a person approved exactly this, whatever a program stores and resumes again [T14] [T15]', async () => {
    expect(await checkSchedules(play, 120, 20_261_118)).toBe(120)
  })
})
