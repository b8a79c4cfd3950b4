import { Writable } from 'node:stream'
import { createMcpServer, type McpServerOptions } from './create-mcp-server.ts'
import { loadMcpStdio } from './load-mcp.ts'

/** A server at work. */
export interface StdioServing {
  /** Resolves when the client has gone. */
  readonly closed: Promise<void>
  readonly close: () => Promise<void>
}

/**
 * Serves tools to the MCP client that started this program, over its standard input and output. From here on standard output belongs to the
 * protocol: what a tool prints goes to standard error.
 * @example
 * const { closed } = await serveStdio({ tools: [orders], review: webhookReview({ url: 'http://127.0.0.1:8080/reviews' }) })
 * await closed
 */
export async function serveStdio(options: McpServerOptions): Promise<StdioServing> {
  const { newServer, close } = await createMcpServer(options)
  const { serveStdio: serve, StdioServerTransport } = await loadMcpStdio()
  const transport = new StdioServerTransport(process.stdin, protocolOutput())
  const closed = Promise.withResolvers<void>()
  const onError = (error: Error): void => {
    options.log?.warn({ error }, `MCP: ${error.message}`)
  }
  const onClosed = (): void => {
    close()
    closed.resolve()
  }
  const handle = serve(
    () => {
      const server = newServer()
      server.onclose = onClosed
      return server
    },
    { transport, onerror: onError },
  )
  process.stdin.once('end', onClosed)
  return { closed: closed.promise, close: () => handle.close() }
}

/** The way to the real standard output; whoever else writes there writes to standard error. */
function protocolOutput(): Writable {
  const { stdout, stderr } = process
  const write = stdout.write.bind(stdout)
  stdout.write = stderr.write.bind(stderr) as typeof stdout.write
  const output = new Writable({
    decodeStrings: false,
    write: (chunk: string | Uint8Array, _encoding, done) => void write(chunk, (error) => done(error)),
  })
  stdout.on('error', (error) => output.destroy(error))
  return output
}
