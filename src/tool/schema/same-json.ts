import { isDeepStrictEqual } from 'node:util'
import { isPlainRecord } from './json-schema.ts'

/**
 * Whether two values are the same JSON. Field by field, whatever the fields are called and whether or not the objects have a prototype;
 * instances of classes are compared as Node does.
 */
export function isSameJson(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length && a.every((each, index) => isSameJson(each, b[index]))
  if (!isPlainRecord(a) || !isPlainRecord(b)) return typeof a === 'object' && typeof b === 'object' && isDeepStrictEqual(a, b)
  const keys = Object.keys(a)
  return keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && isSameJson(a[key], b[key]))
}
