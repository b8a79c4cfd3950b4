import { isRecord } from '../../schema/json-schema.ts'

const MAX_MS = 24 * 60 * 60 * 1000

/** Reads `Retry-After` where an HTTP client left its headers on the error: seconds, or a date. Never more than a day. */
export function retryAfterMs(thrown: unknown): number | undefined {
  if (!isRecord(thrown)) return undefined
  if (typeof thrown['retryAfterMs'] === 'number') return bounded(thrown['retryAfterMs'])
  const response = thrown['response']
  const headers = thrown['headers'] ?? thrown['responseHeaders'] ?? (isRecord(response) ? response['headers'] : undefined)
  const exact = headerOf(headers, 'retry-after-ms')
  if (exact !== undefined) return bounded(Number(exact))
  const value = headerOf(headers, 'retry-after')
  if (value === undefined) return undefined
  const seconds = Number(value)
  return bounded(Number.isFinite(seconds) ? seconds * 1000 : Date.parse(value) - Date.now())
}

/** From a `Headers` object or from a plain one, whatever the case of its names. */
function headerOf(headers: unknown, name: string): string | undefined {
  if (!isRecord(headers)) return undefined
  const { get } = headers
  const found: unknown =
    typeof get === 'function' ? get.call(headers, name) : Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1]
  const text = Array.isArray(found) ? String(found[0]) : typeof found === 'string' || typeof found === 'number' ? String(found) : ''
  return text.trim() === '' ? undefined : text
}

function bounded(ms: number): number | undefined {
  return Number.isFinite(ms) ? Math.min(Math.max(0, ms), MAX_MS) : undefined
}
