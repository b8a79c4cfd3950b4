/** The words of a name or a label, in lower case: `pageSize`, `page-size` and `Page size` are `page`, `size`. */
export function nameWords(name: string): readonly string[] {
  if (name.length > LONGEST_NAME) return []
  let words = known.get(name)
  if (words === undefined) {
    words = wordsIn(name)
    if (known.size >= MOST_KEPT) known.clear()
    known.set(name, words)
  }
  return words
}

/** The same names are met again and again in one walk. */
const known = new Map<string, readonly string[]>()
const MOST_KEPT = 2000

function wordsIn(name: string): readonly string[] {
  if (/^[a-z]+$/.test(name)) return [name]
  const apart = name.replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2').replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
  return apart.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
}

/** A longer name says nothing. */
const LONGEST_NAME = 200

/** The one text that all spellings of a name share; empty for a name without letters and digits. */
export function nameForm(name: string): string {
  return nameWords(name).join('')
}

const IRREGULAR: Readonly<Record<string, string>> = { children: 'child', people: 'person', men: 'man', women: 'woman' }

/** `nights` and `night` are one noun. */
export function singular(word: string): string {
  if (Object.hasOwn(IRREGULAR, word)) return IRREGULAR[word] ?? word
  if (word.length > 4 && word.endsWith('ies')) return `${word.slice(0, -3)}y`
  if (/(?:ss|sh|ch|x)es$/.test(word)) return word.slice(0, -2)
  return word.length > 3 && word.endsWith('s') && !/(?:ss|us|is)$/.test(word) ? word.slice(0, -1) : word
}

/** Whether one of the words is in the set, in the singular or the plural. */
export function someWord(words: readonly string[], set: ReadonlySet<string>): boolean {
  return words.some((word) => set.has(word) || set.has(singular(word)))
}
