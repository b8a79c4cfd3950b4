import { describe, expect, onTestFinished, test } from 'vitest'
import { refundTool } from '../../../test/fixtures/ai-sdk/durable-desk.ts'
import { httpClient, listening } from '../../../test/fixtures/mcp/over-http.ts'
import type { Revision } from '../../../test/fixtures/mcp/raw-client.ts'
import { connectInProcess } from '../../../test/fixtures/mcp/in-process.ts'
import { ToolPipeline } from '../../combinators/pipe/tool-pipeline.ts'
import { createRuntime, type Runtime } from '../../runtime/create-runtime.ts'
import { memoryRuns } from '../../testing/memory-runs.ts'
import type { AgentTool } from '../../tool/agent-tool.ts'
import { silentLogger } from '../../tool/ports/logger.ts'
import { tool } from '../../tool/tool.ts'
import { toAiSdk } from '../ai-sdk/to-ai-sdk.ts'
import { toLangChain } from '../langchain/to-lang-chain.ts'
import { toOpenAiAgents } from '../openai-agents/to-openai-agents.ts'
import { connectMcp, type McpConnection } from './client/connect-mcp.ts'
import { createMcpServer } from './create-mcp-server.ts'
import { mcpHandler } from './http/mcp-handler.ts'

const ada = { principal: { id: 'ada', permissions: [] }, session: 'desk' }

interface Chain {
  readonly upstream: Runtime
  readonly connection: McpConnection
  readonly done: readonly string[]
}

/** A server with durable runs, and a connection to it. */
async function chain(prefix?: string, include?: readonly string[], exclude?: readonly string[]): Promise<Chain> {
  const done: string[] = []
  const upstream = createRuntime({ tools: [refundTool((what) => done.push(what))], database: memoryRuns() })
  onTestFinished(() => upstream.close())
  const first = await mcpHandler({ runtime: upstream, ...ada })
  onTestFinished(() => first.close())
  const connection = await connectMcp({ name: 'desk', url: await listening(first.node), prefix, include, exclude })
  onTestFinished(() => connection.close())
  return { upstream, connection, done }
}

const own = tool({ name: 'own', description: 'Does it here.', effect: 'write', execute: () => 'done here' })

describe.each<Revision>(['2025-11-25', '2026-07-28'])(
  'a durable approval of a server whose tools are served again, in revision %s',
  (revision) => {
    test.each([
      ['durable', undefined],
      ['durable', 'desk'],
      ['in memory', undefined],
      ['in memory', 'desk'],
    ])('is asked for by run_status of the second server, whose calls are %s, with prefix %s [T14] [X6]', async (how, prefix) => {
      const { upstream, connection, done } = await chain(prefix)
      const runtime = createRuntime({ tools: [own, connection], ...(how === 'durable' ? { database: memoryRuns() } : {}) })
      onTestFinished(() => runtime.close())
      const second = await mcpHandler(how === 'durable' ? { runtime, ...ada } : { tools: [own, connection], ...ada })
      onTestFinished(() => second.close())
      const client = await httpClient(await listening(second.node), revision)
      const call = async (name: string, given: Record<string, unknown>): Promise<{ text: string; isError: boolean }> => {
        const { content, isError = false } = await client.callTool({ name, arguments: given })
        return { text: (content as readonly { text?: string }[]).map(({ text = '' }) => text).join(), isError: isError === true }
      }
      const names = (await client.listTools()).tools.map(({ name }) => name)
      expect(names.filter((name) => name === 'run_status')).toHaveLength(1)

      const receipt = await call(prefix === undefined ? 'refund' : `${prefix}_refund`, { email: 'a@b.c' })
      // A durable run here waits for the one there, and asks here too.
      const { inbox } = how === 'durable' ? runtime : upstream
      const [item] = await inbox.list()
      const run = item?.run ?? ''
      expect(receipt.isError).toBe(true)
      expect(receipt.text).toContain(`Ask 'run_status' with {"run":"${run}"}`)
      expect(receipt.text).not.toContain('Call again')
      expect((await call('run_status', { run })).text).toContain('waits for a person')
      await inbox.approve(item?.request.id ?? '', 'bob')
      expect(await call('run_status', { run, wait: 20 })).toEqual({ text: 'Paid back 250 for A1.', isError: false })
      expect(done).toEqual(['found a@b.c', 'paid A1 250'])
      expect(await call('run_status', { run: 'nobody-knows-it' })).toMatchObject({
        isError: true,
        text: expect.stringContaining('no run') as string,
      })
    })
  },
)

test('the AI SDK is given one run_status, which knows the runs of the other server', async () => {
  const { upstream, connection } = await chain()
  const runtime = createRuntime({ tools: [own], database: memoryRuns() })
  onTestFinished(() => runtime.close())
  const { tools } = toAiSdk([own, ...connection.tools()] as readonly AgentTool[], {
    runtime,
    ...ada,
    durable: (each) => each.name === 'own',
  })
  expect(Object.keys(tools)).toEqual(['own', 'refund', 'run_status'])
  const execute = async (name: string, input: unknown): Promise<string> => {
    const given = (tools as unknown as Record<string, { execute: (input: unknown, options: object) => Promise<unknown> }>)[name]
    return JSON.stringify(await given?.execute(input, { toolCallId: 'c', messages: [] }))
  }
  await expect(execute('refund', { email: 'a@b.c' })).rejects.toThrow(/Ask 'run_status'/)
  const [item] = await upstream.inbox.list()
  expect(await execute('run_status', { run: item?.run })).toContain('"waitsFor":"person"')
})

describe('run_status of another server', () => {
  const flowOver = (connection: McpConnection): AgentTool =>
    ToolPipeline.builder().name('flow').description('Does it there.').step(connection.tool('refund')).build() as never

  const bridges: readonly [string, (tools: readonly unknown[]) => Promise<readonly string[]>][] = [
    ['the AI SDK', async (tools) => Object.keys(toAiSdk(tools as never).tools)],
    ['LangChain', async (tools) => (await toLangChain(tools as never)).tools.map(({ name }) => name)],
    ['OpenAI Agents', async (tools) => (await toOpenAiAgents(tools as never)).tools.map((each) => ('name' in each ? each.name : ''))],
    [
      'MCP',
      async (tools) => {
        const client = await connectInProcess(await createMcpServer({ tools }), '2025-11-25')
        onTestFinished(() => client.close())
        return (await client.listTools()).tools.map(({ name }) => name)
      },
    ],
  ]

  test.each(bridges)('is offered once by %s, whatever prefix it has', async (_bridge, offered) => {
    const { connection } = await chain('desk')
    expect(await offered([connection])).toEqual(['desk_refund', 'run_status'])
    const { connection: plain } = await chain()
    expect(await offered([plain])).toEqual(['refund', 'run_status'])
  })

  test.each(bridges)(
    'is offered by %s where a part of a tool may give a receipt, also if it was not included',
    async (_bridge, offered) => {
      const { connection } = await chain('desk', ['refund'])
      expect(connection.tools().map(({ name }) => name)).toEqual(['desk_refund'])
      expect(() => connection.tool('run_status')).toThrow(/has no tool 'run_status'/)
      expect(await offered([flowOver(connection)])).toEqual(['flow', 'run_status'])
    },
  )

  test('that is offered for a pipeline tells the result of the run there', async () => {
    const { upstream, connection, done } = await chain('desk', ['refund'])
    const client = await connectInProcess(await createMcpServer({ tools: [flowOver(connection)] }), '2026-07-28')
    onTestFinished(() => client.close())
    const receipt = await client.callTool({ name: 'flow', arguments: { email: 'a@b.c' } })
    const [item] = await upstream.inbox.list()
    expect(receipt._meta).toMatchObject({ 'toolwright/error': { code: 'approval_pending', pending: { run: item?.run, server: 'desk' } } })
    await upstream.inbox.approve(item?.request.id ?? '', 'bob')
    const { content } = await client.callTool({ name: 'run_status', arguments: { run: item?.run ?? '', wait: 20 } })
    expect(content).toEqual([{ type: 'text', text: 'Paid back 250 for A1.' }])
    expect(done).toEqual(['found a@b.c', 'paid A1 250'])
  })

  test('that is excluded is not offered', async () => {
    const { connection } = await chain('desk', undefined, ['run_status'])
    expect(await bridges[0]?.[1]([flowOver(connection)])).toEqual(['flow'])
  })

  test('says that a run was rejected, and does not say that the question failed', async () => {
    const { upstream, connection } = await chain()
    await connection.tool('refund').call({ email: 'a@b.c' })
    const [item] = await upstream.inbox.list()
    await upstream.inbox.reject(item?.request.id ?? '', 'Too much.', 'bob')
    const told = await connection.tool('run_status').call({ run: item?.run ?? '', wait: 20 })
    expect(told).toMatchObject({ ok: true, value: { status: 'failed', error: { code: 'rejected' } } })
    expect(told.text).toMatch(/^The run of 'refund' failed: Step 'pay_back' failed: Rejected by reviewer bob .* who says "Too much."/)
  })
})

test('a tool of another server that is only named like run_status is not offered; one of the program is an error', async () => {
  const lines: string[] = []
  const log = { ...silentLogger, warn: (_fields: object, line: string) => void lines.push(line) }
  const named = (source?: string): AgentTool =>
    tool({ name: 'run_status', description: 'Another.', effect: 'read', source, execute: () => 'mine' }) as AgentTool
  const runtime = createRuntime({ tools: [own], database: memoryRuns() })
  onTestFinished(() => runtime.close())
  await createMcpServer({ tools: [own, named('mcp:odd')], runtime, durable: true, log })
  expect(lines).toEqual([expect.stringMatching(/'run_status'.*The one of mcp:odd is not offered/)])
  await expect(createMcpServer({ tools: [own, named()], runtime, durable: true, log })).rejects.toMatchObject({ code: 'duplicate_name' })
})
