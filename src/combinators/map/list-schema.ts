import { type JsonSchema, mapSubschemas } from '../../schema/json-schema.ts'

/** What stands around the schema of a value in a list of entries, and where in it the value stands. */
export interface EntryShape {
  readonly around: (value: JsonSchema) => JsonSchema
  readonly pointer: string
}

const PLAIN: EntryShape = { around: (value) => value, pointer: '' }

/**
 * The schema of a list of such items. References count from the root: definitions move up to it, and what pointed at the item points at
 * where it stands now. A schema with an `$id` is a root of its own and stays as it is.
 */
export function listSchema(item: JsonSchema, { around, pointer }: EntryShape = PLAIN): JsonSchema {
  if (typeof item['$id'] === 'string') return { type: 'array', items: around(item) }
  const { $defs, definitions, $schema: _dialect, ...rest } = moved(item, `#/items${pointer}`)
  return {
    type: 'array',
    items: around(rest),
    ...($defs === undefined ? {} : { $defs }),
    ...(definitions === undefined ? {} : { definitions }),
  }
}

function moved(schema: JsonSchema, place: string): JsonSchema {
  const mapped = mapSubschemas(schema, (inner) => moved(inner, place))
  const reference = schema['$ref']
  return typeof reference === 'string' ? { ...mapped, $ref: movedReference(reference, place) } : mapped
}

function movedReference(reference: string, place: string): string {
  if (reference !== '#' && !reference.startsWith('#/')) return reference
  return /^#\/(\$defs|definitions)\//.test(reference) ? reference : `${place}${reference.slice(1)}`
}
