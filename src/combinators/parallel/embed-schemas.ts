import { type JsonSchema, mapSubschemas, someSubschema } from '../../schema/json-schema.ts'

export interface EmbeddedSchemas {
  readonly schemas: readonly JsonSchema[]
  /** For the root of the schema that they stand in. */
  readonly root: JsonSchema
}

/** Schemas made fit to stand inside another. References count from the root, so one that has any moves to the root's definitions, whole. */
export function embedSchemas(given: readonly JsonSchema[]): EmbeddedSchemas {
  const $defs: Record<string, JsonSchema> = {}
  const schemas = given.map((schema, index): JsonSchema => {
    if (typeof schema['$id'] === 'string' || !someSubschema(schema, hasLocalReference)) return schema
    const name = `branch_${index + 1}`
    $defs[name] = moved(schema, `#/$defs/${name}`)
    return { $ref: `#/$defs/${name}` }
  })
  return { schemas, root: Object.keys($defs).length === 0 ? {} : { $defs } }
}

function hasLocalReference({ $ref }: JsonSchema): boolean {
  return typeof $ref === 'string' && $ref.startsWith('#')
}

function moved(schema: JsonSchema, to: string): JsonSchema {
  const inside = mapSubschemas(schema, (subschema) => moved(subschema, to))
  return hasLocalReference(schema) ? { ...inside, $ref: `${to}${(schema['$ref'] as string).slice(1)}` } : inside
}
