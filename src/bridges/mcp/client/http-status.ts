import { isRecord } from '../../../schema/json-schema.ts'

/** The status of an answer that the SDK has made an error of. */
export function httpStatusOf(error: unknown): unknown {
  if (!isRecord(error)) return undefined
  return error['status'] ?? (isRecord(error['data']) ? error['data']['status'] : undefined)
}
