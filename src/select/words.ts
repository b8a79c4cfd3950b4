import { stem } from './stem.ts'

/** At most so many words of a text count: the work for one text has a bound, however long it is. */
export const MAX_WORDS = 400

/** Characters that are read of a text at the most. */
const MAX_CHARACTERS = 8000

/** Words that say nothing about what a tool does. */
const IGNORED: ReadonlySet<string> = new Set(
  (
    'a an and are as at be been but by can could did do does for from had has have he her him his how i if in into is it its ' +
    'me my no not of on or our please she should so some such than that the their them then there these they this those to too ' +
    'us was we were what when where which who will with would you your ll re ve don s t d m let need want like help know tell give'
  ).split(' '),
)

const SEGMENTS = /[\p{L}\p{M}]+|\p{N}+/gu
const WITHOUT_SPACES = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u

/**
 * The words of a text in their order, in lower case and without accents: identifiers are split (`getUserById` has four), words of
 * languages without spaces become pairs of characters. A word of two parts is a word as well: people write `GitHub` and `github`.
 */
export function wordsOf(text: string): string[] {
  const read = text.length > MAX_CHARACTERS ? text.slice(0, MAX_CHARACTERS) : text
  const words: string[] = []
  for (const [segment] of read.matchAll(SEGMENTS)) {
    if (words.length >= MAX_WORDS) break
    if (isPlainLower(segment)) words.push(segment)
    else if (WITHOUT_SPACES.test(segment)) pushPairs(words, segment)
    else pushParts(words, segment)
  }
  return words.length > MAX_WORDS ? words.slice(0, MAX_WORDS) : words
}

/** The words of a text that are compared: without those that say nothing, and without endings. A text of nothing else keeps its words. */
export function termsOf(text: string): string[] {
  return termsOfWords(wordsOf(text))
}

export function termsOfWords(words: readonly string[]): string[] {
  const telling = words.filter((word) => !IGNORED.has(word))
  return (telling.length === 0 ? words : telling).map(stem)
}

export function isIgnored(word: string): boolean {
  return IGNORED.has(word)
}

function isPlainLower(segment: string): boolean {
  for (let at = 0; at < segment.length; at++) {
    const code = segment.charCodeAt(at)
    if (code < 97 || code > 122) return false
  }
  return true
}

function folded(word: string): string {
  return word
    .normalize('NFKD')
    .replaceAll(/\p{M}+/gu, '')
    .toLowerCase()
}

function pushParts(words: string[], segment: string): void {
  const parts = splitCase(segment)
  for (const part of parts) words.push(folded(part))
  if (parts.length === 2) words.push(folded(segment))
}

/** `getHTTPUrl` is get, HTTP, Url; `listURLs` is list, URLs. */
function splitCase(segment: string): string[] {
  return segment.match(/\p{Lu}{2,}s(?!\p{Ll})|\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{M}\p{Lo}\p{Lm}]+|\p{N}+|\p{Lu}/gu) ?? [segment]
}

function pushPairs(words: string[], segment: string): void {
  const characters = [...segment]
  if (characters.length === 1) words.push(segment)
  for (let at = 0; at + 1 < characters.length; at++) words.push(`${characters[at]}${characters[at + 1]}`)
}
