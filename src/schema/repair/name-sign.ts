import { someWord } from './name-words.ts'

/** Names before which people write a sign that is no part of the value. */
const SIGNS: Readonly<Record<string, ReadonlySet<string>>> = {
  '#': new Set('channel tag label hashtag topic color colour issue ticket number room keyword'.split(' ')),
  $: new Set('ticker symbol stock'.split(' ')),
  '@': new Set('username handle user mention member assignee reviewer author owner'.split(' ')),
}

/** `#incidents` for a channel and `@ann` for a user, without the sign; undefined where the text has none, or another one. */
export function withoutNameSign(text: string, words: readonly string[]): string | undefined {
  const names = SIGNS[text.charAt(0)]
  return names !== undefined && someWord(words, names) && /^.[\p{L}\d]/u.test(text) ? text.slice(1) : undefined
}
