import { isPlainRecord } from './json-schema.ts'

const MAX_DEPTH = 200

/** A value that refers to itself has no bottom: the first way down that is too long ends the copying. */
const TOO_DEEP = new RangeError('too deep')

/**
 * A copy of lists and plain objects at every level. Instances of classes stay what they are, and so does a value that is nested too deeply,
 * as a whole.
 */
export function copyOfData(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  try {
    return copied(value, 0)
  } catch (error) {
    if (error === TOO_DEEP) return value
    throw error
  }
}

function copied(value: object, depth: number): object {
  if (depth > MAX_DEPTH) throw TOO_DEEP
  if (Array.isArray(value))
    return value.map((each: unknown) => (typeof each === 'object' && each !== null ? copied(each, depth + 1) : each))
  if (!isPlainRecord(value)) return value
  // All fields at once, and '__proto__' as a field like any other; then what is nested.
  const copy = { ...value }
  for (const key of Object.keys(copy)) {
    const each = copy[key]
    if (typeof each === 'object' && each !== null) copy[key] = copied(each, depth + 1)
  }
  return copy
}
