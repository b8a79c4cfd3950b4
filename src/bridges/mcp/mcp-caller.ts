import type { AuthInfo, ServerContext } from '@modelcontextprotocol/server'
import { hashOf } from '../../tool/journal/hash.ts'
import type { McpCaller } from '../../tool/ports/mcp-auth.ts'
import { sealedPrincipal } from '../../tool/principal.ts'
import { principalKey } from '../../tool/principal-key.ts'

interface KnownCaller extends McpCaller {
  readonly session: CallerSession | undefined
}

/** The caller of the last request of a session. It is the same person or program every time, but not always with the same rights. */
export interface CallerSession {
  latest: McpCaller | undefined
}

const callers = new WeakMap<object, KnownCaller>()

/** The caller in the form that the library carries to its handlers. The token stays here: it is not meant for anybody else. */
export function authInfoOf(caller: McpCaller, session?: CallerSession): AuthInfo {
  const { client = '', scopes = [] } = caller
  const principal = sealedPrincipal(caller.principal)
  const info: AuthInfo = { token: '', clientId: client, scopes: [...scopes], extra: { principal } }
  const known = { ...caller, principal, session }
  callers.set(info, known)
  if (session !== undefined) session.latest = known
  return info
}

/** The caller of a request; undefined where the transport knows none. */
export function mcpCallerOf({ http }: Pick<ServerContext, 'http'>): McpCaller | undefined {
  return http?.authInfo === undefined ? undefined : callers.get(http.authInfo)
}

/** Who stands behind a request now: a session may have had a later request with fewer rights. */
export function callerNowOf({ http }: Pick<ServerContext, 'http'>): McpCaller | undefined {
  const known = http?.authInfo === undefined ? undefined : callers.get(http.authInfo)
  return known?.session?.latest ?? known
}

/** The client of a request; undefined where the transport knows none. */
export function clientOf({ http }: Pick<ServerContext, 'http'>): string | undefined {
  const id = http?.authInfo?.clientId
  return id === '' ? undefined : id
}

/** Tells callers apart; the same for all whom nobody has asked who they are. */
export function callerKey(caller: McpCaller | undefined): string {
  return caller === undefined ? '' : hashOf([principalKey(caller.principal) ?? null, caller.client ?? null])
}
