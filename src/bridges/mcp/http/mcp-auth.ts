import { isRecord } from '../../../schema/json-schema.ts'
import { quote } from '../../../schema/quote.ts'
import { ConfigurationError } from '../../../tool/errors/configuration-error.ts'
import type { McpAuth, McpAuthenticate, McpAuthRefusal, McpCaller, McpProtectedResource } from '../../../tool/ports/mcp-auth.ts'
import type { Refusal } from './refusal.ts'
import { retryAfter } from './refusal.ts'

export function checkedAuth(auth: McpAuth | McpAuthenticate | undefined): McpAuth | undefined {
  if (auth === undefined) return undefined
  if (typeof auth === 'function') return { authenticate: async (request) => (await auth(request)) ?? { refused: 'missing' } }
  if (!isRecord(auth) || typeof auth.authenticate !== 'function')
    throw new ConfigurationError('invalid_option', `'auth' of mcpHandler must be a function, or what bearerAuth gives, not ${quote(auth)}.`)
  return auth
}

export function isRefusal(answer: McpCaller | McpAuthRefusal): answer is McpAuthRefusal {
  return 'refused' in answer
}

/** The answer to a caller that is refused, with the challenge of RFC 6750 and RFC 9728. */
export function challenge({ refused, scopes = [] }: McpAuthRefusal, { resource }: McpAuth): Refusal {
  if (refused === 'unavailable')
    return { status: 503, message: 'Tokens cannot be checked now. Try again later.', headers: { 'retry-after': retryAfter(5000) } }
  const { status, error, message } = ANSWERS[refused]
  const parts = [
    ...(error === undefined ? [] : [`error="${error}"`, `error_description="${message}"`]),
    ...(scopes.length === 0 ? [] : [`scope="${scopes.join(' ')}"`]),
    ...(resource === undefined ? [] : [`resource_metadata="${metadataUrl(resource)}"`]),
  ]
  return { status, message, headers: { 'www-authenticate': ['Bearer', parts.join(', ')].join(' ').trim() } }
}

const ANSWERS = {
  missing: { status: 401, error: undefined, message: 'This endpoint wants an access token.' },
  invalid: { status: 401, error: 'invalid_token', message: 'The access token is not valid, or has expired.' },
  scope: { status: 403, error: 'insufficient_scope', message: 'The access token lacks a scope that is needed.' },
} as const

const WELL_KNOWN = '/.well-known/oauth-protected-resource'

function metadataUrl({ url }: McpProtectedResource): string {
  const { origin, pathname } = new URL(url)
  return `${origin}${WELL_KNOWN}${pathname === '/' ? '' : pathname}`
}

/** The metadata, where the path asks for them. They are for everybody, also for pages of other origins. */
export function metadataResponse(method: string, path: string, { resource }: McpAuth): Response | undefined {
  if (resource === undefined || (path !== WELL_KNOWN && path !== new URL(metadataUrl(resource)).pathname)) return undefined
  const open = { 'access-control-allow-origin': '*', 'access-control-allow-headers': '*' }
  if (method === 'OPTIONS') return new Response(null, { status: 204, headers: open })
  if (method !== 'GET' && method !== 'HEAD') return new Response(null, { status: 405, headers: { allow: 'GET', ...open } })
  const { url, authorizationServers, scopes, name } = resource
  const metadata = {
    resource: url,
    authorization_servers: authorizationServers,
    bearer_methods_supported: ['header'],
    ...(scopes === undefined ? {} : { scopes_supported: scopes }),
    ...(name === undefined ? {} : { resource_name: name }),
  }
  return Response.json(metadata, { headers: { 'cache-control': 'public, max-age=300', ...open } })
}
