import { isRecord, type JsonSchema, mapSubschemas } from './json-schema.ts'

/** What the line `$schema` of draft-06 and draft-07 says. */
export function isDraft07(line: unknown): boolean {
  return typeof line === 'string' && /draft-0[67]\b/.test(line)
}

/** What may stand beside a reference in draft-07: words for the reader, and the definitions. */
const BESIDE_REFERENCE: ReadonlySet<string> = new Set([
  ...['$ref', '$comment', '$defs', 'definitions', 'title', 'description', 'default', 'examples'],
  ...['deprecated', 'readOnly', 'writeOnly', 'sensitive'],
])

/**
 * A draft-07 schema in the words of 2020-12, which everything else here reads: tuples, dependencies, anchors, and references, which hide the
 * rules beside them. `definitions` may stay: a reference finds it under any name.
 */
export function fromDraft07(schema: JsonSchema): JsonSchema {
  const { items, additionalItems, dependencies, $id, ...rest } = mapSubschemas(schema, fromDraft07)
  if (typeof schema['$ref'] === 'string')
    return Object.fromEntries(Object.entries(rest).filter(([keyword]) => BESIDE_REFERENCE.has(keyword)))
  return { ...identified($id), ...rest, ...tuple(items, additionalItems), ...dependents(dependencies) }
}

function identified($id: unknown): JsonSchema {
  if ($id === undefined) return {}
  return typeof $id === 'string' && $id.startsWith('#') ? { $anchor: $id.slice(1) } : { $id }
}

function tuple(items: unknown, additionalItems: unknown): JsonSchema {
  if (!Array.isArray(items)) return items === undefined ? {} : { items }
  return { prefixItems: items, ...(additionalItems === undefined ? {} : { items: additionalItems }) }
}

function dependents(dependencies: unknown): JsonSchema {
  if (!isRecord(dependencies)) return {}
  const entries = Object.entries(dependencies)
  const required = entries.filter(([, needs]) => Array.isArray(needs))
  const schemas = entries.filter(([, needs]) => !Array.isArray(needs))
  return {
    ...(required.length > 0 ? { dependentRequired: Object.fromEntries(required) } : {}),
    ...(schemas.length > 0 ? { dependentSchemas: Object.fromEntries(schemas) } : {}),
  }
}
