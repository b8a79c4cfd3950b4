import { expectTypeOf, test } from 'vitest'
import { z } from 'zod'
import type { AgentTool } from '../tool/agent-tool.ts'
import { tool } from '../tool/tool.ts'
import { toAiSdk } from './ai-sdk/index.ts'
import { type LangChainTool, toLangChain } from './langchain/index.ts'
import { toOpenAiAgents } from './openai-agents/index.ts'

const add = tool({ name: 'add', description: 'd', inputSchema: z.object({ a: z.number() }), execute: ({ a }) => a + 1 })
const provider = { tools: (): readonly AgentTool[] => [] }

test('a provider may stand in a list beside tools', async () => {
  const { named } = await toLangChain([add, provider])
  expectTypeOf(named).toEqualTypeOf<Record<string, LangChainTool<typeof add> | LangChainTool<AgentTool>>>()
  expectTypeOf(toAiSdk([add, provider]).tools).toExtend<Record<string, object>>()
  expectTypeOf((await toOpenAiAgents([provider])).tools).toBeArray()
})

test('other things may not', () => {
  // @ts-expect-error: a provider that promises its tools is awaited first
  void toLangChain([{ tools: async () => [add] }])
  // @ts-expect-error: a provider stands in a list
  void toLangChain({ provider })
})
