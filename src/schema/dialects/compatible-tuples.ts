import { type JsonSchema, mapSubschemas } from '../json-schema.ts'

/**
 * Tuples in one spelling for readers of 2020-12 and of draft-07. In draft-07, `items: false` beside `prefixItems` says that a list must be
 * empty, and `items` of a rest judges every item. Exact under 2020-12; draft-07 takes every valid value.
 */
export function compatibleTuples(schema: JsonSchema): JsonSchema {
  const inside = mapSubschemas(schema, compatibleTuples)
  const { prefixItems, items, ...rest } = inside
  if (!Array.isArray(prefixItems) || prefixItems.length === 0 || items === undefined || items === true) return inside
  // Inside `allOf` nothing but these two keywords says which items are looked at.
  if (items !== false) {
    const { allOf, ...beside } = rest
    return { ...beside, allOf: [...(Array.isArray(allOf) ? (allOf as readonly unknown[]) : []), { prefixItems, unevaluatedItems: items }] }
  }
  const { maxItems } = rest
  const most = typeof maxItems === 'number' ? Math.min(maxItems, prefixItems.length) : prefixItems.length
  return { ...rest, prefixItems, items: { anyOf: prefixItems }, maxItems: most }
}
