import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { NodeStreamableHTTPServerTransport, toNodeHandler } from '@modelcontextprotocol/node'
import { createMcpHandler, isInitializeRequest, McpServer } from '@modelcontextprotocol/server'
import { serveStdio as servePlainStdio } from '@modelcontextprotocol/server/stdio'
import { tool } from 'toolwright'
import { mcpHandler, serveStdio } from 'toolwright/mcp'
import { z } from 'zod'

/** One of two servers with the same tool, for the bench of MCP: `plain` is that of the library as its documentation has it. */
const inputSchema = z.object({ a: z.number(), b: z.number() })
const description = 'Adds two numbers.'
const add = tool({ name: 'add', description, inputSchema, effect: 'read', execute: ({ a, b }) => String(a + b) })

export function plainServer(): McpServer {
  const server = new McpServer({ name: 'plain', version: '1.0.0' })
  server.registerTool('add', { description, inputSchema }, ({ a, b }) => ({ content: [{ type: 'text', text: String(a + b) }] }))
  return server
}

export const ourServer = { name: 'ours', version: '1.0.0', tools: [add], limits: { rate: false, concurrency: 10_000 } } as const

/** Revision 2026-07-28 has no sessions. */
function plainStateless(): RequestListener {
  const listener = toNodeHandler(createMcpHandler(plainServer))
  return (request, response) => void listener(request as never, response as never)
}

/** Revision 2025-11-25, with a session for each client. */
function plainSessions(): RequestListener {
  const sessions = new Map<string, NodeStreamableHTTPServerTransport>()
  const begin = async (): Promise<NodeStreamableHTTPServerTransport> => {
    const transport: NodeStreamableHTTPServerTransport = new NodeStreamableHTTPServerTransport({
      sessionIdGenerator: () => crypto.randomUUID(),
      onsessioninitialized: (id) => void sessions.set(id, transport),
      onsessionclosed: (id) => void sessions.delete(id),
    })
    await plainServer().connect(transport)
    return transport
  }
  const answer = async (...[request, response]: Parameters<RequestListener>): Promise<void> => {
    const known = sessions.get(String(request.headers['mcp-session-id']))
    if (known !== undefined) return known.handleRequest(request, response)
    let text = ''
    for await (const chunk of request) text += String(chunk)
    const message: unknown = JSON.parse(text)
    if (!isInitializeRequest(message)) return void response.writeHead(404).end()
    return (await begin()).handleRequest(request, response, message)
  }
  return (request, response) => void answer(request, response)
}

async function ours(): Promise<RequestListener> {
  const { node } = await mcpHandler(ourServer)
  return (request, response) => void node(request, response)
}

async function serve([side = '', transport = '']: readonly string[]): Promise<void> {
  if (transport === 'stdio') {
    if (side === 'plain') servePlainStdio(plainServer)
    else await serveStdio({ name: 'ours', tools: [add] })
    return
  }
  const server = createServer(side === 'ours' ? await ours() : transport === 'sessions' ? plainSessions() : plainStateless())
  server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port))
  // The bench asks for the memory, and ends the server by ending its input.
  process.on('message', () => {
    globalThis.gc?.()
    process.send?.(process.memoryUsage())
  })
  process.stdin.resume().once('end', () => process.exit(0))
}

if (import.meta.main) await serve(process.argv.slice(2))
