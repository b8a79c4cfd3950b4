import { isCommonWord } from './common-words.ts'

const SHORTEST = 4

/**
 * Whether a word is another one with one slip of the pen: a letter too few, too many or wrong, or two swapped. The first letter is right or
 * swapped with the second, no digit and no sign is touched, and the given word is no real word: `contact` is no slip of `contract`.
 */
export function isOneSlip(given: string, meant: string): boolean {
  if (given === meant || Math.min(given.length, meant.length) < SHORTEST || Math.abs(given.length - meant.length) > 1) return false
  if (!/^[\p{L}\p{N}]+$/u.test(given)) return false
  const isSwappedStart = given[0] === meant[1] && given[1] === meant[0]
  if (given[0] !== meant[0] && !isSwappedStart) return false
  if (given.replace(/\D/g, '') !== meant.replace(/\D/g, '') || isBesideDigit(given, meant)) return false
  return areNear(given, meant) && !isCommonWord(given) && !isOtherForm(given, meant) && !isOtherLetter(given, meant)
}

/** A letter beside a number is a part of a code: `us-east-1a` is no slip of `us-east-1`. */
function isBesideDigit(given: string, meant: string): boolean {
  let start = 0
  while (start < given.length && given[start] === meant[start]) start++
  return [given, meant].some((word) => /\d/.test(word.slice(Math.max(0, start - 1), start + 2)))
}

/** Longer words have few real neighbours. */
const LONG = 9
const KEYS = ['qwertyuiop', 'asdfghjkl', 'zxcvbnm']
const VOWELS = /^[aeiouy]$/

/** A wrong letter is a slip only beside the right key, as another vowel, or by its sound: `fright` is no slip of `flight`, and `grey` is `gray`. */
function isOtherLetter(given: string, meant: string): boolean {
  if (given.length !== meant.length || meant.length >= LONG) return false
  // Four letters have too many neighbours that are words: `barn` and `Bern`.
  if (meant.length === SHORTEST && [...given].toSorted().join('') !== [...meant].toSorted().join('')) return true
  const different = [...given].flatMap((letter, index) => (letter === meant[index] ? [] : [[letter, meant.charAt(index)] as const]))
  const [pair] = different
  if (pair === undefined || different.length > 1) return false
  const [one, other] = pair
  return !(VOWELS.test(one) && VOWELS.test(other)) && !areKeysNear(one, other) && !SOUNDS.has([one, other].toSorted().join(''))
}

/** Letters that sound alike: `celcius`. */
const SOUNDS: ReadonlySet<string> = new Set(['cs', 'ck', 'sz'])

function areKeysNear(one: string, other: string): boolean {
  const [first, second] = [one, other].map((letter) => {
    const row = KEYS.findIndex((keys) => keys.includes(letter))
    return { row, column: row === -1 ? Number.NaN : (KEYS[row]?.indexOf(letter) ?? Number.NaN) + row / 2 }
  })
  if (first === undefined || second === undefined) return false
  return Math.abs(first.row - second.row) <= 1 && Math.abs(first.column - second.column) <= 1
}

/** The plural, the past or the opposite of a word is another word. */
function isOtherForm(given: string, meant: string): boolean {
  const [short, long] = given.length < meant.length ? [given, meant] : [meant, given]
  // A third `s` makes no plural.
  return long.startsWith(short) && /^[sdrny]$/.test(long.slice(short.length)) && !long.endsWith('sss')
}

/** Whether one letter inserted, left out or replaced, or two neighbours swapped, lead from one to the other. */
export function areNear(one: string, other: string): boolean {
  const shorter = Math.min(one.length, other.length)
  let start = 0
  while (start < shorter && one[start] === other[start]) start++
  let end = 0
  while (end < shorter - start && one[one.length - 1 - end] === other[other.length - 1 - end]) end++
  const left = one.length - start - end
  const right = other.length - start - end
  if (left <= 1 && right <= 1) return true
  return left === 2 && right === 2 && one[start] === other[start + 1] && one[start + 1] === other[start]
}

/** A word, and the word with each letter left out. Two words that are near share one of them. */
export function deletions(word: string): readonly string[] {
  const found = [word]
  for (let index = 0; index < word.length; index++) found.push(word.slice(0, index) + word.slice(index + 1))
  return found
}
