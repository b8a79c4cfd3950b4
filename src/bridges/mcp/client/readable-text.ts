import { excerpt } from '../../../schema/quote.ts'
import { isRecord, type JsonSchema } from '../../../schema/json-schema.ts'
import { printable, UNPRINTABLE } from '../../../tool/printable.ts'

/** The text of a stranger over several lines: cut, and with every hidden character made visible. Line breaks and tabs stay. */
export function readableText(text: string, most: number): string {
  return excerpt(text, most)
    .split(/(\r\n|\n|\t)/)
    .map((part, at) => (at % 2 === 1 ? part : printable(part)))
    .join('')
}

const LABELS: ReadonlySet<string> = new Set(['description', 'title', '$comment'])

/** The same schema, with hidden characters in its descriptions and titles made visible. Its rules are untouched, and usually it is the same object. */
export function readableSchema(schema: JsonSchema): JsonSchema {
  return isReadable(schema) ? schema : (readable(schema) as JsonSchema)
}

function isReadable(schema: JsonSchema): boolean {
  const text = JSON.stringify(schema)
  // JSON escapes controls; all others stand in the text as they are.
  return !/\\u00[01]|\\u007f|\\[bfr]/.test(text) && text.search(UNPRINTABLE) === -1
}

/** A property may be called `description`: there the value is a schema, and no text. */
function readable(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(readable)
  if (!isRecord(node)) return node
  return Object.fromEntries(
    Object.entries(node).map(([key, value]) => [
      key,
      LABELS.has(key) && typeof value === 'string' ? readableText(value, value.length) : readable(value),
    ]),
  )
}
