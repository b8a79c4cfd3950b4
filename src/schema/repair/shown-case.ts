import type { SchemaNode } from './schema-node.ts'

const LONGEST = 500

/** The notations whose letters are written as in an example of the description; all of them where no example tells. */
export function asShown<T extends { readonly text: string }>(fitting: readonly T[], { schema }: SchemaNode): readonly T[] {
  const { description, examples } = schema
  const told = [description, ...(Array.isArray(examples) ? examples : [])].filter((each) => typeof each === 'string')
  const shapes = new Set(told.flatMap((text) => examplesIn(text.slice(0, LONGEST)).map(shapeOf)))
  const same = fitting.filter(({ text }) => shapes.has(shapeOf(text)))
  return same.length === 0 ? fitting : same
}

/** Words with a sign between their parts, as in `Europe/Berlin`: other words of a description are prose. */
function examplesIn(text: string): readonly string[] {
  return text.match(/\p{L}+(?:[/_-]\p{L}+)+/gu) ?? []
}

/** The case of the letters of each part: `Europe/Berlin` and `Asia/Tokyo` have one shape. */
function shapeOf(text: string): string {
  return text.replace(/\p{L}+/gu, (word) => (word === word.toUpperCase() ? 'A' : word === word.toLowerCase() ? 'a' : 'Aa'))
}
