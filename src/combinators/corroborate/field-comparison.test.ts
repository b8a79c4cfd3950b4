import fc from 'fast-check'
import { expect, test } from 'vitest'
import { agree, checkComparison, likeness } from './field-comparison.ts'

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
  [Infinity, 5, { withinShare: 0.01 }, false],
  [Infinity, 5, { within: Infinity }, false],
  [Infinity, -Infinity, { withinShare: 1 }, false],
  [Infinity, Infinity, {}, true],
  [Number.NaN, Number.NaN, { within: 5 }, false],
  [{ a: [Number.NaN] }, { a: [Number.NaN] }, {}, false],
  [new Date(5), new Date(5), {}, true],
  [new Date(5), new Date(6), {}, false],
  [new Date(Number.NaN), new Date(Number.NaN), {}, false],
  [[new Date(Number.NaN)], [new Date(Number.NaN)], {}, false],
  [Array.from({ length: 1 }), [1], {}, false],
  // oxlint-disable-next-line unicorn/no-new-array -- a list with a hole
  [new Array(1), [1], {}, false],
  [4_503_599_627_370_496, 4_503_599_627_370_497, {}, false],
])('%j and %j with %j agree: %s [V1]', (a, b, comparison, expected) => {
  expect([agree(a, b, comparison), agree(b, a, comparison)]).toEqual([expected, expected])
})

test.each([
  [5n, 5, {}, true],
  [5n, 6, {}, false],
  [5n, 6, { within: 1 }, true],
  [5n, 5.5, {}, false],
  [{ a: 5n }, { a: 5 }, {}, true],
  [9_007_199_254_740_993n, 9_007_199_254_740_992, {}, false],
  [2n ** 64n, 2n ** 64n + 1n, {}, false],
  [2n ** 64n, 2n ** 64n + 1n, { within: 1 }, true],
])('a big integer is a number: %s and %s with %o agree: %s [V1]', (a, b, comparison, expected) => {
  expect([agree(a, b, comparison), agree(b, a, comparison)]).toEqual([expected, expected])
})

test('a value that contains itself agrees with no other [V1]', () => {
  const [a, b]: Record<string, unknown>[] = [{}, {}]
  Object.assign(a as object, { self: a, too: a })
  Object.assign(b as object, { self: b, too: b })
  expect(agree(a, b, {})).toBe(false)
})

test('two tolerances for one number are refused', () => {
  expect(() => checkComparison({ within: 1, withinShare: 0.1 }, "the field 'rate'")).toThrow(
    "'within' and 'withinShare' of the field 'rate' cannot be used together.",
  )
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
