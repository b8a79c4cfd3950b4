import { isRecord } from '../../../schema/json-schema.ts'

/** The status of an answer that the SDK has made an error of. */
export function httpStatusOf(error: unknown): unknown {
  // The data of a JSON-RPC error is what the server writes: no status of HTTP, whatever it is called.
  if (!isRecord(error) || typeof error['code'] === 'number') return undefined
  return error['status'] ?? deniedBy(error) ?? (isRecord(error['data']) ? error['data']['status'] : undefined)
}

/** The SDK has tried to get a token (401), or one with more rights (403), after a denial, and has none. Its error does not name the status. */
function deniedBy(error: object): number | undefined {
  return DENIED_BY.get(Reflect.get(error.constructor, 'mcpBrand'))
}

const DENIED_BY: ReadonlyMap<unknown, number> = new Map([
  ['mcp.UnauthorizedError', 401],
  ['mcp.InsufficientScopeError', 403],
])

/** The body of an answer that the SDK has made an error of. */
export function httpBodyOf(error: unknown): string | undefined {
  const data = httpStatusOf(error) !== undefined && isRecord(error) ? error['data'] : undefined
  return isRecord(data) && typeof data['text'] === 'string' ? data['text'] : undefined
}
