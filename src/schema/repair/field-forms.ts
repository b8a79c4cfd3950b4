import { nameForm } from './name-words.ts'
import type { SchemaNode } from './schema-node.ts'

const forms = new WeakMap<SchemaNode, ReadonlySet<string>>()

/** The names of the fields of an object, each in the one spelling that all its spellings share. */
export function formsOf(node: SchemaNode): ReadonlySet<string> {
  let known = forms.get(node)
  if (known === undefined) forms.set(node, (known = new Set(Object.keys(node.properties).map(nameForm))))
  return known
}
