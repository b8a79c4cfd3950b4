import type { Principal } from '../principal.ts'

/** Who sends a request over HTTP. Sessions, streams, runs and kept answers of one caller are unknown to all others. */
export interface McpCaller {
  /** Calls run on its behalf. */
  readonly principal: Principal
  /** The client that acts for it, such as the `client_id` of an access token. */
  readonly client?: string | undefined
  /** The scopes of its token, for handlers of your own. */
  readonly scopes?: readonly string[] | undefined
}

/** What clients are told of an endpoint that wants access tokens: the metadata of RFC 9728. */
export interface McpProtectedResource {
  /** The public URL of the endpoint. */
  readonly url: string
  /** Where clients get tokens. */
  readonly authorizationServers: readonly string[]
  readonly scopes?: readonly string[] | undefined
  /** For people. */
  readonly name?: string | undefined
}

/** Why a caller is refused: no proof, a wrong one, one that is good for less, or nobody can tell now. */
export interface McpAuthRefusal {
  readonly refused: 'missing' | 'invalid' | 'scope' | 'unavailable'
  /** The scopes that are needed. */
  readonly scopes?: readonly string[] | undefined
  /** The reason for the log of the server, such as `the token has expired`. Clients do not get it. Leave the token itself out. */
  readonly reason?: string | undefined
}

/** Finds who sends a request. */
export interface McpAuth {
  readonly authenticate: (request: Request) => McpCaller | McpAuthRefusal | Promise<McpCaller | McpAuthRefusal>
  /** With it, clients find out by themselves where to get a token. */
  readonly resource?: McpProtectedResource | undefined
  /** The scopes to ask for where a caller lacks these permissions; without it, such a call fails as any other. */
  readonly scopesFor?: ((permissions: readonly string[]) => readonly string[]) | undefined
}

/** The same as a function: the caller, or undefined for a request that is refused. */
export type McpAuthenticate = (request: Request) => McpCaller | undefined | Promise<McpCaller | undefined>
