import type { JsonSchema } from '../tool/schema/json-schema.ts'
import { Apartness } from './subsumes-apart.ts'
import { isInhabited } from './subsumes-inhabited.ts'
import { SchemaReader } from './subsumes-reader.ts'

/** Surely no value satisfies the schema. */
export function allowsNoValue(schema: JsonSchema): boolean {
  return surely(() => {
    const reader = new SchemaReader(schema)
    return isInhabited(reader.root, reader) === 'no'
  })
}

/** Surely no value of the one is taken by a typed tool with the other. */
export function haveNothingInCommon(given: JsonSchema, taken: JsonSchema): boolean {
  return surely(() => {
    const ours = new SchemaReader(given)
    const theirs = new SchemaReader(taken)
    return new Apartness(ours, theirs).isApart(ours.root, theirs.root)
  })
}

/** What is too large to read is not known. */
function surely(is: () => boolean): boolean {
  try {
    return is()
  } catch (error) {
    if (error instanceof RangeError) return false
    throw error
  }
}
