import type { AuthInfo, ServerContext } from '@modelcontextprotocol/server'
import { hashOf } from '../../tool/journal/hash.ts'
import type { McpCaller } from '../../tool/ports/mcp-auth.ts'
import { sealedPrincipal } from '../../tool/principal.ts'
import { principalKey } from '../../tool/principal-key.ts'

const callers = new WeakMap<object, McpCaller>()

/** The caller in the form that the library carries to its handlers. The token stays here: it is not meant for anybody else. */
export function authInfoOf(caller: McpCaller): AuthInfo {
  const { client = '', scopes = [] } = caller
  const principal = sealedPrincipal(caller.principal)
  const info: AuthInfo = { token: '', clientId: client, scopes: [...scopes], extra: { principal } }
  callers.set(info, { ...caller, principal })
  return info
}

/** The caller of a request; undefined where the transport knows none. */
export function mcpCallerOf({ http }: Pick<ServerContext, 'http'>): McpCaller | undefined {
  return http?.authInfo === undefined ? undefined : callers.get(http.authInfo)
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
