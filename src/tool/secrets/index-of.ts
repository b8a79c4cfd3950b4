/** The built-in search compares a part of this length at every place at the worst. */
const SHORT = 64

/** The first place of a part in a text, from a place on; -1 if there is none. The work is linear in both lengths (Knuth-Morris-Pratt). */
export function indexOf(text: string, part: string, from: number): number {
  if (part.length <= SHORT) return text.indexOf(part, from)
  const borders = bordersOf(part)
  let length = 0
  for (let at = from; at < text.length; at++) {
    length = extended(length, part, { borders, code: text.charCodeAt(at) })
    if (length === part.length) return at + 1 - length
  }
  return -1
}

/** For each beginning of the part, by its length: the length of the longest shorter beginning that it ends with. */
function bordersOf(part: string): Int32Array {
  const borders = new Int32Array(part.length + 1)
  for (let at = 1; at < part.length; at++) borders[at + 1] = extended(borders[at] ?? 0, part, { borders, code: part.charCodeAt(at) })
  return borders
}

interface Step {
  readonly borders: Int32Array
  readonly code: number
}

/** The length of the longest beginning that is there after one more character. */
function extended(length: number, part: string, { borders, code }: Step): number {
  let kept = length
  while (kept > 0 && part.charCodeAt(kept) !== code) kept = borders[kept] ?? 0
  return part.charCodeAt(kept) === code ? kept + 1 : kept
}
