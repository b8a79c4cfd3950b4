import { hostname, userInfo } from 'node:os'
import type { Writable } from 'node:stream'
import { type McpServerOptions, type McpTools, mcpToolsFor } from './create-mcp-server.ts'
import { warn } from '../../tool/warn.ts'
import { loadMcpStdio } from './load-mcp.ts'
import { protocolOutput } from './protocol-output.ts'

/** A server at work. */
export interface StdioServing extends Pick<McpTools, 'setTools' | 'refresh'> {
  /** Resolves when the client has gone. */
  readonly closed: Promise<void>
  readonly close: () => Promise<void>
}

/**
 * Serves tools to the MCP client that started this program, over its standard input and output. From here on standard output belongs to the
 * protocol: what a tool prints, and what a program prints that a tool starts, goes to standard error.
 * @example
 * const { closed } = await serveStdio({ tools: [orders], name: 'orders' })
 */
export async function serveStdio(options: McpServerOptions): Promise<StdioServing> {
  const { newServer, close, setTools, refresh } = await mcpToolsFor(options, { client: localUser() })
  const { serveStdio: serve, StdioServerTransport } = await loadMcpStdio()
  const transport = new StdioServerTransport(process.stdin, protocolOutput() as Writable)
  const closed = Promise.withResolvers<void>()
  const onerror = (error: Error): void => warn(options.log, `MCP: ${error.message}`, { error })
  const handle = serve(newServer, { transport, onerror })
  // A server may end before the connection does: a client that probes is given another one.
  const { onclose } = transport
  transport.onclose = () => {
    onclose?.()
    close()
    closed.resolve()
  }
  return { setTools, refresh, closed: closed.promise, close: () => handle.close() }
}

/** The client of a process is the user of the machine: the next process knows the durable runs of this one. */
function localUser(): string {
  try {
    return `${userInfo().username}@${hostname()}`
  } catch {
    // Some containers have users without a name.
    return hostname()
  }
}
