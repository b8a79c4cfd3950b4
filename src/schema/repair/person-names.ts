import { nameForm } from './name-words.ts'
import type { SchemaNode } from './schema-node.ts'

const FIRST: ReadonlySet<string> = new Set(['first', 'firstname', 'given', 'givenname'])
const LAST: ReadonlySet<string> = new Set(['last', 'lastname', 'family', 'familyname', 'surname'])

/** `Ines Costa` and `Costa, Ines` in the two fields of a name. Of three words, nobody knows which belong together. */
export function nameParts(text: string, { properties }: SchemaNode): Readonly<Record<string, string>> | undefined {
  const names = Object.keys(properties)
  const first = names.find((name) => FIRST.has(nameForm(name)))
  const last = names.find((name) => LAST.has(nameForm(name)))
  if (names.length !== 2 || first === undefined || last === undefined) return undefined
  const [, before, behind] = /^(\p{Lu}[\p{L}'’-]+) (\p{Lu}[\p{L}'’-]+)$/u.exec(text.trim()) ?? []
  const [, family, given] = /^(\p{Lu}[\p{L}'’ -]+), (\p{Lu}[\p{L}'’ -]+)$/u.exec(text.trim()) ?? []
  if (family !== undefined && given !== undefined) return { [first]: given, [last]: family }
  return before === undefined || behind === undefined ? undefined : { [first]: before, [last]: behind }
}
