import type { Client, ElicitResult } from '@modelcontextprotocol/client'
import { describe, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { connectInProcess } from '../../../test/fixtures/mcp/in-process.ts'
import { listening, statelessRequest } from '../../../test/fixtures/mcp/over-http.ts'
import { gate } from '../../combinators/gate/gate.ts'
import { createRuntime } from '../../runtime/create-runtime.ts'
import { memoryRuns } from '../../testing/memory-runs.ts'
import { catalog, type Gap } from '../../select/index.ts'
import type { AgentTool } from '../../tool/agent-tool.ts'
import { tool } from '../../tool/tool.ts'
import { createMcpServer } from './create-mcp-server.ts'
import { mcpHandler } from './http/mcp-handler.ts'

const many = (count: number): readonly AgentTool[] =>
  Array.from({ length: count }, (_, at) =>
    tool({
      name: `read_report_${at}`,
      description: `Reads the report number ${at} of the archive.`,
      effect: 'read',
      inputSchema: z.object({ year: z.number().describe('The year of the report') }),
      execute: ({ year }) => `report ${at} of ${year}`,
    }),
  )
const refund = tool({
  name: 'issue_refund',
  description: 'Pays an order back to a customer.',
  effect: 'irreversible',
  inputSchema: z.object({ order: z.string(), amount: z.number() }),
  outputSchema: z.object({ paid: z.number() }),
  execute: ({ amount }) => ({ paid: amount }),
})
const erase = tool({ name: 'erase_customer', description: 'Erases a customer.', permissions: ['erase'], execute: () => 'erased' })

const textOf = (answer: unknown): string => ((answer as { content: { text: string }[] }).content[0] as { text: string }).text
const listed = async (client: Client): Promise<string[]> => (await client.listTools()).tools.map(({ name }) => name)

describe.each(['2025-11-25', '2026-07-28'] as const)('select, revision %s', (revision) => {
  test('a server of 300 tools lists two, and a client finds, reads and calls the others [S3]', async () => {
    const client = await connectInProcess(await createMcpServer({ tools: [...many(300), refund], select: true }), revision)
    expect(await listed(client)).toEqual(['search_tools', 'call_tool'])
    const found = await client.callTool({ name: 'search_tools', arguments: { query: 'pay an order back' } })
    expect(textOf(found).split('\n')[0]).toBe('issue_refund: Pays an order back to a customer.')
    const read = await client.callTool({ name: 'search_tools', arguments: { names: ['issue_refund'] } })
    expect(JSON.parse(textOf(read))).toMatchObject({ name: 'issue_refund', parameters: { required: ['order', 'amount'] } })
    const called = await client.callTool({ name: 'call_tool', arguments: { name: 'issue_refund', arguments: { order: 'a', amount: 5 } } })
    expect(called).toMatchObject({ structuredContent: { paid: 5 } })
    const asText = await client.callTool({ name: 'call_tool', arguments: { name: 'read_report_7', arguments: '{"year":2020}' as never } })
    expect(textOf(asText)).toBe('report 7 of 2020')
    const direct = await client.callTool({ name: 'read_report_7', arguments: { year: 2021 } })
    expect(textOf(direct)).toBe('report 7 of 2021')
  })

  test('a wrong call says what to do: bad arguments, an unknown name, no name', async () => {
    const client = await connectInProcess(await createMcpServer({ tools: [refund], select: true }), revision)
    const call = (given: Record<string, unknown>) => client.callTool({ name: 'call_tool', arguments: given })
    expect(await call({ name: 'issue_refund', arguments: { order: 1 } })).toMatchObject({
      isError: true,
      _meta: { 'toolwright/error': { code: 'invalid_input' } },
    })
    expect(textOf(await call({ name: 'isue_refund' }))).toContain("Did you mean 'issue_refund'?")
    expect(textOf(await call({}))).toContain('needs the name of a tool')
    expect(textOf(await call({ name: 'issue_refund', arguments: 3 }))).toContain('must be an object')
  })

  test('a gate asks about the inner tool, with its own input, and an answer goes on with it [T14]', async () => {
    const messages: string[] = []
    const answer = (message: string): ElicitResult => {
      messages.push(message)
      return { action: 'accept', content: { decision: 'approve' } }
    }
    const client = await connectInProcess(await createMcpServer({ tools: [gate(refund)], select: true }), revision, { answer })
    const called = await client.callTool({ name: 'call_tool', arguments: { name: 'issue_refund', arguments: { order: 'b7', amount: 9 } } })
    expect(called).toMatchObject({ structuredContent: { paid: 9 } })
    expect(messages).toHaveLength(1)
    expect(messages[0]).toContain('issue_refund')
    expect(messages[0]).toContain('b7')
    expect(messages[0]).not.toContain('call_tool')
  })

  test('a tool that the caller may not call is not found, not listed, not named, and not called', async () => {
    const options = { tools: [erase, refund], principal: { id: 'ada', permissions: [] }, select: { always: ['erase_customer'] } }
    const client = await connectInProcess(await createMcpServer(options), revision)
    expect(await listed(client)).toEqual(['search_tools', 'call_tool'])
    const outer = await client.callTool({ name: 'erase_customer', arguments: {} }).catch((error: Error) => error.message)
    const near = await client.callTool({ name: 'erase_custome', arguments: {} }).catch((error: Error) => error.message)
    const answers = [
      await client.callTool({ name: 'search_tools', arguments: { query: 'erase a customer' } }),
      await client.callTool({ name: 'search_tools', arguments: { names: ['erase_customer'] } }),
      await client.callTool({ name: 'call_tool', arguments: { name: 'erase_customer', arguments: { input: 'x' } } }),
      await client.callTool({ name: 'call_tool', arguments: { name: 'erase_custome' } }),
    ]
    const told = JSON.stringify([outer, near, ...answers]).replaceAll(/'erase_custome\w?'/g, '')
    expect(told).toContain('Unknown tool')
    expect(told).not.toContain('erase')
    const boss = { ...options, principal: { id: 'eve', permissions: ['erase'] } }
    const allowed = await connectInProcess(await createMcpServer(boss), revision)
    expect(await listed(allowed)).toEqual(['search_tools', 'call_tool', 'erase_customer'])
    expect(textOf(await allowed.callTool({ name: 'call_tool', arguments: { name: 'erase_customer', arguments: { input: 'x' } } }))).toBe(
      'erased',
    )
  })

  test('tools that come and go are found and not found, and nothing that fits is told to the program', async () => {
    const gaps: Gap[] = []
    const served = await createMcpServer({ tools: many(3), select: { onGap: (gap) => gaps.push(gap) } })
    const client = await connectInProcess(served, revision)
    const search = async (query: string): Promise<string> => textOf(await client.callTool({ name: 'search_tools', arguments: { query } }))
    expect(await search('pay back an order to a customer')).toContain('No tool fits')
    expect(gaps.map(({ request }) => request)).toEqual(['pay back an order to a customer'])
    await served.setTools([refund])
    expect(await search('pay back an order to a customer')).toContain('issue_refund')
    expect(await search('read the report number 2')).not.toContain('read_report')
  })
})

test('a client that follows its list gets the tools that it has found, the newest, and no more than so many', async () => {
  const client = await connectInProcess(await createMcpServer({ tools: [...many(30), refund], select: { found: 3 } }), '2025-11-25')
  let changes = 0
  client.setNotificationHandler('notifications/tools/list_changed', () => void changes++)
  await client.callTool({ name: 'search_tools', arguments: { query: 'pay an order back to a customer' } })
  expect(await listed(client)).toContain('issue_refund')
  await client.callTool({ name: 'search_tools', arguments: { query: 'read the report of the archive' } })
  const after = await listed(client)
  expect(after).toHaveLength(5)
  expect(after.slice(2).every((name) => name.startsWith('read_report_'))).toBe(true)
  expect(changes).toBe(2)
  const still = await connectInProcess(await createMcpServer({ tools: [...many(30)], select: { found: 0 } }), '2025-11-25')
  await still.callTool({ name: 'search_tools', arguments: { query: 'read the report of the archive' } })
  expect(await listed(still)).toEqual(['search_tools', 'call_tool'])
})

test('a tool that runs durably does so by call_tool too, and run_status is listed', async () => {
  const runs = memoryRuns()
  const runtime = createRuntime({ tools: [refund], database: runs })
  onTestFinished(() => runtime.close())
  const client = await connectInProcess(await createMcpServer({ runtime, select: true }), '2025-11-25')
  expect(await listed(client)).toEqual(['search_tools', 'call_tool', 'run_status'])
  const called = await client.callTool({ name: 'call_tool', arguments: { name: 'issue_refund', arguments: { order: 'a', amount: 5 } } })
  expect(called).toMatchObject({ structuredContent: { paid: 5 } })
  expect((await (await runtime.runs()).list()).map(({ tool: name }) => name)).toEqual(['issue_refund'])
})

test('a catalog of the program keeps what it has learned, and holds the tools that are served', async () => {
  const own = await catalog([])
  await own.learn([{ text: 'make it good again', tool: 'issue_refund', served: true }])
  const client = await connectInProcess(await createMcpServer({ tools: [...many(10), refund], select: { catalog: own } }), '2025-11-25')
  const found = await client.callTool({ name: 'search_tools', arguments: { query: 'make it good again' } })
  expect(textOf(found)).toContain('issue_refund')
  expect(own.size).toBe(11)
})

test('over HTTP each caller finds what that caller may call, and no scope of another tool is named', async () => {
  const auth = {
    authenticate: (request: Request) => {
      const id = request.headers.get('authorization') ?? ''
      return { principal: { id, permissions: id === 'eve' ? ['erase'] : [] } }
    },
    scopesFor: (permissions: readonly string[]) => [...permissions],
  }
  const mcp = await mcpHandler({ tools: [erase, refund], auth, select: true })
  onTestFinished(() => mcp.close())
  const url = await listening(mcp.node)
  const ask = async (who: string, name: string, given: Record<string, unknown>) => {
    const response = await statelessRequest(url, 'tools/call', { name, arguments: given }, { authorization: who })
    return { status: response.status, body: response.text }
  }
  for (const who of ['ada', 'eve']) {
    const search = await ask(who, 'search_tools', { query: 'erase a customer' })
    expect(search.body.includes('erase_customer')).toBe(who === 'eve')
    const inner = await ask(who, 'call_tool', { name: 'erase_customer', arguments: { input: 'x' } })
    expect(inner.body.includes('erased')).toBe(who === 'eve')
    const direct = await ask(who, 'erase_customer', { input: 'x' })
    expect(direct.body.includes('erased')).toBe(who === 'eve')
    expect([direct.status === 403, direct.body.includes('Unknown tool')]).toEqual([false, who === 'ada'])
  }
})

test('wrong options and a tool of a reserved name are refused', async () => {
  await expect(createMcpServer({ tools: [refund], select: { found: -1 } })).rejects.toMatchObject({ code: 'invalid_option' })
  await expect(createMcpServer({ tools: [refund], select: { top: 1 } as never })).rejects.toMatchObject({ code: 'invalid_option' })
  await expect(createMcpServer({ tools: [refund], select: { always: 'x' as never } })).rejects.toMatchObject({ code: 'invalid_option' })
  const taken = tool({ name: 'call_tool', description: 'Is taken.', execute: () => 'x' })
  await expect(createMcpServer({ tools: [taken], select: true })).rejects.toMatchObject({ code: 'duplicate_name' })
})
