import fc from 'fast-check'
import { expect } from 'vitest'
import { aiSdkDriver } from './ai-sdk.ts'
import type { DriverOf } from './driver.ts'
import { play } from './play.ts'
import { schedules } from './schedule.ts'

/** Every framework through which people are asked. A new one is one more row. */
export const FRAMEWORKS: readonly (readonly [string, DriverOf])[] = [['the AI SDK', aiSdkDriver]]

/** Plays generated schedules, and says how many; fails at the first in which something goes wrong. */
export async function checkAsking(driverOf: DriverOf, numRuns: number, seed: number): Promise<number> {
  let played = 0
  const law = fc.asyncProperty(schedules, async (schedule) => {
    expect(await play(schedule, driverOf)).toEqual([])
    played++
  })
  await fc.assert(law, { numRuns, seed })
  return played
}
