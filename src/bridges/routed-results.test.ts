import { RunContext } from '@openai/agents'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { connectInProcess } from '../../test/fixtures/mcp/in-process.ts'
import { outputRouter } from '../context/output-router.ts'
import { estimateTokens } from '../context/tokens.ts'
import { tool } from '../tool/tool.ts'
import { toAiSdk } from './ai-sdk/to-ai-sdk.ts'
import { toLangChain } from './langchain/to-lang-chain.ts'
import { createMcpServer } from './mcp/create-mcp-server.ts'
import { toOpenAiAgents } from './openai-agents/to-openai-agents.ts'

const Orders = z.object({ orders: z.array(z.object({ id: z.string(), status: z.string(), total: z.number() })) })
const orders = Array.from({ length: 500 }, (_, at) => ({ id: `A-${at}`, status: at % 50 === 7 ? 'late' : 'paid', total: at }))
const find = tool({
  name: 'find_orders',
  description: 'Finds orders.',
  inputSchema: z.object({ city: z.string() }),
  outputSchema: Orders,
  effect: 'read',
  execute: () => ({ orders }),
})
const principal = { id: 'ada', permissions: [] }
const routed = () => ({ router: outputRouter({ budget: { window: 16_000, maxOutput: 400 } }), principal, session: 'chat-1' })
const given = { city: 'Delft' }

/** How the model behind each bridge calls a tool, and the text that it reads. */
const BRIDGES: Readonly<Record<string, () => Promise<(name: string, input: object) => Promise<string>>>> = {
  'the AI SDK': async () => {
    const { tools } = toAiSdk([find], routed())
    return async (name, input) => {
      const call = {
        toolCallId: crypto.randomUUID(),
        messages: [{ role: 'user' as const, content: 'Which orders are late?' }],
        context: {},
      }
      const output = await tools[name]?.execute(input as never, call)
      const told = await tools[name]?.toModelOutput?.({ ...call, input: input as never, output: output as never })
      return told !== undefined && 'value' in told ? String(told.value) : ''
    }
  },
  LangChain: async () => {
    const { tools } = await toLangChain([find], routed())
    return async (name, args) => {
      const message = await tools.find((each) => each.name === name)?.invoke({ name, args, id: 'c1', type: 'tool_call' })
      return String((message as unknown as { content: unknown }).content)
    }
  },
  'OpenAI Agents': async () => {
    const { tools } = await toOpenAiAgents([find], routed())
    return async (name, input) => String(await tools.find((each) => each.name === name)?.invoke(new RunContext(), JSON.stringify(input)))
  },
  MCP: async () => {
    const client = await connectInProcess(await createMcpServer({ tools: [find], ...routed() }), '2025-11-25')
    return async (name, input) => {
      const { content, structuredContent } = await client.callTool({ name, arguments: { ...input } })
      expect(structuredContent).toBeUndefined()
      return (content as { text: string }[]).map(({ text }) => text).join('\n')
    }
  },
}

describe.each(Object.entries(BRIDGES))('%s with a router', (_name, open) => {
  test('[R4] the model reads the facts and the pointer, within the budget, and reads the rest back', async () => {
    const call = await open()
    const text = await call('find_orders', given)
    expect(estimateTokens(text)).toBeLessThanOrEqual(400)
    expect(text).toContain('status: paid 490, late 10')
    const pointer = /pointer="(out_\d+)"/.exec(text)?.[1] ?? ''
    const read = await call('read_output', { pointer, query: 'A-123"' })
    expect(read).toContain('orders[123]: {"id":"A-123","status":"paid","total":123}')
    expect(read).toMatch(/^<tool_output-\d+ tool="read_output@/)
  })
})

test('[R4] the program still gets the whole value', async () => {
  const { tools } = toAiSdk({ find }, routed())
  expect(await tools.find.execute(given, { toolCallId: 'c', messages: [], context: {} })).toEqual({ orders })
  const { named } = await toLangChain({ find }, routed())
  const message = await named.find.invoke({ name: 'find', args: given, id: 'c1', type: 'tool_call' } as never)
  expect((message as unknown as { artifact: unknown }).artifact).toEqual({ orders })
})

test('[R4] a stored output of one caller is not read by another', async () => {
  const { router } = routed()
  const bob = { id: 'bob', permissions: [] }
  const mine = await toOpenAiAgents([find], { router, principal, session: 's' })
  const theirs = await toOpenAiAgents([find], { router, principal: bob, session: 's' })
  const text = String(await mine.tools[0]?.invoke(new RunContext(), '{"city":"Delft"}'))
  const pointer = /pointer="(out_\d+)"/.exec(text)?.[1] ?? ''
  const read = async ({ tools }: typeof mine): Promise<string> =>
    String(await tools.find(({ name }) => name === 'read_output')?.invoke(new RunContext(), JSON.stringify({ pointer, query: 'late' })))
  expect(await read(mine)).toContain('10 matches')
  expect(await read(theirs)).toMatch(/^Error: There is no stored output/)
})

test('[R4] a tool with the name of one of the router, and a router that is none, are refused', async () => {
  const taken = tool({ name: 'read_output', description: 'Mine.', effect: 'read', execute: () => 'x' })
  expect(() => toAiSdk([taken], routed())).toThrow("A tool of toAiSdk is named 'read_output', which is a tool of its router. Rename it.")
  expect(() => toAiSdk([find], { router: {} as never })).toThrow(
    "'router' of toAiSdk is what outputRouter({ ... }) of 'toolwright/context' returns.",
  )
})
