import { isRecord, type JsonSchema } from './json-schema.ts'
import { mapSubschemas } from './subschemas.ts'

/**
 * A draft-07 schema in the words of 2020-12, which everything else here reads: tuples, dependencies, and references that hide what stands
 * beside them. `definitions` may stay: a reference finds it under any name.
 */
export function fromDraft07(schema: JsonSchema): JsonSchema {
  if (typeof schema['$ref'] === 'string') return onlyReference(schema)
  const { items, additionalItems, dependencies, ...rest } = mapSubschemas(schema, fromDraft07)
  return { ...rest, ...tuple(items, additionalItems), ...dependents(dependencies) }
}

/** In draft-07 a reference stands for the whole. Where it stands at the root, the definitions beside it are still needed. */
function onlyReference(schema: JsonSchema): JsonSchema {
  const { $ref, definitions, $defs } = mapSubschemas(schema, fromDraft07)
  return { $ref, ...(definitions === undefined ? {} : { definitions }), ...($defs === undefined ? {} : { $defs }) }
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
