import { expect, test } from 'vitest'
import { inRange } from './in-range.ts'

test.each([
  ['7.0.0', '^7.0.0', true],
  ['7.2.1', '^7.0.3', true],
  ['8.0.0', '^7.0.0', false],
  ['6.9.9', '^7.0.0', false],
  ['1.9.9', '^1.10.0', false],
  ['0.301.2', '^0.301.0', true],
  ['0.302.0', '^0.301.0', false],
  ['24.1.0', '>=22.19.0', true],
  ['22.18.9', '>=22.19.0', false],
  ['22.19.0', '>=22.19.0', true],
  ['7.1.0-beta.2', '^7.0.0', true],
  ['1.10.0', '>=1.9.0 <2.0.0', true],
  ['1.8.9', '>=1.9.0 <2.0.0', false],
  ['2.0.0', '>=1.9.0 <2.0.0', false],
  ['0.301.0', '>=0.210.0 <0.400.0', true],
])('%s in %s: %s', (version, range, expected) => {
  expect(inRange(version, range)).toBe(expected)
})
