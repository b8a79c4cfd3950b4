import { ExactNumber, type JsonNumber } from './exact-number.ts'

/** A JSON value whose numbers have lost no digit. */
export type Json = null | boolean | JsonNumber | string | readonly Json[] | JsonObject

/** Made without a prototype, so that `__proto__` is a key like any other. */
export interface JsonObject {
  readonly [key: string]: Json
}

export function isNumber(value: unknown): value is JsonNumber {
  return typeof value === 'number' || value instanceof ExactNumber
}

export function isList(value: unknown): value is readonly Json[] {
  return Array.isArray(value)
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !isList(value) && !isNumber(value)
}

export function emptyObject(): Record<string, Json> {
  return Object.create(null) as Record<string, Json>
}

/** The kind of a value, for error messages. */
export function describeJson(value: unknown): string {
  if (isList(value)) return value.length === 1 ? 'a list of 1 item' : `a list of ${value.length} items`
  if (isNumber(value)) return 'a number'
  if (isObject(value)) return 'an object'
  return value === null ? 'null' : typeof value === 'string' ? 'a text' : `a ${typeof value}`
}
