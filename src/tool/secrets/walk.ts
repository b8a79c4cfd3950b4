import { types } from 'node:util'

/** Deeper, or in more objects and lists than this, nothing is shown. */
const MAX_DEPTH = 200
const MAX_OBJECTS = 100_000

/** A walk through a value. It is limited in depth and in the number of objects, and does not follow cycles. */
export abstract class Walk {
  readonly #above = new Set<object>()
  #objects = 0

  /** `onStop` answers where the walk stops: at a limit, at a cycle, or at an object that throws when it is read. */
  protected enter<T>(object: object, walk: () => T, onStop: (why: string) => T): T {
    if (this.#above.has(object)) return onStop('it contains itself')
    if (this.#above.size > MAX_DEPTH) return onStop(`it is nested more than ${MAX_DEPTH} levels deep`)
    if (this.#objects > MAX_OBJECTS) return onStop(`it has more than ${MAX_OBJECTS} objects and lists`)
    this.#objects++
    this.#above.add(object)
    try {
      return walk()
    } catch (error) {
      if (error instanceof NotShowable) throw error
      return onStop('a part of it throws when it is read')
    } finally {
      this.#above.delete(object)
    }
  }
}

/** A value cannot be shown completely. */
export class NotShowable extends Error {}

/** Whether a value can be a secret: an answer that is only yes, no or nothing is shown. */
export function canHide(value: unknown): boolean {
  return value !== null && value !== undefined && typeof value !== 'boolean'
}

/** An object as plain data, if its contents are not in its fields. The object itself if they are. */
export function plainForm(value: object): unknown {
  if (value instanceof Error) return errorFields(value)
  if (value instanceof Headers || value instanceof URLSearchParams || value instanceof FormData) return pairsOf(value)
  if (types.isStringObject(value) || types.isNumberObject(value)) return value.valueOf()
  // An object may keep a secret in private fields and still write it as JSON. A date has no other form.
  if (value instanceof Date || !('toJSON' in value) || typeof value.toJSON !== 'function') return value
  return (value.toJSON as () => unknown)()
}

/** Fields that an error has but does not list. */
function errorFields(error: Error): object {
  const { name, message, stack } = error
  const hidden = Object.fromEntries(
    ['cause', 'errors'].filter((key) => Object.hasOwn(error, key)).map((key) => [key, (error as unknown as Record<string, unknown>)[key]]),
  )
  return Object.assign({ name, message, ...(stack === undefined ? {} : { stack }), ...hidden }, error)
}

/** A name that occurs several times has a list. */
function pairsOf(pairs: Iterable<readonly [string, unknown]>): object {
  const groups = Map.groupBy(pairs, ([name]) => name)
  return Object.fromEntries(
    Array.from(groups, ([name, group]) => [name, group.length === 1 ? group[0]?.[1] : group.map(([, value]) => value)]),
  )
}
