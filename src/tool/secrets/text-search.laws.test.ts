import fc from 'fast-check'
import { expect, test } from 'vitest'
import { indexOf } from './index-of.ts'
import { TextSearch } from './text-search.ts'

const words = (maxLength: number): fc.Arbitrary<string> => fc.string({ unit: fc.constantFrom('a', 'b'), minLength: 1, maxLength })
const RUNS = { numRuns: 2000, seed: 5 }

/** Whether each character is hidden, by a look at every place. */
function hiddenIn(text: string, texts: readonly string[]): boolean[] {
  const hidden = Array<boolean>(text.length).fill(false)
  for (const each of texts) for (let at = 0; at < text.length; at++) if (text.startsWith(each, at)) hidden.fill(true, at, at + each.length)
  return hidden
}

test('a search finds every text at every place, and no other [T13]', () => {
  fc.assert(
    fc.property(fc.array(words(6), { minLength: 1, maxLength: 6 }), words(160), (texts, text) => {
      const search = new TextSearch(texts)
      // The first places are compared one by one; then there is a tree.
      for (const spans of [search.spansIn(text), search.spansIn(text)]) {
        const found = Array<boolean>(text.length).fill(false)
        for (const [start, end] of spans) found.fill(true, start, end)
        expect(found).toEqual(hiddenIn(text, texts))
        for (const [index, [start]] of spans.entries()) expect(start).toBeGreaterThan(spans[index - 1]?.[1] ?? -1)
      }
    }),
    RUNS,
  )
})

test('a very long text is found by its beginning, and covered to its end [T13]', () => {
  const long = Array.from({ length: 2000 }, (_, n) => n).join(',')
  const end = 1 + long.length
  expect(new TextSearch([long]).spansIn(`x${long}x${long.slice(0, 4000)}`)).toEqual([[1, end]])
  expect(new TextSearch([long, `${long}more`]).spansIn(`x${long}moreyyy`)).toEqual([[1, end + 4]])
})

test('a long part is found where the built-in search finds it', () => {
  fc.assert(
    fc.property(words(3), words(3), fc.nat(40), fc.nat(200), (unit, end, times, from) => {
      const part = unit.repeat(30 + times) + end
      const text = `${unit.repeat(times)}b${part}a${part}`
      expect(indexOf(text, part, from)).toBe(text.indexOf(part, from))
    }),
    RUNS,
  )
})
