import { expect, test } from 'vitest'
import { durationText } from './duration-text.ts'

test.each([
  [0, '0 ms'],
  [0.44, '0.4 ms'],
  [9.94, '9.9 ms'],
  [9.96, '10 ms'],
  [80.4, '80 ms'],
  [999.4, '999 ms'],
  [999.6, '1 s'],
  [1250, '1.25 s'],
  [1405, '1.41 s'],
  [5000, '5 s'],
  [59_994, '59.99 s'],
  [59_996, '1 m 00 s'],
  [125_000, '2 m 05 s'],
  [3_599_600, '1 h 00 m'],
  [11_220_000, '3 h 07 m'],
])('%d milliseconds are written as %j', (ms, text) => {
  expect(durationText(ms)).toBe(text)
})
