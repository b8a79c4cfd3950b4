import { wordsOf } from './task-words.ts'

/** So far above the others, in deviations, a text stands out by its words. */
const FAR = 2
const OF_ONE_OF_MANY = 0.25
const RAREST = 4

/** How much a text of a column says by its words, 0.25 to 1: all of it where they are rarer than those of the other texts. */
export function oddWords(counts: ReadonlyMap<string, number>): (text: string) => number {
  const frequency = new Map<string, number>()
  const words = new Map([...counts.keys()].map((text) => [text, [...new Set(wordsOf(text))]]))
  for (const own of words.values()) for (const word of own) frequency.set(word, (frequency.get(word) ?? 0) + 1)
  const rarity = (own: readonly string[]): number => {
    const rarest = own.map((word) => Math.log(1 + counts.size / (frequency.get(word) ?? 1))).toSorted((a, b) => b - a)
    return rarest.slice(0, RAREST).reduce((sum, each) => sum + each, 0) / RAREST
  }
  const rarities = new Map([...words].map(([text, own]) => [text, rarity(own)]))
  const all = [...rarities.values()]
  const mean = all.reduce((sum, each) => sum + each, 0) / Math.max(1, all.length)
  const deviation = Math.sqrt(all.reduce((sum, each) => sum + (each - mean) ** 2, 0) / Math.max(1, all.length))
  return (text) => {
    const far = deviation === 0 ? 0 : ((rarities.get(text) ?? mean) - mean) / deviation
    return Math.max(OF_ONE_OF_MANY, Math.min(1, far / FAR))
  }
}
