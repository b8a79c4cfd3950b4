import { isPlainRecord } from './json-schema.ts'

/**
 * Freezes plain data in place, at every level, so that shared data cannot be changed. Only for data that belongs to the package. Instances
 * of classes and frozen data are skipped.
 */
export function frozen<T>(data: T): T {
  if (Object.isFrozen(data)) return data
  if (Array.isArray(data)) {
    const list: readonly unknown[] = Object.freeze(data)
    for (let index = 0; index < list.length; index++) freezeInside(list[index])
  } else if (isPlainRecord(data)) {
    Object.freeze(data)
    for (const key of Object.keys(data)) freezeInside(data[key])
  }
  return data
}

function freezeInside(each: unknown): void {
  if (typeof each === 'object' && each !== null) frozen(each)
}
