import { nameWords, singular } from './name-words.ts'
import { numberWord } from './number-words.ts'
import type { SchemaNode } from './schema-node.ts'

const LONGEST = 120

/** `2 adults, 1 child` in the fields that count each of them. Every noun must be one of them, once. */
export function countedParts(text: string, { properties }: SchemaNode): Readonly<Record<string, number>> | undefined {
  if (text.length > LONGEST) return undefined
  const parts = text
    .trim()
    .split(/\s*(?:[,;+&]|\band\b)\s*/i)
    .filter((part) => part !== '')
  const found = new Map<string, number>()
  for (const part of parts) {
    const [, count = '', noun = ''] = /^(\d{1,6}|\p{L}+)\s+(\p{L}+)$/u.exec(part) ?? []
    const number = /^\d/.test(count) ? Number(count) : /^an?$/i.test(count) ? 1 : numberWord(count)
    const [name, ...more] = Object.keys(properties).filter((each) => oneOf(each) === singular(noun.toLowerCase()))
    if (number === undefined || name === undefined || more.length > 0 || found.has(name) || properties[name]?.['type'] !== 'integer')
      return undefined
    found.set(name, number)
  }
  return found.size === 0 ? undefined : Object.fromEntries(found)
}

/** The noun of `num_adults`, `adult_count` and `adults`. */
function oneOf(name: string): string {
  const words = nameWords(name).filter((word) => word !== 'num' && word !== 'number' && word !== 'of' && word !== 'count')
  return words.length === 1 ? singular(words[0] ?? '') : ''
}
