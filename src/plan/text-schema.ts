import type { JsonSchema } from '../schema/json-schema.ts'

/** What says nothing about the value. */
const ANNOTATIONS: ReadonlySet<string> = new Set([
  ...['$comment', '$defs', '$id', 'default', 'definitions', 'deprecated'],
  ...['description', 'examples', 'readOnly', 'title', 'writeOnly'],
])

/** A step that takes a text is given the text of whatever came before. */
export function takesText(schema: JsonSchema): boolean {
  return schema['type'] === 'string'
}

/** The schema takes every text. */
export function takesAnyText(schema: JsonSchema): boolean {
  return takesText(schema) && Object.keys(schema).every((keyword) => keyword === 'type' || ANNOTATIONS.has(keyword))
}

/** A schema that says nothing: it takes anything, or its library cannot say what it takes. */
export function saysNothing(schema: JsonSchema): boolean {
  return Object.keys(schema).every((keyword) => ANNOTATIONS.has(keyword))
}
