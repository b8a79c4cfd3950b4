import { expectTypeOf, test } from 'vitest'
import type { ToolContext } from '../context.ts'
import type { AgentTool } from '../agent-tool.ts'
import type { ToolResult } from '../result/result.ts'
import { callTogether } from './call-together.ts'
import { callWithRetry } from './call-with-retry.ts'

declare const context: ToolContext
declare const orders: AgentTool<{ email: string }, { id: string }[]>
declare const weather: AgentTool<string, number>

test('the results have the types of the tools, by label', async () => {
  const { results, cancelled } = await callTogether(
    context,
    { orders: { tool: orders, input: { email: 'a@b.c' } }, weather: { tool: weather, input: 'Bonn' } },
    { until: (latest, { succeeded }) => latest.ok && succeeded > 1, after: '2s' },
  )
  expectTypeOf(results.orders).toEqualTypeOf<ToolResult<{ id: string }[]> | undefined>()
  expectTypeOf(results.weather).toEqualTypeOf<ToolResult<number> | undefined>()
  expectTypeOf(cancelled).toEqualTypeOf<readonly ('orders' | 'weather')[]>()
})

test('an input that does not fit its tool is an error', () => {
  // @ts-expect-error -- weather takes a text
  void callTogether(context, { weather: { tool: weather, input: 3 } })
  // @ts-expect-error -- the email is missing
  void callTogether(context, { orders: { tool: orders, input: {} } })
  // @ts-expect-error -- the call has no input
  void callTogether(context, { weather: { tool: weather } })
})

test('a call with retries has the type of its tool', () => {
  const backoff = { waitAfter: () => undefined }
  expectTypeOf(callWithRetry(context, { label: 'ask', tool: weather, input: 'Bonn', backoff })).resolves.toEqualTypeOf<ToolResult<number>>()
  // @ts-expect-error -- weather takes a text
  void callWithRetry(context, { label: 'ask', tool: weather, input: 3, backoff })
  // @ts-expect-error -- without a backoff nobody knows how often
  void callWithRetry(context, { label: 'ask', tool: weather, input: 'Bonn' })
})
