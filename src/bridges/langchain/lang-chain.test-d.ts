import type { BindToolsInput } from '@langchain/core/language_models/chat_models'
import type { ToolMessage } from '@langchain/core/messages'
import { tool as langChainTool } from '@langchain/core/tools'
import { ToolNode } from '@langchain/langgraph/prebuilt'
import { expectTypeOf, test } from 'vitest'
import { z } from 'zod'
import type { AgentTool } from '../../tool/agent-tool.ts'
import { tool } from '../../tool/tool.ts'
import { fromLangChain, toLangChain } from './index.ts'

const add = tool({
  name: 'add',
  description: 'd',
  inputSchema: z.object({ a: z.number() }),
  effect: 'read',
  execute: ({ a }) => a + 1,
})

test('a record gives tools by its keys, which check their input', async () => {
  const { named } = await toLangChain({ plus: add })
  expectTypeOf(named).toHaveProperty('plus')
  expectTypeOf(await named.plus.invoke({ type: 'tool_call', id: '1', name: 'plus', args: {} })).toEqualTypeOf<ToolMessage>()
  // @ts-expect-error: 'a' is a number
  await named.plus.invoke({ a: 'one' })
})

test('graphs and models take the tools', async () => {
  const { tools } = await toLangChain([add])
  expectTypeOf<(typeof tools)[number]>().toExtend<BindToolsInput>()
  expectTypeOf(new ToolNode(tools)).toHaveProperty('tools')
})

test('a misspelt option is refused', () => {
  // @ts-expect-error: the option is 'session'
  void toLangChain([add], { sesion: 'x' })
  // @ts-expect-error: the option is 'principal'
  void toLangChain([add], { caller: () => ({ principle: 'x' }) })
})

test('adopted tools keep their input and output, in a list and in a record', async () => {
  const double = langChainTool(({ n }: { n: number }) => n * 2, { name: 'double', schema: z.object({ n: z.number() }) })
  const [first] = await fromLangChain([double])
  expectTypeOf(first).toExtend<AgentTool<{ n: number }, number>>()
  const { double: second } = await fromLangChain({ double }, { metadata: { double: { effect: 'read' } } })
  expectTypeOf(second).toExtend<AgentTool<{ n: number }, number>>()
  // @ts-expect-error: there is no tool 'dubble'
  await fromLangChain({ double }, { metadata: { dubble: { effect: 'read' } } })
})
