import { expect, test } from 'vitest'
import { momentOf } from './moment-of.ts'

test.each([
  [5, { scale: 'number', at: 5 }],
  [Infinity, undefined],
  [new Date(7), { scale: 'instant', at: 7 }],
  [new Date(Number.NaN), undefined],
  ['1970-01-02', { scale: 'date', at: 86_400_000 }],
  ['1970-01-01T00:00:01', { scale: 'local', at: 1000 }],
  ['1970-01-01 00:01', { scale: 'local', at: 60_000 }],
  ['1970-01-01T00:00:00.5Z', { scale: 'instant', at: 500 }],
  ['1970-01-01T01:00:00+0100', { scale: 'instant', at: 0 }],
  ['1970-01-01t00:00:00z', { scale: 'instant', at: 0 }],
  ['01:00:30', { scale: 'time of day', at: 3630 }],
  ['1970-13-01', undefined],
  ['2026-02-30', undefined],
  ['2026-02-29', undefined],
  ['2024-02-29', { scale: 'date', at: Date.UTC(2024, 1, 29) }],
  ['2026-04-31T10:00Z', undefined],
  ['2026-04-31 10:00', undefined],
  ['24:00', { scale: 'time of day', at: 86_400 }],
  ['24:01', undefined],
  ['25:00', undefined],
  ['10:60', undefined],
  ['10:00:60', undefined],
  ['1/2/1970', undefined],
  ['5', undefined],
  [null, undefined],
])('%j is the moment %j, in every time zone', (value, moment) => {
  expect(momentOf(value)).toEqual(moment)
})
