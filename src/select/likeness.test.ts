import { expect, test } from 'vitest'
import { likenesses, type VotedTool } from './likeness.ts'
import { DIMENSIONS, packed, VectorTable } from './vector-table.ts'

const toward = (...parts: readonly number[]): Int8Array =>
  packed(Float32Array.of(...parts, ...Array<number>(DIMENSIONS - parts.length).fill(0))) as Int8Array
const table = new VectorTable()
for (const [place, vector] of [toward(1), toward(0, 1), toward(1, 1), toward(-1)].entries()) table.set(place, vector)
/** A tool without a vector. */
const BLANK = 4
table.set(BLANK, undefined)
const likenessOf = (place: number, voted: readonly VotedTool[]): number =>
  likenesses([place], voted, {
    vector: (each) => table.row(each),
    pick: (vector, places) => {
      table.aim(vector)
      return table.pick(Int32Array.from(places), places.length)
    },
  })[0] as number

test('a tool is as like those that were voted for as its vector is near to theirs, by the roots of their votes', () => {
  const voted = [
    { place: 0, votes: 0.64 },
    { place: 1, votes: 0.04 },
  ]
  expect(likenessOf(2, voted)).toBeCloseTo(Math.SQRT1_2, 1)
  expect(likenessOf(3, voted)).toBeCloseTo(-0.8, 1)
  expect(likenessOf(BLANK, voted)).toBe(0)
})

test('the votes of a tool say nothing about its own likeness', () => {
  const voted = [
    { place: 0, votes: 0.81 },
    { place: 1, votes: 0.01 },
  ]
  expect(likenessOf(0, voted)).toBeCloseTo(0, 1)
  expect(likenessOf(1, voted)).toBeCloseTo(0, 1)
  expect(likenessOf(BLANK, [...voted, { place: BLANK, votes: 0.5 }])).toBeCloseTo(0)
  expect(likenessOf(2, [])).toBe(0)
})
