import { types } from 'node:util'
import type { Described } from './described.ts'

/** Deeper, or in more objects and lists than this, nothing is shown. */
const MAX_DEPTH = 200
const MAX_OBJECTS = 100_000

/** A walk through a value. It is limited in depth and in the number of objects, and does not follow cycles. */
export abstract class Walk<T> {
  /** A list: it is short, and a set that grows and shrinks with every object leaves more garbage than the walk itself. */
  readonly #above: object[] = []
  #objects = 0

  /** What the walk makes of an object that it has entered. `isSecret`: the object is a part of a secret. */
  protected abstract inside(object: object, described: Described | undefined, isSecret: boolean): T

  /** What it makes of an object at which it stops: at a limit, at a cycle, or at an object that throws when it is read. */
  protected abstract stopAt(why: string): T

  protected enter(object: object, described: Described | undefined, isSecret: boolean): T {
    const above = this.#above
    if (above.includes(object)) return this.stopAt('it contains itself')
    if (above.length > MAX_DEPTH) return this.stopAt(`it is nested more than ${MAX_DEPTH} levels deep`)
    if (this.#objects > MAX_OBJECTS) return this.stopAt(`it has more than ${MAX_OBJECTS} objects and lists`)
    this.#objects++
    above.push(object)
    try {
      return this.inside(object, described, isSecret)
    } catch (error) {
      if (error instanceof NotShowable) throw error
      return this.stopAt('a part of it throws when it is read')
    } finally {
      above.pop()
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
