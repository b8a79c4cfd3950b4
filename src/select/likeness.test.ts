import { expect, test } from 'vitest'
import { Likeness } from './likeness.ts'
import { DIMENSIONS, packed } from './vector-table.ts'

const toward = (...parts: readonly number[]): Int8Array =>
  packed(Float32Array.of(...parts, ...Array<number>(DIMENSIONS - parts.length).fill(0))) as Int8Array
const VECTORS = [toward(1), toward(0, 1), toward(1, 1), toward(-1), new Int8Array(DIMENSIONS)]
const vectorOf = (place: number): Int8Array => VECTORS[place] as Int8Array

test('a tool is as like those that were voted for as its vector is near to theirs, by the roots of their votes', () => {
  const likeness = new Likeness(
    [
      { place: 0, votes: 0.64 },
      { place: 1, votes: 0.04 },
    ],
    vectorOf,
  )
  expect(likeness.of(2)).toBeCloseTo(Math.SQRT1_2, 1)
  expect(likeness.of(3)).toBeCloseTo(-0.8, 2)
  expect(likeness.of(4)).toBe(0)
})

test('the votes of a tool say nothing about its own likeness', () => {
  const likeness = new Likeness(
    [
      { place: 0, votes: 0.9 },
      { place: 1, votes: 0.1 },
    ],
    vectorOf,
  )
  expect(likeness.of(0)).toBeCloseTo(0, 2)
  expect(new Likeness([], vectorOf).of(2)).toBe(0)
})
