import { Agent, RunState, tool as agentsTool } from '@openai/agents'
import { expectTypeOf, test } from 'vitest'
import { z } from 'zod'
import type { AgentTool } from '../../tool/agent-tool.ts'
import { tool } from '../../tool/tool.ts'
import { fromOpenAiAgents, toOpenAiAgents } from './index.ts'

const add = tool({
  name: 'add',
  description: 'd',
  inputSchema: z.object({ a: z.number() }),
  effect: 'read',
  execute: ({ a }) => a + 1,
})

test('agents take the tools, whatever the context of their runs is', async () => {
  const { tools, named, reviews } = await toOpenAiAgents({ plus: add })
  expectTypeOf(named).toHaveProperty('plus')
  const agent = new Agent<{ readonly user: string }>({ name: 'Desk', tools })
  const state = await RunState.fromString<{ readonly user: string }, typeof agent>(agent, '')
  expectTypeOf(reviews.rejectDenied(state)).resolves.toBeVoid()
  for (const item of state.getInterruptions()) await reviews.requests(item, state)
})

test('a misspelt option is refused', () => {
  // @ts-expect-error: the option is 'session'
  void toOpenAiAgents([add], { sesion: 'x' })
})

test('adopted tools keep their input and output, in a list and in a record', async () => {
  const double = agentsTool({ name: 'double', description: 'd', parameters: z.object({ n: z.number() }), execute: ({ n }) => n * 2 })
  const [first] = await fromOpenAiAgents([double])
  expectTypeOf(first).toExtend<AgentTool<{ n: number }, string | number>>()
  const { double: second } = await fromOpenAiAgents({ double }, { metadata: { double: { effect: 'read' } } })
  expectTypeOf(second).toExtend<AgentTool<{ n: number }, string | number>>()
  // @ts-expect-error: there is no tool 'dubble'
  await fromOpenAiAgents({ double }, { metadata: { dubble: { effect: 'read' } } })
})
