const VOWEL = /[aeiouy]/
const known = new Map<string, string>()
const MAX_KNOWN = 20_000

/**
 * The stem of an English word: what remains without the endings of number, tense and derivation, so that `searches`, `searching` and
 * `searched` are one term. Words of other alphabets stay as they are.
 */
export function stem(word: string): string {
  if (word.length < 4) return word
  const stored = known.get(word)
  if (stored !== undefined) return stored
  const found = /^[a-z]+$/.test(word) ? shortened(word) : word
  if (known.size >= MAX_KNOWN) known.clear()
  known.set(word, found)
  return found
}

function shortened(word: string): string {
  let left = withoutPlural(word)
  left = withoutTense(left)
  left = withoutDerivation(left)
  if (left.length > 3 && left.endsWith('y') && !VOWEL.test(left.at(-2) as string)) left = `${left.slice(0, -1)}i`
  if (left.length > 4 && left.endsWith('e')) left = left.slice(0, -1)
  return left
}

function withoutPlural(word: string): string {
  if (word.endsWith('sses') || word.endsWith('ies')) return word.slice(0, -2)
  if (word.endsWith('ss') || word.endsWith('us') || word.endsWith('is') || !word.endsWith('s')) return word
  return /(?:ch|sh|x|zz)es$/.test(word) ? word.slice(0, -2) : word.slice(0, -1)
}

function withoutTense(word: string): string {
  if (word.endsWith('eed')) return word.slice(0, -1)
  const ending = word.endsWith('ing') ? 3 : word.endsWith('ed') ? 2 : 0
  const left = word.slice(0, word.length - ending)
  if (ending === 0 || left.length < 3 || !VOWEL.test(left)) return word
  if (/(?:at|bl|iz)$/.test(left)) return `${left}e`
  if (/([^aeiouylsz])\1$/.test(left)) return left.slice(0, -1)
  return left
}

/** The longest ending that leaves at least four letters, and what stands in its place. */
const DERIVED: readonly (readonly [ending: string, replaced: string])[] = [
  ['ization', 'iz'],
  ['ational', 'at'],
  ['fulness', 'ful'],
  ['ousness', 'ous'],
  ['iveness', 'iv'],
  ['ement', ''],
  ['ation', 'at'],
  ['ition', 'it'],
  ['ator', 'at'],
  ['alli', 'al'],
  ['ment', ''],
  ['ness', ''],
  ['able', ''],
  ['ible', ''],
  ['ance', ''],
  ['ence', ''],
  ['ical', 'ic'],
  ['ally', 'al'],
  ['ion', ''],
  ['ive', ''],
  ['ize', ''],
  ['ate', 'at'],
  ['ity', ''],
  ['ful', ''],
  ['ous', ''],
  ['ism', ''],
  ['ant', ''],
  ['ent', ''],
  ['er', ''],
  ['or', ''],
  ['al', ''],
  ['ly', ''],
]

function withoutDerivation(word: string): string {
  for (const [ending, replaced] of DERIVED)
    if (word.endsWith(ending) && word.length - ending.length >= 4) return word.slice(0, -ending.length) + replaced
  return word
}
