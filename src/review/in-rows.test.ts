import { expect, test } from 'vitest'
import { inRows } from './in-rows.ts'

test('a line goes on behind a bar, and nothing of it is lost [T15]', () => {
  expect(inRows(`  | ${'a'.repeat(40)}\nshort\n`, 30)).toBe(`  | ${'a'.repeat(25)}\n  |> ${'a'.repeat(15)}\nshort\n`)
})

test.each([
  ['letters', 'a', 19],
  ['wide letters', '東', 9],
  ['emoji', '🙂', 9],
  ['accents on letters', 'e\u0301', 19],
])('%s have as many cells as a terminal gives them', (_what, unit, fitting) => {
  expect(inRows(unit.repeat(fitting), 20)).toBe(unit.repeat(fitting))
  expect(inRows(unit.repeat(fitting + 1), 20)).toBe(`${unit.repeat(fitting)}\n  |> ${unit}`)
})

test.each([undefined, 0, -5, Number.NaN, Number.POSITIVE_INFINITY])('a terminal of %s columns counts as one of 80', (columns) => {
  expect(inRows('a'.repeat(80), columns)).toBe(`${'a'.repeat(79)}\n  |> a`)
})

test('a terminal that is too narrow for a form gets rows of 20 columns', () => {
  expect(inRows('a'.repeat(20), 3)).toBe(`${'a'.repeat(19)}\n  |> a`)
})
