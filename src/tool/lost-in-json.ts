import { isPlainRecord } from '../schema/json-schema.ts'

/**
 * What of a decision a record would lose, since it is JSON; undefined where it loses nothing. A field without a value is left out, and a date
 * is a text: the tool reads both as it reads what a model writes.
 */
export function lostInJson(value: unknown): string | undefined {
  if (value === undefined || value === null || typeof value === 'string' || typeof value === 'boolean') return undefined
  if (typeof value === 'number') return Number.isFinite(value) && !Object.is(value, -0) ? undefined : `the number ${String(value)}`
  if (Array.isArray(value)) return lostIn(value, 'an item without a value')
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'a date that is none' : undefined
  return isPlainRecord(value) ? lostIn(Object.values(value), undefined) : kindOf(value)
}

function lostIn(parts: readonly unknown[], missing: string | undefined): string | undefined {
  for (const part of parts) {
    const lost = part === undefined ? missing : lostInJson(part)
    if (lost !== undefined) return lost
  }
  return undefined
}

function kindOf(value: unknown): string {
  if (typeof value !== 'object' || value === null) return `a ${typeof value}`
  const { constructor } = value
  return typeof constructor === 'function' && constructor.name !== '' ? `an object of type '${constructor.name}'` : 'an object of a class'
}
