/** What a model reads of a value: strings as they are, nothing for nothing, JSON for the rest. */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  if (value === null || value === undefined) return ''
  if (typeof value === 'bigint' || typeof value === 'symbol' || typeof value === 'function') return String(value)
  return toJsonText(value)
}

/** JSON that never throws: big integers become strings, and what cannot be written says so. */
export function toJsonText(value: unknown): string {
  try {
    return JSON.stringify(value, (_key, each: unknown) => (typeof each === 'bigint' ? String(each) : each)) ?? ''
  } catch (error) {
    return `[a value that JSON cannot hold: ${error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)}]`
  }
}

/** Cuts a text for display and says so; never splits a surrogate pair. */
export function excerpt(text: string, most: number): string {
  return text.length <= most ? text.toWellFormed() : `${text.slice(0, most).toWellFormed()}... (${text.length} characters)`
}
