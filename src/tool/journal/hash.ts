import { cryptoModule } from '../crypto-module.ts'
import { encode, type JsonData, listedFields, needsCare } from './codec.ts'

/** The same for equal values, whatever the order of their keys. */
export function hashOf(value: unknown): string {
  const text = canonicalOfPlain(value, 0)
  return text === undefined ? hashOfData(encode(value)) : digest(text)
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

/** Deeper values are few, and may be endless. */
const PLAIN_DEPTH = 200

/**
 * The same text as `canonical(encode(value))` in one pass, without copies, for a value that is JSON already: an input of many fields is hashed
 * several times. Undefined for any other value.
 */
function canonicalOfPlain(value: unknown, depth: number): string | undefined {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return JSON.stringify(value)
    case 'number':
      return Number.isFinite(value) && !Object.is(value, -0) ? JSON.stringify(value) : undefined
    case 'object':
      if (value === null) return 'null'
      if (depth === PLAIN_DEPTH) return undefined
      return Array.isArray(value) ? canonicalList(value, depth + 1) : canonicalObject(value, depth + 1)
    default:
      return undefined
  }
}

function canonicalList(list: readonly unknown[], depth: number): string | undefined {
  if (Object.getPrototypeOf(list) !== Array.prototype) return undefined
  let text = '['
  for (let index = 0; index < list.length; index++) {
    const each = canonicalOfPlain(list[index], depth)
    if (each === undefined) return undefined
    text += index === 0 ? each : `,${each}`
  }
  return `${text}]`
}

/** A key that JSON writes in another way, an accessor or a symbol is left to `encode`. */
function canonicalObject(value: object, depth: number): string | undefined {
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null) return undefined
  const keys = textKeysOf(value)
  if (keys === undefined) return undefined
  let text = '{'
  for (const key of keys.length === 1 ? keys : keys.toSorted()) {
    const field = Object.getOwnPropertyDescriptor(value, key)
    if (field?.enumerable === false) continue
    const each = field === undefined || !('value' in field) || needsCare(key) ? undefined : canonicalOfPlain(field.value, depth)
    if (each === undefined) return undefined
    text += text === '{' ? `${JSON.stringify(key)}:${each}` : `,${JSON.stringify(key)}:${each}`
  }
  return `${text}}`
}

/** Undefined where a field is named by a symbol. */
function textKeysOf(value: object): readonly string[] | undefined {
  const keys = Reflect.ownKeys(value)
  return keys.every((key) => typeof key === 'string') ? keys : undefined
}
