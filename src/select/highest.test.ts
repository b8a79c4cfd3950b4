import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Highest } from './highest.ts'

test('the highest of all that were offered are kept, the highest first, of equal ones the earlier; none up to the least', () => {
  const weights = fc.array(fc.nat(12), { maxLength: 60 })
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 9 }), weights, weights, (most, before, offered) => {
      const highest = new Highest(most)
      for (const list of [before, offered]) {
        highest.clear(2)
        const wanted = list.map((weight, number) => ({ weight, number })).filter(({ weight }) => weight > 2)
        const sorted = wanted.toSorted((a, b) => b.weight - a.weight || a.number - b.number).slice(0, most)
        let least = 2
        for (const [number, weight] of list.entries()) least = highest.offer(number, weight)
        const found = Array.from({ length: highest.size }, (_, at) => ({ weight: highest.weightAt(at), number: highest.numberAt(at) }))
        expect(found).toEqual(sorted)
        expect(least).toBe(sorted.length === most ? sorted.at(-1)?.weight : 2)
      }
    }),
  )
})
