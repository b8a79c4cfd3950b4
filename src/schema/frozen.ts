import { isPlainRecord } from './json-schema.ts'

/**
 * Freezes plain data in place, at every level, so that shared data cannot be changed. Only for data that belongs to the package. Instances
 * of classes and frozen data are skipped.
 */
export function frozen<T>(data: T): T {
  if (Object.isFrozen(data) || !(Array.isArray(data) || isPlainRecord(data))) return data
  Object.freeze(data)
  for (const each of Object.values(data)) if (typeof each === 'object' && each !== null) frozen(each)
  return data
}
