import { toJsonText } from '../../schema/quote.ts'

/** What a model reads of a value: strings as they are, nothing for nothing, JSON for the rest. */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  if (value === null || value === undefined) return ''
  if (typeof value === 'bigint' || typeof value === 'symbol' || typeof value === 'function') return String(value)
  return toJsonText(value)
}
