import type { JsonSchema } from '../tool/schema/json-schema.ts'
import { ANYTHING, largest, schemaOf, schemasIn, smallest } from './subsumes-keywords.ts'
import type { SchemaReader } from './subsumes-reader.ts'

/** What a case says about the items of an array. */
export class Items {
  readonly #parts: readonly JsonSchema[]
  readonly #reader: SchemaReader
  /** So many items have a schema of their own. */
  readonly prefixLength: number
  readonly least: number
  /** What allows no item ends the array. */
  readonly most: number
  readonly isUnique: boolean
  /** Missing items may be filled in. */
  readonly hasDefaults: boolean
  readonly #known: JsonSchema[] = []

  constructor(parts: readonly JsonSchema[], reader: SchemaReader) {
    this.#parts = parts
    this.#reader = reader
    this.prefixLength = Math.max(0, ...parts.map((part) => prefixOf(part).length))
    this.least = largest(parts, 'minItems', 0)
    this.most = Math.min(this.#end, smallest(parts, 'maxItems'))
    this.isUnique = parts.some(({ uniqueItems }) => uniqueItems === true)
    this.hasDefaults = parts.some(({ items }) => schemasIn(items).some((each) => 'default' in each))
  }

  /** What the item at an index must be. */
  item(index: number): JsonSchema {
    const at = Math.min(index, this.prefixLength)
    return (this.#known[at] ??= this.#reader.allOf(this.#parts.map((part) => itemOf(part, at))))
  }

  get #end(): number {
    for (let index = 0; index <= this.prefixLength; index++) {
      if (this.#reader.cases(this.item(index)).length === 0) return index
    }
    return Infinity
  }
}

/** 2020-12 has `prefixItems`, before that a tuple was a list under `items`. */
function prefixOf({ prefixItems, items }: JsonSchema): readonly JsonSchema[] {
  return schemasIn(Array.isArray(prefixItems) ? prefixItems : items)
}

function itemOf(part: JsonSchema, index: number): JsonSchema {
  const own = prefixOf(part)[index]
  if (own !== undefined) return own
  return schemaOf((Array.isArray(part['items']) ? part['additionalItems'] : part['items']) ?? ANYTHING)
}
