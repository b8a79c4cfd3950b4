import { type JsonSchema, mapSubschemas, someSubschema } from '../json-schema.ts'

/**
 * Tuples in one spelling for readers of 2020-12 and of draft-07. In draft-07, `items: false` beside `prefixItems` says that a list must be
 * empty, and `items` of a rest judges every item. Exact under 2020-12; draft-07 takes every valid value. A schema with references into
 * `items` stays as it is, since they would lead nowhere.
 */
export function compatibleTuples(schema: JsonSchema): JsonSchema {
  return someSubschema(schema, ({ $ref }) => typeof $ref === 'string' && /\/items(\/|$)/.test($ref)) ? schema : respelled(schema)
}

/** Keywords that may look at items too: `unevaluatedItems` beside them would leave out those items. */
const LOOK_AT_ITEMS = ['$dynamicRef', '$ref', 'allOf', 'anyOf', 'contains', 'dependentSchemas', 'if', 'oneOf', 'unevaluatedItems']

function respelled(schema: JsonSchema): JsonSchema {
  const inside = mapSubschemas(schema, respelled)
  const { prefixItems, items, ...rest } = inside
  if (!Array.isArray(prefixItems) || prefixItems.length === 0 || items === undefined || items === true) return inside
  if (items === false) {
    const { maxItems } = rest
    const most = typeof maxItems === 'number' ? Math.min(maxItems, prefixItems.length) : prefixItems.length
    return { ...rest, prefixItems, items: { anyOf: prefixItems }, maxItems: most }
  }
  if (!LOOK_AT_ITEMS.some((keyword) => keyword in rest)) return { ...rest, prefixItems, unevaluatedItems: items }
  const { allOf } = rest
  const others = Array.isArray(allOf) ? (allOf as readonly unknown[]) : []
  return { ...rest, prefixItems, allOf: [...others, { prefixItems, unevaluatedItems: items }] }
}
