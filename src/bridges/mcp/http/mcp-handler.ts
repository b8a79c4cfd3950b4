import { quote } from '../../../schema/quote.ts'
import { type Duration, toMilliseconds } from '../../../tool/duration.ts'
import { wrongOption } from '../../../tool/errors/wrong-option.ts'
import { checkOptionNames, optionNames } from '../../../tool/option-names.ts'
import type { McpAuth, McpAuthenticate } from '../../../tool/ports/mcp-auth.ts'
import { type McpServerOptions, type McpTools, mcpToolsFor } from '../create-mcp-server.ts'
import { httpLimits, type McpHttpLimits } from './http-limits.ts'
import { checkedAuth } from './mcp-auth.ts'
import { type Answer, McpEndpoint } from './mcp-endpoint.ts'
import { type McpNodeListener, nodeListener } from './node-listener.ts'
import { originRules } from './origin-check.ts'

/** What is served over HTTP, to whom, and how much of it. */
export interface McpHandlerOptions extends McpServerOptions {
  /** Who calls: `bearerAuth(...)`, or a function of your own. Without it everybody who reaches the endpoint may call, as `principal`. */
  readonly auth?: McpAuth | McpAuthenticate | undefined
  /** The names, without ports, by which the endpoint is reached; by default those of this machine and the host of `bearerAuth`'s resource. */
  readonly allowedHosts?: readonly string[] | undefined
  /** The hosts, without ports, whose pages may use the endpoint from a browser; by default those of this machine. */
  readonly allowedOrigins?: readonly string[] | undefined
  readonly limits?: McpHttpLimits | undefined
  /** The only path that is served, such as `/mcp`; by default the server in front of it decides. */
  readonly path?: string | undefined
}

/** How an endpoint ends. */
export interface McpCloseOptions {
  /** How long requests that are under way may take to end; none by default. */
  readonly drain?: Duration | undefined
}

/** An endpoint of the Model Context Protocol. */
export interface McpHandler extends Pick<McpTools, 'setTools' | 'refresh'> {
  /** For servers with web-standard requests: hono, Deno, Bun. */
  readonly fetch: (request: Request) => Promise<Response>
  /** For servers with the objects of `node:http`: Node itself, express, fastify. */
  readonly node: McpNodeListener
  /** Takes no new requests, waits for those under way as long as `drain` says, and ends all sessions, streams and calls. Durable runs go on. */
  readonly close: (options?: McpCloseOptions) => Promise<void>
}

type OwnOptions = Omit<McpHandlerOptions, keyof McpServerOptions>
const OWN_NAMES = { auth: true, allowedHosts: true, allowedOrigins: true, limits: true, path: true } satisfies Record<
  keyof OwnOptions,
  true
>
const CLOSE_NAMES = optionNames<McpCloseOptions>({ drain: true })

/**
 * Serves tools over streamable HTTP, revisions 2025-11-25 and 2026-07-28 from one endpoint.
 * @example
 * const mcp = await mcpHandler({ tools: [orders], name: 'orders' })
 * const response = await mcp.fetch(new Request('http://localhost/mcp')) // or createServer(mcp.node).listen(3000, '127.0.0.1')
 */
export async function mcpHandler(options: McpHandlerOptions): Promise<McpHandler> {
  const { auth: givenAuth, allowedHosts, allowedOrigins, limits: givenLimits, path, ...serverOptions } = options
  if (path !== undefined && (typeof path !== 'string' || !path.startsWith('/')))
    throw wrongOption('path', 'mcpHandler', `such as '/mcp', not ${quote(path)}`)
  const auth = checkedAuth(givenAuth)
  const limits = httpLimits(givenLimits)
  const origins = originRules({ allowedHosts, allowedOrigins, resource: auth?.resource?.url })
  const served = await mcpToolsFor(serverOptions, { also: Object.keys(OWN_NAMES) })
  const { clock, log } = serverOptions
  const endpoint = new McpEndpoint({ served, auth, origins, limits, path, clock, log })
  return {
    setTools: served.setTools,
    refresh: served.refresh,
    fetch: async (request) => watched(await endpoint.answer({ request, body: { bytes: request.body }, address: undefined })),
    node: nodeListener((incoming) => endpoint.answer(incoming)),
    close: async (closing = {}) => {
      checkOptionNames(closing, CLOSE_NAMES, 'The options of close')
      await endpoint.close(toMilliseconds(closing.drain ?? 0, "'drain' of close"))
    },
  }
}

/** A response whose end is noticed: only a stream goes on after it is given. */
function watched({ response, over }: Answer): Response {
  if (response.body === null || response.headers.get('content-type')?.startsWith('text/event-stream') !== true) {
    over()
    return response
  }
  const reader = response.body.getReader()
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await reader.read()
      if (!done) return controller.enqueue(value)
      over()
      controller.close()
    },
    cancel(reason) {
      over()
      return reader.cancel(reason)
    },
  })
  return new Response(body, { status: response.status, headers: response.headers })
}
