import { isRecord, type JsonSchema } from '../json-schema.ts'
import { isProtected } from './field-kind.ts'
import { fieldPlace, itemPlace, type Place, rootPlace } from './place.ts'
import { NodeReader } from './schema-node.ts'

interface Changed {
  readonly before: unknown
  readonly after: unknown
}

const MOST_LEAVES = 5000

/**
 * The paths of amounts, recipients, paths and ids in a changed input whose values are not those of the input before it, in any notation. Such
 * a change may widen the effect of a tool.
 */
export function protectedChanges(schema: JsonSchema, { before, after }: Changed): readonly string[] {
  const known = new Set(leavesOf(before).map(essence))
  const reader = new NodeReader(schema)
  const found: string[] = []
  const visit = (value: unknown, inside: JsonSchema, place: Place): void => {
    if (place.depth > 40) return
    const { properties, others, schema: own } = reader.read(inside)
    if (Array.isArray(value)) {
      const items = isRecord(own['items']) ? own['items'] : {}
      for (const [index, each] of value.slice(0, MOST_LEAVES).entries())
        visit(each, items, itemPlace(place, index, reader.read(items).schema))
    } else if (isRecord(value)) {
      for (const key of Object.keys(value)) {
        const field = properties[key] ?? others ?? {}
        visit(value[key], field, fieldPlace(place, key, { schema: reader.read(field).schema, descriptions: {} }))
      }
    } else if (isProtected(place.kind) && !known.has(essence(value))) found.push(place.path)
  }
  visit(after, schema, rootPlace(schema, {}))
  return found
}

function leavesOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value.slice(0, MOST_LEAVES).flatMap(leavesOf)
  return isRecord(value) ? Object.values(value).flatMap(leavesOf) : [value]
}

/** A value without its notation: its letters and digits. A decimal point counts: 1.5 is not 15. */
function essence(value: unknown): string {
  return String(value)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}.@/-]/gu, '')
}
