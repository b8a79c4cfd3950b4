import { createHash } from 'node:crypto'
import { type JsonData, encode } from './codec.ts'

/** The same for equal values, whatever the order of their keys. */
export function hashOf(value: unknown): string {
  return digest(canonical(encode(value)))
}

export function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64url')
}

function canonical(data: JsonData): string {
  if (Array.isArray(data)) return `[${data.map(canonical).join(',')}]`
  if (typeof data !== 'object' || data === null) return JSON.stringify(data)
  const fields = Object.entries(data).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return `{${fields.map(([key, each]) => `${JSON.stringify(key)}:${canonical(each)}`).join(',')}}`
}
