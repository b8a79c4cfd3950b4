import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { ConfigurationError } from '../tool/errors/configuration-error.ts'

export interface MetricsEndpointOptions {
  /** 0 takes any free one. */
  readonly port: number
  readonly host: string
  readonly respond: (request: IncomingMessage, response: ServerResponse) => void
}

/** An HTTP server that answers `GET /metrics`. It does not keep the process alive. */
export interface MetricsEndpoint {
  readonly url: string
  readonly close: () => Promise<void>
}

export async function serveMetrics({ port, host, respond }: MetricsEndpointOptions): Promise<MetricsEndpoint> {
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new ConfigurationError('invalid_option', `The port for Prometheus must be a whole number from 0 to 65535, not ${String(port)}.`)
  const server = createServer((request, response) => {
    if (request.method === 'GET' && request.url?.split('?')[0] === '/metrics') respond(request, response)
    else response.writeHead(404).end()
  }).unref()
  await listening(server, port, host)
  const address = server.address() as AddressInfo
  const name = address.family === 'IPv6' ? `[${address.address}]` : address.address
  return { url: `http://${name}:${address.port}/metrics`, close: () => closed(server) }
}

function listening(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => reject(refused(cause, port, host)))
    server.listen({ port, host }, () => resolve())
  })
}

function refused(cause: NodeJS.ErrnoException, port: number, host: string): ConfigurationError {
  const why = cause.code === 'EADDRINUSE' ? 'is in use' : `cannot be bound (${cause.code ?? cause.message})`
  const message = `Port ${port} of ${host} ${why}, so that Prometheus could not read metrics there. Choose another, or 0 for any free one.`
  return new ConfigurationError('invalid_option', message, { cause })
}

/** Scrapers keep their connections open: without closing them the server would never end. */
function closed(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}
