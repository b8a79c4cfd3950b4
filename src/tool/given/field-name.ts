import { isRecord } from '../../schema/json-schema.ts'

/** Values without fields of their own. */
type Leaf = string | number | bigint | boolean | symbol | null | undefined | Date | readonly unknown[] | ((...given: never) => unknown)

type Below = [never, never, 1, 2]

/**
 * The names of the fields of `V` that hold a `T`, or may. A field of a record inside has the names of both: `period.start`. Of a value whose
 * type is not known, any name.
 */
export type FieldName<V, T = unknown> = unknown extends V ? string : NameIn<NonNullable<V>, T, 3>

type NameIn<V, T, Depth extends 1 | 2 | 3> = V extends Leaf
  ? never
  : {
      [K in keyof V & string]-?: ([NonNullable<V[K]>] extends [T] ? K : never) | NameBelow<NonNullable<V[K]>, K, { of: T; depth: Depth }>
    }[keyof V & string]

type NameBelow<V, K extends string, At extends { of: unknown; depth: 1 | 2 | 3 }> = At['depth'] extends 1
  ? never
  : V extends Leaf
    ? never
    : `${K}.${NameIn<V, At['of'], Below[At['depth']]>}`

/** The steps to a field: a record may have a field with a dot in its name. */
export function fieldSteps(value: unknown, name: string): readonly string[] {
  return isRecord(value) && Object.hasOwn(value, name) ? [name] : name.split('.')
}

/** The value of a field; undefined where there is none. */
export function fieldValue(value: unknown, name: string): unknown {
  let at = value
  for (const step of fieldSteps(value, name)) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, step)) return undefined
    at = (at as Readonly<Record<string, unknown>>)[step]
  }
  return at
}
