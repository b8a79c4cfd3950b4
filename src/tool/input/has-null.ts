const MAX_DEPTH = 200

/** Whether a null stands anywhere in a value; what is too deep to look through may hold one. Every call passes here: it has to be quick. */
export function hasNull(value: unknown, depth = 0): boolean {
  if (typeof value !== 'object') return false
  if (value === null || depth > MAX_DEPTH) return true
  if (Array.isArray(value)) return value.some((each) => hasNull(each, depth + 1))
  for (const key in value) {
    const each = (value as Record<string, unknown>)[key]
    if (typeof each === 'object' && hasNull(each, depth + 1)) return true
  }
  return false
}
