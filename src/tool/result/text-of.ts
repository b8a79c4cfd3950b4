import { toJsonText } from '../../schema/quote.ts'

/** The text of a value for a model: a string unchanged, an empty text for null and undefined, JSON for the rest. */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  if (value === null || value === undefined) return ''
  if (typeof value === 'bigint' || typeof value === 'symbol' || typeof value === 'function') return String(value)
  return toJsonText(value)
}
