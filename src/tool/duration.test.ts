import { expect, test } from 'vitest'
import { type Duration, toMilliseconds } from './duration.ts'

test.each<readonly [Duration, number]>([
  [0, 0],
  [1500, 1500],
  [0.5, 0.5],
  [Infinity, Infinity],
  ['250ms', 250],
  ['5s', 5000],
  ['1.5s', 1500],
  ['2m', 120_000],
  ['1h', 3_600_000],
  ['3d', 259_200_000],
  ['0s', 0],
])('%s is %d milliseconds [T9]', (duration, ms) => {
  expect(toMilliseconds(duration, 'It')).toBe(ms)
})

test.each([
  -1,
  NaN,
  -Infinity,
  '',
  '5',
  's',
  '5 s',
  '-5s',
  '5sec',
  '1e3s',
  ' 5s',
  '5s ',
  '5S',
  null,
  undefined,
  {},
  [],
  true,
  5n,
  Symbol('x'),
  () => 5,
])('%o is a configuration error that says what is wanted [T9]', (duration) => {
  expect(() => toMilliseconds(duration as Duration, 'The deadline')).toThrow(
    expect.objectContaining({
      code: 'invalid_option',
      message: expect.stringMatching(/^The deadline must be milliseconds or a duration such as '5s' or '2m', not .+\.$/s),
    }),
  )
})
