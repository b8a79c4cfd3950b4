import { isRecord, type JsonSchema, mapSubschemas } from '../../schema/json-schema.ts'

/** How the schemas of one root are read. */
interface Reading {
  /** The schemas that the references of a schema mean. */
  readonly referred: (schema: JsonSchema) => readonly JsonSchema[]
  /** Whether a schema itself says of a value, or of one of its fields, that it is a secret or that it is none. */
  readonly speaks: (schema: JsonSchema) => boolean
}

/**
 * The schemas of a root that say nothing of secrets: neither they nor any schema that they lead to. Which of them apply to a value does not
 * matter. There are none beside schemas that speak of unevaluated values: all others decide then which values those are.
 */
export function silentSchemas(root: JsonSchema, { referred, speaks }: Reading): ReadonlySet<JsonSchema> {
  const leadingTo = new Map<JsonSchema, JsonSchema[]>([[root, []]])
  for (const [schema] of leadingTo) {
    for (const part of [...partsOf(schema), ...referred(schema)]) {
      const before = leadingTo.get(part)
      if (before === undefined) leadingTo.set(part, [schema])
      else before.push(schema)
    }
  }
  const speaking = new Set([...leadingTo.keys()].filter(speaks))
  for (const schema of speaking) for (const before of leadingTo.get(schema) ?? []) speaking.add(before)
  if ([...speaking].some(asksForUnevaluated)) return new Set()
  return new Set([...leadingTo.keys()].filter((schema) => !speaking.has(schema)))
}

function partsOf(schema: JsonSchema): readonly JsonSchema[] {
  const parts: JsonSchema[] = []
  mapSubschemas(schema, (part) => {
    parts.push(part)
    return part
  })
  return parts
}

function asksForUnevaluated({ unevaluatedItems, unevaluatedProperties }: JsonSchema): boolean {
  return isRecord(unevaluatedItems) || isRecord(unevaluatedProperties)
}
