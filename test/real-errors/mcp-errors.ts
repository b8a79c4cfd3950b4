import { Client, InMemoryTransport, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { McpServer } from '@modelcontextprotocol/server'
import * as z from 'zod'
import { freePort } from '../fixtures/free-port.ts'
import type { MisbehavingServers } from './misbehaving-servers.ts'
import { type RealError, realErrors } from './real-error.ts'

const info = { name: 'test', version: '1.0.0' }

/** A client beside a server with a tool that never answers. */
async function connected(): Promise<{ client: Client; server: McpServer }> {
  const server = new McpServer(info)
  server.registerTool('wait', { description: 'Waits.', inputSchema: z.object({ n: z.number() }) }, () => new Promise(() => undefined))
  const [near, far] = InMemoryTransport.createLinkedPair()
  const client = new Client(info)
  await server.connect(far)
  await client.connect(near)
  return { client, server }
}

async function withClient(work: (client: Client, server: McpServer) => Promise<unknown>): Promise<unknown> {
  const { client, server } = await connected()
  try {
    return await work(client, server)
  } finally {
    await client.close()
    await server.close()
  }
}

export function mcpErrors({ http }: MisbehavingServers): readonly RealError[] {
  const reached = (path: string) => () => new Client(info).connect(new StreamableHTTPClientTransport(new URL(path, http)))
  const wait = { name: 'wait', arguments: { n: 1 } }
  return realErrors('mcp', [
    ['400', 'invalid_request', 'failed', reached('/status/400')],
    ['401', 'access_denied', 'failed', reached('/status/401')],
    ['403', 'access_denied', 'failed', reached('/status/403')],
    ['404', 'not_found', 'failed', reached('/status/404')],
    ['429', 'rate_limited', 'failed', reached('/status/429?retry-after=2')],
    ['500', 'upstream_error', 'unknown', reached('/status/500')],
    ['502', 'service_unavailable', 'unknown', reached('/status/502')],
    ['503', 'service_unavailable', 'failed', reached('/status/503')],
    ['a page in place of an answer', 'upstream_error', 'unknown', reached('/page')],
    ['an answer that is cut off', 'upstream_error', 'unknown', reached(`/text/${encodeURIComponent('{"jsonrpc":')}`)],
    ['an answer of another protocol', 'invalid_request', 'failed', reached(`/text/${encodeURIComponent('{"a":1}')}`)],
    ['the connection is reset', 'service_unavailable', 'unknown', reached('/reset')],
    ['nobody listens', 'service_unavailable', 'not_started', async () => reached(`http://127.0.0.1:${await freePort()}/`)()],
    ['no such tool', 'invalid_request', 'not_started', () => withClient((client) => client.callTool({ name: 'none' }))],
    [
      'no such method',
      'not_found',
      'not_started',
      () => withClient((client) => client.request({ method: 'odd/method' } as never, z.object({}) as never)),
    ],
    ['a method that the server does not offer', 'not_found', 'not_started', () => withClient((client) => client.getPrompt({ name: 'a' }))],
    ['no answer comes in time', 'service_unavailable', 'unknown', () => withClient((client) => client.callTool(wait, { timeout: 30 }))],
    ['the caller has gone', 'cancelled', 'unknown', () => withClient((client) => client.callTool(wait, { signal: AbortSignal.abort() }))],
    [
      'the caller goes in the middle',
      'cancelled',
      'unknown',
      () =>
        withClient((client) => {
          const controller = new AbortController()
          setImmediate(() => controller.abort())
          return client.callTool(wait, { signal: controller.signal })
        }),
    ],
    [
      'the server goes in the middle',
      'service_unavailable',
      'unknown',
      () =>
        withClient((client, server) => {
          const answer = client.callTool(wait)
          setImmediate(() => void server.close())
          return answer
        }),
    ],
    ['a client that is not connected', 'service_unavailable', 'not_started', () => new Client(info).callTool(wait)],
    [
      'a client that was closed',
      'service_unavailable',
      'not_started',
      () =>
        withClient(async (client) => {
          await client.close()
          return client.callTool(wait)
        }),
    ],
  ])
}
