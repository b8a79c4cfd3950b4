import fc from 'fast-check'
import { expect } from 'vitest'
import { aiSdkFramework } from './ai-sdk.ts'
import { openAiAgentsFramework } from './openai-agents.ts'
import { play, type Schedule, schedules } from './schedule.ts'

/** The frameworks that ask whether a call needs an approval, and execute it later. */
export const FRAMEWORKS: readonly (readonly [string, (schedule: Schedule) => Promise<readonly string[]>])[] = [
  ['the AI SDK', (schedule) => play(schedule, aiSdkFramework)],
  ['OpenAI Agents', (schedule) => play(schedule, openAiAgentsFramework)],
]

/** Plays generated schedules, and says how many; fails at the first in which something goes wrong. */
export async function checkSchedules(
  playIn: (schedule: Schedule) => Promise<readonly string[]>,
  numRuns: number,
  seed: number,
): Promise<number> {
  let played = 0
  const law = fc.asyncProperty(schedules, async (schedule) => {
    expect(await playIn(schedule)).toEqual([])
    played++
  })
  await fc.assert(law, { numRuns, seed })
  return played
}
