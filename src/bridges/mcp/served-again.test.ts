import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { httpClient, listening } from '../../../test/fixtures/mcp/over-http.ts'
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
