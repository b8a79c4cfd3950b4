import { isRecord, type JsonSchema } from '../../schema/json-schema.ts'
import type { Described } from './described.ts'

/** The schemas of a field. Additional fields are those that the same schema does not name. */
export function fieldSchemas(described: Described, key: string, isMatch: (pattern: string) => boolean | undefined): readonly unknown[] {
  const found: unknown[] = []
  const evaluating = new Set<JsonSchema>()
  for (const schema of described.schemas) {
    const { properties, additionalProperties } = schema
    let isNamed = isRecord(properties) && Object.hasOwn(properties, key)
    if (isNamed) found.push((properties as Readonly<Record<string, unknown>>)[key])
    for (const [pattern, each] of Object.entries(namedSchemas(schema['patternProperties']))) {
      const answer = isMatch(pattern)
      if (answer !== false) found.push(each)
      isNamed ||= answer === true
    }
    if (!isNamed) found.push(additionalProperties)
    if (isNamed || additionalProperties !== undefined) evaluating.add(schema)
  }
  return [...found, ...unevaluatedSchemas(described, 'unevaluatedProperties', evaluating)]
}

/** The schemas of an item. `contains` describes the items that fit it; where it is not known whether one does, it may describe it. */
export function itemSchemas(
  described: Described,
  index: number,
  isContained: (contains: JsonSchema) => boolean | undefined,
): readonly unknown[] {
  const found: unknown[] = []
  const evaluating = new Set<JsonSchema>()
  for (const schema of described.schemas) {
    const { items, additionalItems, contains } = schema
    const prefix = prefixOf(schema)
    const own: unknown = index < prefix.length ? prefix[index] : Array.isArray(items) ? additionalItems : items
    if (own !== undefined) evaluating.add(schema)
    found.push(own)
    const answer = contains === undefined || contains === false ? false : contains === true || isContained(contains as JsonSchema)
    if (answer !== false) found.push(contains)
    if (answer === true) evaluating.add(schema)
  }
  return [...found, ...unevaluatedSchemas(described, 'unevaluatedItems', evaluating)]
}

/**
 * A schema calls a part unevaluated if neither it nor any schema that applies because of it describes the part. Schemas beside it do not
 * count, nor do those around it. A schema inside that describes all unevaluated parts leaves none.
 */
function unevaluatedSchemas(
  described: Described,
  keyword: 'unevaluatedItems' | 'unevaluatedProperties',
  evaluating: ReadonlySet<JsonSchema>,
): readonly unknown[] {
  const asking = described.schemas.filter((schema) => schema[keyword] !== undefined)
  return asking.flatMap((schema) => {
    for (const each of described.reachedFrom(schema))
      if (evaluating.has(each) || (each !== schema && each[keyword] !== undefined)) return []
    return [schema[keyword]]
  })
}

/** The items with schemas of their own: `prefixItems`, or a list in `items` as draft-07 writes it. */
export function prefixOf({ prefixItems, items }: JsonSchema): readonly unknown[] {
  return Array.isArray(prefixItems) ? prefixItems : Array.isArray(items) ? items : []
}

/** The schemas under names, or none. */
export function namedSchemas(named: unknown): Readonly<Record<string, unknown>> {
  return isRecord(named) ? named : {}
}
