import { expectTypeOf, test } from 'vitest'
import { z } from 'zod'
import type { AgentTool } from '../../tool/agent-tool.ts'
import { tool } from '../../tool/tool.ts'
import { breaker } from './breaker.ts'

const look = tool({
  name: 'look',
  description: 'd',
  inputSchema: z.object({ id: z.string() }),
  effect: 'read',
  execute: ({ id }) => id.length,
})

test('a tool behind a breaker is of the type of the tool [F2]', () => {
  expectTypeOf(breaker(look)).toEqualTypeOf<AgentTool<{ id: string }, number, 'look'>>()
  expectTypeOf(breaker(look, { window: '2m', minCalls: 5, failureShare: 0.2, coolDown: 1000 })).toEqualTypeOf<
    AgentTool<{ id: string }, number, 'look'>
  >()
})

test('options of a breaker are checked', () => {
  // @ts-expect-error not a duration
  breaker(look, { coolDown: 'soon' })
  // @ts-expect-error no such option
  breaker(look, { threshold: 0.5 })
  // @ts-expect-error a share is a number
  breaker(look, { failureShare: '50%' })
  // @ts-expect-error a store of breakers has breakers
  void breaker(look).call({ id: 'a' }, { stores: { breakers: {} } })
})
