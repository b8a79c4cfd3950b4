import fc from 'fast-check'
import { expect, test } from 'vitest'
import { agree, likeness } from './field-comparison.ts'

test.each([
  ['a', 'a', {}, true],
  ['a', 'A', {}, false],
  [1, 1, {}, true],
  [0.3, 0.1 + 0.2, {}, true],
  [1, 1.0001, {}, false],
  [1, '1', { within: 5, alike: 0 }, false],
  [{ a: [1] }, { a: [1] }, {}, true],
  [{ a: 1 }, { a: 2 }, { within: 5 }, false],
  [10, 10.01, { within: 0.01 }, true],
  [10, 10.02, { within: 0.01 }, false],
  [1000, 1010, { withinShare: 0.01 }, true],
  [1000, 1011, { withinShare: 0.01 }, false],
  [-1, 1, { withinShare: 1 }, false],
  ['ACME Corp.', 'acme  corp', { alike: 1 }, true],
  ['Acme Corporation', 'Acme Corp', { alike: 0.6 }, true],
  ['Acme', 'Zenith', { alike: 0.3 }, false],
  ['Acme', 'Acne', {}, false],
])('%j and %j with %j agree: %s [V1]', (a, b, comparison, expected) => {
  expect([agree(a, b, comparison), agree(b, a, comparison)]).toEqual([expected, expected])
})

test('likeness is symmetric, from 0 to 1, and 1 of a text to itself', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (a, b) => {
      expect(likeness(a, a)).toBe(1)
      expect(likeness(a, b)).toBe(likeness(b, a))
      expect(likeness(a, b)).toBeGreaterThanOrEqual(0)
      expect(likeness(a, b)).toBeLessThanOrEqual(1)
    }),
  )
})
