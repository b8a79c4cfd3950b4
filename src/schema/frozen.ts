import { isPlainRecord } from './json-schema.ts'

/**
 * Freezes plain data in place, as deep as it goes: what many share cannot be changed by one of them. Only for data that belongs to the
 * package. An object of a class is left alone, and so is what is frozen already: to ask again costs nothing.
 */
export function frozen<T>(data: T): T {
  if (Object.isFrozen(data) || !(Array.isArray(data) || isPlainRecord(data))) return data
  Object.freeze(data)
  for (const each of Object.values(data)) frozen(each)
  return data
}
