/**
 * JSON for a reviewer, who must see what the tool would get: maps and sets as lists, bytes as numbers, and as texts the numbers and dates that
 * JSON cannot write. Throws on cycles.
 */
export function reviewableJson(value: unknown, indent?: number): string {
  function replaced(this: unknown, key: string, each: unknown): unknown {
    // A date that is none has no JSON: it is null already.
    return shownAs(each === null ? (this as Readonly<Record<string, unknown>>)[key] : each)
  }
  return JSON.stringify(value, replaced, indent) ?? 'null'
}

function shownAs(value: unknown): unknown {
  if (typeof value === 'bigint') return String(value)
  if (typeof value === 'number')
    return Number.isFinite(value) && !Object.is(value, -0) ? value : Object.is(value, -0) ? '-0' : String(value)
  if (value instanceof DataView) return new Uint8Array(value.buffer, value.byteOffset, value.byteLength)
  if (value instanceof Date) return String(value)
  return value instanceof Map || value instanceof Set ? [...(value as Iterable<unknown>)] : value
}

/** The same as data, for a request that is kept as JSON. */
export function reviewableData(value: unknown): unknown {
  return value === undefined ? undefined : (JSON.parse(reviewableJson(value)) as unknown)
}
