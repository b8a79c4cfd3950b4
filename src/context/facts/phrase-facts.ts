import type { OutputView } from '../view/view.ts'
import { brief, type Fact } from './fact.ts'
import { isStopWord } from './task-words.ts'

/** Of longer texts, phrases are not counted: a part would give wrong numbers. */
const LONGEST_TEXT = 1_500_000
const LONGEST_LINE = 600
const FEWEST = 4
/** What stands in more of the lines is said by their shape. */
const MOST_OF_LINES = 0.6
const MOST_WORDS = 3
const MOST_SHOWN = 20
/** A phrase that comes so often with another word around it is a part of the longer one. */
const SAME = 0.8
const WORD = /[\p{L}\d][\p{L}\d_.'’-]*[\p{L}\d]|\d/gu

interface Phrase {
  readonly text: string
  readonly count: number
  readonly worth: number
}

/** Words and phrases that come again in the lines of a text, with how often: names, steps and answers before what is said anyway. */
export function phraseFacts({ text, lines }: OutputView, known: ReadonlySet<string>, part: string): Fact[] {
  if (text.length > LONGEST_TEXT) return []
  const phrases = countedPhrases(lines).filter(({ text: said }) => !known.has(said) && !known.has(said.toLowerCase()))
  return [0, 1, 2].flatMap((at): Fact[] => {
    const shown = phrases.slice(at * MOST_SHOWN, (at + 1) * MOST_SHOWN)
    if (shown.length === 0) return []
    const listed = shown.map(({ text: said, count }) => `${brief(said, 60)} ${count}`).join(', ')
    return [
      { text: `${at === 0 ? 'words' : 'more words'}, with how often they come: ${listed}`, worth: OF_PHRASES[at] ?? 0, part, order: 0 },
    ]
  })
}

const OF_PHRASES = [1, 0.6, 0.4]

function countedPhrases(lines: readonly string[]): readonly Phrase[] {
  const told = lines.filter((line) => line.trim() !== '')
  const most = MOST_OF_LINES * told.length
  const words = told.map((line) =>
    [...line.slice(0, LONGEST_LINE).matchAll(WORD)].map(({ 0: word, index }) => ({ word, from: index, to: index + word.length })),
  )
  let counts = new Map<string, number>()
  let kept = new Map<string, number>()
  for (let size = 1; size <= MOST_WORDS; size++) {
    counts = new Map()
    words.forEach((own, line) => {
      const seen = new Set<string>()
      for (let at = 0; at + size <= own.length; at++) {
        const phrase = phraseAt(own, at, size, told[line] ?? '')
        if (phrase === undefined || seen.has(phrase) || !hasKeptParts(phrase, size, kept)) continue
        seen.add(phrase)
        counts.set(phrase, (counts.get(phrase) ?? 0) + 1)
      }
    })
    const often = [...counts].filter(([phrase, count]) => count >= FEWEST && (size === 1 || !endsInStopWord(phrase)))
    for (const [phrase, count] of often) if (size > 1) dropParts(phrase, count, kept)
    kept = new Map([...kept, ...often])
  }
  return [...kept]
    .filter(([phrase, count]) => count > 0 && count <= most && !phrase.split(' ').every(isStopWord) && /\p{L}{3}|\d{2}/u.test(phrase))
    .map(([text, count]) => ({ text, count, worth: worthOf(text, count) }))
    .toSorted((a, b) => b.worth - a.worth)
}

/** Words beside each other, with a blank and nothing else between them. */
function phraseAt(
  own: readonly { readonly word: string; readonly from: number; readonly to: number }[],
  at: number,
  size: number,
  line: string,
): string | undefined {
  const first = own[at]
  const last = own[at + size - 1]
  if (first === undefined || last === undefined) return undefined
  for (let next = at + 1; next < at + size; next++) if ((own[next]?.from ?? 0) - (own[next - 1]?.to ?? 0) !== 1) return undefined
  return line.slice(first.from, last.to)
}

function hasKeptParts(phrase: string, size: number, kept: ReadonlyMap<string, number>): boolean {
  if (size === 1) return true
  const end = phrase.lastIndexOf(' ')
  const begin = phrase.indexOf(' ')
  return kept.has(phrase.slice(0, end)) && kept.has(phrase.slice(begin + 1))
}

function endsInStopWord(phrase: string): boolean {
  const words = phrase.split(' ')
  return isStopWord(words[0] ?? '') || isStopWord(words.at(-1) ?? '')
}

/** A part of the longer phrase that hardly comes without it says nothing more. It stays known, for phrases that are longer still. */
function dropParts(phrase: string, count: number, kept: Map<string, number>): void {
  for (const part of [phrase.slice(0, phrase.lastIndexOf(' ')), phrase.slice(phrase.indexOf(' ') + 1)])
    if (count >= SAME * (kept.get(part) ?? Infinity)) kept.set(part, 0)
}

/** Names and codes are asked for before plain words, and several words before one. */
function worthOf(text: string, count: number): number {
  const isNamed = /\p{Lu}|\d/u.test(text)
  return (isNamed ? 2 : 1) * Math.sqrt(text.split(' ').length) * Math.log(count)
}
