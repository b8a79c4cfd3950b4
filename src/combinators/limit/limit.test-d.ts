import { expectTypeOf, test } from 'vitest'
import { z } from 'zod'
import type { AgentTool } from '../../tool/agent-tool.ts'
import { tool } from '../../tool/tool.ts'
import { limit } from './limit.ts'

const look = tool({
  name: 'look',
  description: 'd',
  inputSchema: z.object({ id: z.string() }),
  effect: 'read',
  execute: ({ id }) => id.length,
})

test('a limited tool is of the type of the tool [F5]', () => {
  const limited = limit(look, { concurrency: 2, rate: { calls: 5, per: '1s' }, cost: { usd: 1, per: 60_000 }, by: 'caller', wait: false })
  expectTypeOf(limited).toEqualTypeOf<AgentTool<{ id: string }, number, 'look'>>()
})

test('options of a limit are checked', () => {
  // @ts-expect-error a limit limits something
  limit(look)
  // @ts-expect-error a rate has a time
  limit(look, { rate: { calls: 5 } })
  // @ts-expect-error no such caller
  limit(look, { concurrency: 1, by: 'session' })
  // @ts-expect-error a store of limiters has limiters
  void limit(look, { concurrency: 1 }).call({ id: 'a' }, { stores: { limits: {} } })
})
