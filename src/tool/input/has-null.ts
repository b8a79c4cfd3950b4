const MAX_DEPTH = 200

/** Whether a null stands anywhere in a value; what is too deep to look through may hold one. */
export function hasNull(value: unknown, depth = 0): boolean {
  if (value === null || depth > MAX_DEPTH) return true
  if (typeof value !== 'object') return false
  if (Array.isArray(value)) return value.some((each) => hasNull(each, depth + 1))
  for (const key in value) {
    if (Object.hasOwn(value, key) && hasNull((value as Record<string, unknown>)[key], depth + 1)) return true
  }
  return false
}
