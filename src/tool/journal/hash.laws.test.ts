import fc from 'fast-check'
import { expect, test } from 'vitest'
import { encode } from './codec.ts'
import { hashOf, hashOfData } from './hash.ts'

const SLOWLY = (value: unknown): string => hashOfData(encode(value))

/** JSON, and what is not: all that an input may hold. */
const values = fc.anything({
  key: fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('$toolwright', '__proto__', 'a"b', 'a\\b', 'a\nb', 'ü', '\uD800')),
  withBigInt: true,
  withDate: true,
  withMap: true,
  withSet: true,
  withNullPrototype: true,
  withSparseArray: true,
  withTypedArray: false,
  maxDepth: 4,
})

const resultOf = (hash: (value: unknown) => string, value: unknown): string => {
  try {
    return hash(value)
  } catch (error) {
    return String(error)
  }
}

test('the short way gives the hash, or the refusal, of the long one', () => {
  fc.assert(
    fc.property(values, (value) => {
      expect(resultOf(hashOf, value)).toBe(resultOf(SLOWLY, value))
    }),
    { numRuns: 1000 },
  )
})

test('an accessor is not called, and a cycle or a symbol is refused', () => {
  const cycle: unknown[] = []
  cycle.push(cycle)
  const accessor = {
    get a(): string {
      throw new Error('called')
    },
  }
  for (const each of [cycle, accessor, { [Symbol('a')]: 1 }, Object.defineProperty({ b: 1 }, 'a', { value: 2, enumerable: false })])
    expect(resultOf(hashOf, each)).toBe(resultOf(SLOWLY, each))
})
