import { describe, expect, test } from 'vitest'
import { checkAsking, FRAMEWORKS } from './check-asking.ts'

const SCHEDULES = Number(process.env['TOOLWRIGHT_ASKING_SCHEDULES'] ?? 80)
const SEED = Number(process.env['TOOLWRIGHT_ASKING_SEED'] ?? 20_261_118)

describe.each(FRAMEWORKS)('calls through %s', (_framework, play) => {
  test('take effect once, if a person approved exactly this, and are not lost, whatever is resumed, given up or restarted [T14] [T15]', async () => {
    expect(await checkAsking(play, SCHEDULES, SEED)).toBe(SCHEDULES)
  }, 7_200_000)
})
