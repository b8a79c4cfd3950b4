import { isRecord } from '../../../schema/json-schema.ts'

/** The status of an answer that the SDK has made an error of. */
export function httpStatusOf(error: unknown): unknown {
  // The data of a JSON-RPC error is what the server writes: no status of HTTP, whatever it is called.
  if (!isRecord(error) || typeof error['code'] === 'number') return undefined
  return error['status'] ?? (isRecord(error['data']) ? error['data']['status'] : undefined)
}

/** The body of an answer that the SDK has made an error of. */
export function httpBodyOf(error: unknown): string | undefined {
  const data = httpStatusOf(error) !== undefined && isRecord(error) ? error['data'] : undefined
  return isRecord(data) && typeof data['text'] === 'string' ? data['text'] : undefined
}
