import { dereference, isRecord, type JsonSchema, someSubschema } from '../json-schema.ts'

/** Whether a schema, or one inside it, applies itself to the same value again, so that no check of it ends. */
export function leadsToItself(root: JsonSchema): boolean {
  const ended = new Set<JsonSchema>()
  const isLoop = (schema: JsonSchema, around: ReadonlySet<JsonSchema>): boolean => {
    if (around.has(schema)) return true
    if (ended.has(schema)) return false
    const inside = new Set([...around, schema])
    const found = appliedTo(schema, root).some((each) => isLoop(each, inside))
    ended.add(schema)
    return found
  }
  return someSubschema(root, (schema) => isLoop(schema, new Set()))
}

const LISTS = ['allOf', 'anyOf', 'oneOf'] as const
const SINGLE = ['not', 'if', 'then', 'else'] as const

/** The schemas that are applied to the value itself, not to a part of it. */
function appliedTo(schema: JsonSchema, root: JsonSchema): readonly JsonSchema[] {
  const { dependentSchemas } = schema
  return [
    dereference(schema['$ref'], root),
    ...LISTS.flatMap((keyword) => (Array.isArray(schema[keyword]) ? (schema[keyword] as readonly unknown[]) : [])),
    ...SINGLE.map((keyword) => schema[keyword]),
    ...(isRecord(dependentSchemas) ? Object.values(dependentSchemas) : []),
  ].filter(isRecord)
}
