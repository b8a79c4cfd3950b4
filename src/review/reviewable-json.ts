/** JSON for a reviewer, who must see what the tool would get: maps and sets as lists, big integers as texts. Throws on cycles. */
export function reviewableJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, (_key, each: unknown) => shownAs(each), indent) ?? 'null'
}

function shownAs(value: unknown): unknown {
  if (typeof value === 'bigint') return String(value)
  return value instanceof Map || value instanceof Set ? [...(value as Iterable<unknown>)] : value
}
