import { toJsonText } from '../../schema/quote.ts'

/** The text of a value for a model: a string unchanged, an empty text for null and undefined, JSON for the rest. */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  if (value === null || value === undefined) return ''
  if (typeof value === 'bigint' || typeof value === 'symbol' || typeof value === 'function') return String(value)
  return (typeof value === 'object' ? plainText(value) : undefined) ?? toJsonText(value)
}

/** The same text, many times faster, for a value that JSON writes as it is: no part of it is asked for. Undefined for any other value. */
function plainText(value: object): string | undefined {
  try {
    return isPlain(value, 0) ? JSON.stringify(value) : undefined
  } catch {
    return undefined
  }
}

/** Deeper values are few, and may be endless. */
const MOST_LEVELS = 200

function isPlain(value: unknown, depth: number): boolean {
  if (typeof value !== 'object') return typeof value !== 'bigint' && typeof value !== 'function'
  if (value === null) return true
  if (depth === MOST_LEVELS) return false
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) if (!isPlain(value[index], depth + 1)) return false
    return true
  }
  if (Object.getPrototypeOf(value) !== Object.prototype) return false
  for (const key in value) if (!isPlain((value as Readonly<Record<string, unknown>>)[key], depth + 1)) return false
  return true
}
