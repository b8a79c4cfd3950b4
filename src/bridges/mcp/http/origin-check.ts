import { quote } from '../../../schema/quote.ts'
import { wrongOption } from '../../../tool/errors/wrong-option.ts'
import type { McpLibrary } from '../load-mcp.ts'
import { LOOPBACK_NAMES } from './loopback.ts'
import type { Refusal } from './refusal.ts'

export interface OriginRules {
  readonly hosts: readonly string[]
  readonly origins: readonly string[]
}

interface OriginOptions {
  readonly allowedHosts: readonly string[] | undefined
  readonly allowedOrigins: readonly string[] | undefined
  /** The public URL of the endpoint, whose host is allowed as well. */
  readonly resource: string | undefined
}

/** Names of hosts without a port. Those of this machine are allowed until others are named. */
export function originRules({ allowedHosts, allowedOrigins, resource }: OriginOptions): OriginRules {
  const own = resource === undefined ? [] : [new URL(resource).hostname]
  return {
    hosts: names('allowedHosts', allowedHosts ?? [...LOOPBACK_NAMES, ...own]),
    origins: names('allowedOrigins', allowedOrigins ?? LOOPBACK_NAMES),
  }
}

function names(option: string, given: readonly string[]): readonly string[] {
  for (const each of given as readonly unknown[])
    if (typeof each !== 'string' || !/^(?:[\w.-]+|\[[\da-f:.]+\]|[a-z][a-z\d+.-]*:\/\/\*)$/i.test(each))
      throw wrongOption(option, 'mcpHandler', `names of hosts without a scheme and a port, such as 'tools.example.com', not ${quote(each)}`)
  return given.map((each) => each.toLowerCase())
}

interface Sender {
  readonly host: string | null
  readonly origin: string | null
}

/** Refuses a page that was led here under a name of its own (DNS rebinding), and a page of an origin that nobody allowed. */
export function checkOrigin(mcp: McpLibrary, { host, origin }: Sender, { hosts, origins }: OriginRules): Refusal | undefined {
  if (!mcp.validateHostHeader(host, [...hosts]).ok)
    return { status: 403, message: 'This host is not allowed. Name it in allowedHosts if the endpoint is meant to be reached by it.' }
  if (!mcp.validateOriginHeader(origin, [...origins]).ok)
    return { status: 403, message: 'This origin is not allowed. Name it in allowedOrigins if its pages may use the endpoint.' }
  return undefined
}

/** Lets the pages of an allowed origin read the answer. */
export function allowOrigin(response: Response, origin: string | null): Response {
  if (origin === null) return response
  response.headers.set('access-control-allow-origin', origin)
  response.headers.set('access-control-expose-headers', 'mcp-session-id, mcp-protocol-version, www-authenticate, retry-after')
  response.headers.append('vary', 'Origin')
  return response
}

/** What browsers ask before they send a request of a page. */
export function preflight(headers: Headers): Response {
  return new Response(null, {
    status: 204,
    headers: {
      'access-control-allow-methods': 'GET, POST, DELETE',
      'access-control-allow-headers': headers.get('access-control-request-headers') ?? '',
      'access-control-max-age': '600',
    },
  })
}
