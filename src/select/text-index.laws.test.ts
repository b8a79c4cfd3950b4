import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { TextIndex } from './text-index.ts'

const term = fc.constantFrom('pay', 'refund', 'order', 'mail', 'file', 'map')
const text = fc.array(term, { minLength: 1, maxLength: 8 })
const change = fc.tuple(fc.nat(120), fc.option(text, { nil: undefined }))

function counted(words: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
  return counts
}

describe('TextIndex', () => {
  test('scores after any adding and removing as a new index of the same documents does', () => {
    fc.assert(
      fc.property(fc.array(change, { maxLength: 300 }), text, (changes, query) => {
        const index = new TextIndex()
        const documents = new Map<number, readonly string[]>()
        for (const [document, words] of changes) {
          index.remove(document)
          documents.delete(document)
          if (words === undefined) continue
          index.add(document, counted(words))
          documents.set(document, words)
        }
        const fresh = new TextIndex()
        for (const [document, words] of documents) fresh.add(document, counted(words))
        const [found, expected] = [new Float32Array(128), new Float32Array(128)]
        index.score(new Set(query), found)
        fresh.score(new Set(query), expected)
        for (let document = 0; document < 128; document++) expect(found[document]).toBeCloseTo(expected[document] as number, 4)
        expect(index.count).toBe(documents.size)
      }),
    )
  })

  test('finds a rare word to tell more than a common one, and more of the same word less and less', () => {
    const index = new TextIndex()
    for (let document = 0; document < 10; document++) index.add(document, counted(document === 3 ? ['pay', 'refund'] : ['pay']))
    expect(index.idf('refund')).toBeGreaterThan(index.idf('pay'))
    const scoreOf = (times: number): number => {
      const each = new TextIndex()
      each.add(0, new Map([['pay', times]]))
      each.add(1, new Map([['mail', 1]]))
      const scores = new Float32Array(2)
      each.score(['pay'], scores)
      return scores[0] as number
    }
    expect(scoreOf(100) / scoreOf(3)).toBeLessThan(1.5)
  })

  test('weighs the terms of a query, and counts those that no document has as rare', () => {
    const index = new TextIndex()
    index.add(0, counted(['pay']))
    index.add(1, counted(['mail']))
    const [plain, weighed] = [new Float32Array(2), new Float32Array(2)]
    index.score(['pay', 'mail'], plain)
    index.score(['pay', 'mail'], weighed, { weigh: (each) => (each === 'pay' ? 0.5 : 1) })
    expect(weighed[0]).toBeCloseTo((plain[0] as number) / 2)
    expect(weighed[1]).toBe(plain[1])
    expect(index.telling(['pay', 'refund'])).toBeCloseTo(index.idf('pay') + index.rarest())
    expect(index.telling(['pay', 'mail'], Uint8Array.of(1, 0))).toBeCloseTo(index.idf('pay', Uint8Array.of(1, 0)) + Math.log(4))
  })
})
