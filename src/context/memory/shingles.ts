const WORDS_OF_A_SHINGLE = 3
/** Texts that share so much are one. */
const NEAR = 0.85
const FEWEST_WORDS = 8

/** A text for comparison: small letters, one space between words. */
function plainText(text: string): string {
  return text.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim()
}

/** Runs of three words. */
function shinglesOf(text: string): ReadonlySet<string> {
  const words = plainText(text).match(/[\p{L}\p{N}]+/gu) ?? []
  const shingles = new Set<string>()
  for (let at = 0; at + WORDS_OF_A_SHINGLE <= words.length; at++) shingles.add(words.slice(at, at + WORDS_OF_A_SHINGLE).join(' '))
  return shingles
}

/** Whether two texts say the same in nearly the same words. A number that differs makes another text. */
export function isNearDuplicate(a: string, b: string): boolean {
  const [x, y] = [plainText(a), plainText(b)]
  if (x === y) return true
  if (x.split(' ').length < FEWEST_WORDS || numbersOf(x) !== numbersOf(y)) return false
  const [left, right] = [shinglesOf(x), shinglesOf(y)]
  let same = 0
  for (const shingle of left) if (right.has(shingle)) same++
  return same / (left.size + right.size - same) >= NEAR
}

function numbersOf(text: string): string {
  return (text.match(/\d[\d.,:]*/g) ?? []).join(' ')
}
