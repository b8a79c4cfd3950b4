import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { httpClient, listening } from '../../../test/fixtures/mcp/over-http.ts'
import { createRuntime } from '../../runtime/create-runtime.ts'
import { memoryRuns } from '../../testing/memory-runs.ts'
import type { AgentTool } from '../../tool/agent-tool.ts'
import { tool } from '../../tool/tool.ts'
import { connectMcp } from './client/connect-mcp.ts'
import { mcpHandler } from './http/mcp-handler.ts'

const named = (name: string): AgentTool<Record<string, never>, string> =>
  tool({ name, description: `Says ${name}.`, inputSchema: z.object({}), effect: 'read', execute: () => name })

test('tools that a server gets later are served again, and the clients of the second server hear of it [T10]', async () => {
  const first = await mcpHandler({ tools: [named('one')] })
  onTestFinished(() => first.close())
  const upstream = await connectMcp({ url: await listening(first.node) })
  onTestFinished(() => upstream.close())
  const second = await mcpHandler({ tools: [named('own'), upstream] })
  onTestFinished(() => second.close())
  const client = await httpClient(await listening(second.node), '2025-11-25')
  const heard = Promise.withResolvers<void>()
  client.setNotificationHandler('notifications/tools/list_changed', () => heard.resolve())
  const names = async (): Promise<readonly string[]> => (await client.listTools()).tools.map(({ name }) => name)
  expect(await names()).toEqual(['own', 'one'])
  await first.setTools([named('one'), named('two')])
  await heard.promise
  expect(await names()).toEqual(['own', 'one', 'two'])
  expect((await client.callTool({ name: 'two' })).content).toEqual([{ type: 'text', text: 'two' }])
})

/** A provider whose tools the test changes, told or not. */
function changing(first: readonly AgentTool[]): {
  readonly provider: object
  readonly change: (tools: readonly AgentTool[]) => void
  readonly followers: ReadonlySet<() => void>
} {
  let tools = first
  const followers = new Set<() => void>()
  const onChange = (listener: () => void): (() => void) => {
    followers.add(listener)
    return () => void followers.delete(listener)
  }
  const change = (next: readonly AgentTool[]): void => {
    tools = next
    for (const each of followers) each()
  }
  return { provider: { tools: () => tools, onChange }, change, followers }
}

test.each([false, true])(
  'changes of the providers of a runtime are followed, and clients hear of them; durable: %s [T10]',
  async (durable) => {
    const { provider, change, followers } = changing([named('one'), named('two')])
    const runtime = createRuntime({ tools: [named('own'), provider], ...(durable ? { database: memoryRuns() } : {}) })
    onTestFinished(() => runtime.close())
    const served = await mcpHandler({ runtime, durable })
    onTestFinished(() => served.close())
    const client = await httpClient(await listening(served.node), '2025-11-25')
    const heard = Promise.withResolvers<void>()
    client.setNotificationHandler('notifications/tools/list_changed', () => heard.resolve())
    const names = async (): Promise<readonly string[]> =>
      (await client.listTools()).tools.map(({ name }) => name).filter((name) => name !== 'run_status')
    expect(await names()).toEqual(['own', 'one', 'two'])
    change([named('two'), named('three')])
    await heard.promise
    expect(await names()).toEqual(['own', 'two', 'three'])
    for (const name of ['own', 'two', 'three'])
      expect((await client.callTool({ name, arguments: {} })).content).toEqual([{ type: 'text', text: name }])
    await served.close()
    await runtime.close()
    expect(followers.size).toBe(0)
  },
)

test('a refresh asks the providers of a runtime again, also those that tell nothing, and lets them read first', async () => {
  let tools = [named('one')]
  let source = tools
  const silent = { tools: () => tools.map(({ name }) => named(`silent_${name}`)) }
  const reading = {
    tools: () => tools,
    refresh: async () => {
      tools = source
    },
  }
  const runtime = createRuntime({ tools: [reading, silent] })
  const served = await mcpHandler({ runtime })
  onTestFinished(() => served.close())
  const client = await httpClient(await listening(served.node), '2026-07-28')
  const names = async (): Promise<readonly string[]> => (await client.listTools()).tools.map(({ name }) => name)
  expect(await names()).toEqual(['one', 'silent_one'])
  source = [named('two')]
  const before = await runtime.registered()
  expect(await runtime.registered()).toBe(before)
  await served.refresh()
  expect(await names()).toEqual(['two', 'silent_two'])
})

test('a change that cannot be used leaves the tools that were there, and the next one counts', async () => {
  const { provider, change } = changing([named('one')])
  const lines: string[] = []
  const log = {
    trace: () => {},
    debug: () => {},
    info: () => {},
    error: () => {},
    warn: (_: object, line: string) => void lines.push(line),
  }
  const runtime = createRuntime({ tools: [named('own'), provider], log })
  const names = async (): Promise<readonly string[]> => (await runtime.registered()).tools.map(({ name }) => name)
  expect(await names()).toEqual(['own', 'one'])
  change([5 as never])
  expect(await names()).toEqual(['own', 'one'])
  expect(lines[0]).toContain('those from before are kept')
  change([named('two')])
  expect(await names()).toEqual(['own', 'two'])
})

test('a provider that the server no longer serves, or of a server that is closed, is not followed', async () => {
  const followers = new Set<() => void>()
  const provider = {
    tools: () => [named('one')],
    onChange: (listener: () => void) => {
      followers.add(listener)
      return () => void followers.delete(listener)
    },
  }
  const handler = await mcpHandler({ tools: [provider] })
  expect(followers.size).toBe(1)
  await handler.setTools([named('other')])
  expect(followers.size).toBe(0)
  await handler.setTools([provider])
  expect(followers.size).toBe(1)
  await handler.close()
  expect(followers.size).toBe(0)
})
