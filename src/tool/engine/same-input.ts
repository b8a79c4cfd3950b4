import { isDeepStrictEqual } from 'node:util'
import { hashOf } from '../journal/hash.ts'

/** Whether two inputs are equal, whatever the order of their fields. */
export function isSame(one: unknown, other: unknown): boolean {
  if (one === other) return true
  const known = isSameJson(one, other, 0)
  if (known !== undefined) return known
  try {
    return hashOf(one) === hashOf(other)
  } catch {
    return isDeepStrictEqual(one, other)
  }
}

/** Deeper values are few, and may be endless. */
const MOST_LEVELS = 200

/** The answer for two values that JSON can write, in one pass and without a text of them. Undefined for any others. */
function isSameJson(one: unknown, other: unknown, depth: number): boolean | undefined {
  if (!isJsonKind(one) || !isJsonKind(other)) return undefined
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return one === other
  if (depth === MOST_LEVELS || Array.isArray(one) !== Array.isArray(other)) return undefined
  return Array.isArray(one) ? areSameItems(one, other as readonly unknown[], depth + 1) : areSameFields(one, other, depth + 1)
}

function isJsonKind(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value) && !Object.is(value, -0)
  if (typeof value !== 'object' || value === null) return typeof value === 'string' || typeof value === 'boolean' || value === null
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === Array.prototype || prototype === null
}

/** A difference counts only if all before it are of JSON: what is no JSON may be written like something else. */
function areSameItems(ones: readonly unknown[], others: readonly unknown[], depth: number): boolean | undefined {
  if (ones.length !== others.length) return undefined
  for (let index = 0; index < ones.length; index++) {
    const answer = isSameJson(ones[index], others[index], depth)
    if (answer !== true) return answer
  }
  return true
}

function areSameFields(one: object, other: object, depth: number): boolean | undefined {
  const keys = Reflect.ownKeys(one)
  if (keys.length !== Reflect.ownKeys(other).length) return undefined
  for (const key of keys) {
    if (typeof key !== 'string' || !isListed(one, key) || !isListed(other, key)) return undefined
    const answer = isSameJson((one as Fields)[key], (other as Fields)[key], depth)
    if (answer !== true) return answer
  }
  return true
}

type Fields = Readonly<Record<string, unknown>>

function isListed(object: object, key: string): boolean {
  return Object.prototype.propertyIsEnumerable.call(object, key)
}
