/** Why a request is not served, in the form that clients of the protocol read. It names nothing of the inside. */
export interface Refusal {
  readonly status: number
  readonly message: string
  /** The code of JSON-RPC; -32000 by default. */
  readonly code?: number
  readonly headers?: Readonly<Record<string, string>>
}

export function refused({ status, message, code = -32_000, headers = {} }: Refusal): Response {
  const body = JSON.stringify({ jsonrpc: '2.0', error: { code, message }, id: null })
  return new Response(body, { status, headers: { 'content-type': 'application/json', ...headers } })
}

/** The value of `Retry-After`: whole seconds, at least one. */
export function retryAfter(ms: number): string {
  return String(Math.max(1, Math.ceil(ms / 1000)))
}

export const PARSE_ERROR = -32_700
export const INVALID_REQUEST = -32_600
export const INTERNAL_ERROR = -32_603
export const SESSION_NOT_FOUND = -32_001
