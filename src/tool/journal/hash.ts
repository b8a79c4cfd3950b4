import { cryptoModule } from '../crypto-module.ts'
import { encode, type JsonData, listedFields } from './codec.ts'

/** The same for equal values, whatever the order of their keys. */
export function hashOf(value: unknown): string {
  return hashOfData(encode(value))
}

/** The same of a value that is data already. */
export function hashOfData(data: JsonData): string {
  return digest(canonical(data))
}

/** A short name for a text, fit for a key or a file. */
export function digest(text: string): string {
  return cryptoModule().hash('sha256', text, 'base64url')
}

function canonical(data: JsonData): string {
  if (Array.isArray(data)) return `[${data.map(canonical).join(',')}]`
  if (typeof data !== 'object' || data === null) return JSON.stringify(data)
  const listed = listedFields(data)
  return listed === undefined ? canonicalFields(Object.entries(data)) : `listed${canonicalFields(listed)}`
}

function canonicalFields(fields: readonly (readonly [string, JsonData])[]): string {
  const sorted = fields.toSorted(([a], [b]) => (a < b ? -1 : 1))
  return `{${sorted.map(([key, each]) => `${JSON.stringify(key)}:${canonical(each)}`).join(',')}}`
}
