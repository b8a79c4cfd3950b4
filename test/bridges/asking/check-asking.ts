import fc from 'fast-check'
import { expect } from 'vitest'
import { aiSdkDriver } from './ai-sdk.ts'
import { langGraphDriver } from './lang-graph.ts'
import { mcpRequestsDriver } from './mcp-requests.ts'
import { mcpRoundsDriver } from './mcp-rounds.ts'
import { openAiAgentsDriver } from './openai-agents.ts'
import { play } from './play.ts'
import { type Schedule, schedules } from './schedule.ts'

type Play = (schedule: Schedule) => Promise<readonly string[]>

/** Every framework through which people are asked. A new one is one more row. */
export const FRAMEWORKS: readonly (readonly [string, Play])[] = [
  ['the AI SDK', (schedule) => play(schedule, aiSdkDriver)],
  ['OpenAI Agents', (schedule) => play(schedule, openAiAgentsDriver)],
  ['LangGraph, one task for a turn', (schedule) => play(schedule, (world) => langGraphDriver(world, 'v1'))],
  ['LangGraph, one task for a call', (schedule) => play(schedule, (world) => langGraphDriver(world, 'v2'))],
  ['MCP 2025-11-25', (schedule) => play(schedule, mcpRequestsDriver)],
  ['MCP 2026-07-28', (schedule) => play(schedule, mcpRoundsDriver)],
]

/** Plays generated schedules, and says how many; fails at the first in which something goes wrong. */
export async function checkAsking(playIn: Play, numRuns: number, seed: number): Promise<number> {
  let played = 0
  const law = fc.asyncProperty(schedules, async (schedule) => {
    expect(await playIn(schedule)).toEqual([])
    played++
  })
  await fc.assert(law, { numRuns, seed })
  return played
}
