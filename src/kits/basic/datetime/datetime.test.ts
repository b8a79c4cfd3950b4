import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { runProgram } from '../../../../scripts/run-program.ts'
import { compound, memoryJournal, resolve } from '../../../index.ts'
import { fakeClock } from '../../../testing/fake-clock.ts'
import { datetime, type DatetimeOptions } from './datetime.ts'

/** A Wednesday in UTC and New York, a Thursday in Berlin and Tokyo. */
const NOW = Date.UTC(2024, 4, 15, 22, 30)
const clock = { now: () => NOW }
const tool = datetime({ clock })
const text = async (input: string, options: DatetimeOptions = {}) => (await datetime({ clock, ...options }).call(input)).text

test('a model sees one string parameter, what can be written in it, and the zone that is assumed [T17]', () => {
  const { specification, effect, idempotent, tags } = datetime({ zone: 'Asia/Tokyo' })
  expect([specification.name, effect, idempotent, tags]).toEqual(['datetime', 'read', true, ['time']])
  expect(specification.parameters).toMatchObject({ required: ['input'], properties: { input: { type: 'string' } } })
  for (const part of ['now in America/New_York', '2024-01-01 + 5 days', 'Where no zone is named it is Asia/Tokyo']) {
    expect(specification.description).toContain(part)
  }
  expect(specification.outputSchema).toMatchObject({ type: 'object', required: ['kind', 'iso'] })
})

test.each([
  ['now', '2024-05-15T22:30:00+00:00 (Wednesday, UTC)'],
  ['NOW  IN america/new_york', '2024-05-15T18:30:00-04:00 (Wednesday, America/New_York)'],
  ['now in Z', '2024-05-15T22:30:00+00:00 (Wednesday, UTC)'],
  ['convert 2026-01-15 14:00 from Europe/Berlin to America/New_York', '2026-01-15T08:00:00-05:00 (Thursday, America/New_York)'],
  ['convert now to Asia/Tokyo', '2024-05-16T07:30:00+09:00 (Thursday, Asia/Tokyo)'],
  ['convert tomorrow 09:00 from Europe/Berlin in UTC', '2024-05-17T07:00:00+00:00 (Friday, UTC)'],
  ['2024-05-16T07:30:00+09:00 (Thursday, Asia/Tokyo) + 1 day', '2024-05-17T07:30:00+09:00 (Friday, Asia/Tokyo)'],
  ['2024-05-22 (Wednesday, UTC) + 1 week', '2024-05-29 (Wednesday)'],
  ['now in z + 1 day', '2024-05-16T22:30:00+00:00 (Thursday, UTC)'],
  ['2024-05-15T22:30+02:00 in -0330', '2024-05-15T17:00:00-03:30 (Wednesday, -03:30)'],
  ['today in Z + 1 week', '2024-05-22 (Wednesday, UTC)'],
  ['now in +05:30', '2024-05-16T04:00:00+05:30 (Thursday, +05:30)'],
  ['now + 2 hours - 30 minutes', '2024-05-16T00:00:00+00:00 (Thursday, UTC)'],
  ['now in UTC+5 hours', '2024-05-16T03:30:00+00:00 (Thursday, UTC)'],
  ['today', '2024-05-15 (Wednesday, UTC)'],
  ['today in Asia/Tokyo', '2024-05-16 (Thursday, Asia/Tokyo)'],
  ['tomorrow', '2024-05-16 (Thursday, UTC)'],
  ['yesterday', '2024-05-14 (Tuesday, UTC)'],
  ['tomorrow 09:00 Europe/Berlin', '2024-05-17T09:00:00+02:00 (Friday, Europe/Berlin)'],
  ['next monday', '2024-05-20 (Monday, UTC)'],
  ['next Wednesday', '2024-05-22 (Wednesday, UTC)'],
  ['last wednesday', '2024-05-08 (Wednesday, UTC)'],
  ['last thursday', '2024-05-09 (Thursday, UTC)'],
  ['2024-01-01 + 5 days', '2024-01-06 (Saturday)'],
  ['2024-01-31 + 1 month', '2024-02-29 (Thursday)'],
  ['2024-01-31 + 1 month - 1 month', '2024-01-29 (Monday)'],
  ['2024-02-29 + 1 year', '2025-02-28 (Friday)'],
  ['2023-12-31 + 2 weeks', '2024-01-14 (Sunday)'],
  ['2024-05-17 + 3 business days', '2024-05-22 (Wednesday)'],
  ['2024-05-18 - 1 business day', '2024-05-17 (Friday)'],
  ['2024-05-18 + 0 business days', '2024-05-18 (Saturday)'],
  ['2024-05-17T16:00 Europe/Berlin + 1 business day', '2024-05-20T16:00:00+02:00 (Monday, Europe/Berlin)'],
  ['2024-03-10T12:00 America/New_York in Europe/Berlin', '2024-03-10T17:00:00+01:00 (Sunday, Europe/Berlin)'],
  ['2024-03-10 12:00 America/New_York in Europe/Berlin', '2024-03-10T17:00:00+01:00 (Sunday, Europe/Berlin)'],
  ['2024-01-01T00:00:00+05:30', '2024-01-01T00:00:00+05:30 (Monday, +05:30)'],
  ['2024-01-01T00:00:00+0530 in UTC', '2023-12-31T18:30:00+00:00 (Sunday, UTC)'],
  ['2024-01-01T00:00:00.25Z', '2024-01-01T00:00:00.25+00:00 (Monday, UTC)'],
  ['2024-07-01T09:30+02:00[Europe/Berlin]', '2024-07-01T09:30:00+02:00 (Monday, Europe/Berlin)'],
  ['2024-01-01 to 2024-03-01 in days', '60 days (from 2024-01-01 to 2024-03-01)'],
  ['days between 2024-03-01 and 2024-01-01', '-60 days (from 2024-03-01 to 2024-01-01)'],
  ['2024-01-31 to 2024-03-01 in months', '1 month, 1 day (from 2024-01-31 to 2024-03-01)'],
  ['2024-01-01T10:00Z to 2024-01-01T12:30Z', '2 hours, 30 minutes (from 2024-01-01T10:00:00+00:00 to 2024-01-01T12:30:00+00:00)'],
  [
    '2024-01-01T10:00Z to 2024-01-01T12:30Z in days',
    '0 days, 2 hours, 30 minutes (from 2024-01-01T10:00:00+00:00 to 2024-01-01T12:30:00+00:00)',
  ],
  ['today + 1 week to 2024-12-25', '217 days (from 2024-05-22 to 2024-12-25)'],
  ['business days between 2024-05-17 and 2024-05-22', '3 business days (after 2024-05-17, up to and including 2024-05-22)'],
  ['2024-05-22 to 2024-05-17 in business days', '-3 business days (before 2024-05-22, back to and including 2024-05-17)'],
  ['weekday of 2024-02-29', '2024-02-29 is a Thursday'],
  ['weekday of now in Asia/Tokyo', '2024-05-16 is a Thursday'],
])('%s is %s [T17]', async (input, expected) => {
  expect(await text(input)).toBe(expected)
})

test('the value has the parts of the answer as data [T17]', async () => {
  const value = async (input: string) => {
    const result = await tool.call(input)
    return result.ok ? result.value : result.text
  }
  expect(await value('now in Europe/Berlin')).toEqual({
    kind: 'datetime',
    iso: '2024-05-16T00:30:00+02:00',
    zone: 'Europe/Berlin',
    weekday: 'Thursday',
    epochMs: NOW,
  })
  expect(await value('today')).toEqual({ kind: 'date', iso: '2024-05-15', weekday: 'Wednesday' })
  expect(await value('weekday of today')).toEqual({ kind: 'weekday', iso: '2024-05-15', weekday: 'Wednesday' })
  expect(await value('2024-01-01T10:00Z to 2024-01-01T12:30Z')).toEqual({
    kind: 'difference',
    iso: 'PT2H30M',
    unit: 'hours',
    count: 2,
    total: 2.5,
  })
})

describe('when clocks change', () => {
  test('a time that they skip is moved on, and the answer says so [T17]', async () => {
    const result = await tool.call('2024-03-10T02:30 America/New_York')
    const note = '02:30:00 on 2024-03-10 in America/New_York does not exist, the clocks skip it; 2024-03-10T03:30:00 was taken'
    expect(result).toMatchObject({ value: { iso: '2024-03-10T03:30:00-04:00' }, issues: [{ severity: 'warning', message: note }] })
    expect(result.text).toContain(note)
  })

  test('a sum that lands on such a time says so too [T17]', async () => {
    expect(await text('2024-03-09T02:30 America/New_York + 1 day')).toContain(
      '2024-03-10T03:30:00-04:00 (Sunday, America/New_York). Note: ',
    )
  })

  test('of a time that comes twice the first is taken, unless an offset says which [T17]', async () => {
    expect(await text('2024-11-03T01:30 America/New_York')).toMatch(/^2024-11-03T01:30:00-04:00 .*comes twice; the first/)
    expect(await text('2024-11-03T01:30-05:00 America/New_York')).toBe('2024-11-03T01:30:00-05:00 (Sunday, America/New_York)')
    expect(await text('2024-11-03T01:30-05:00[America/New_York] + 0 days')).toBe('2024-11-03T01:30:00-05:00 (Sunday, America/New_York)')
  })

  test('a day is a day and 24 hours are 24 hours [T17]', async () => {
    expect(await text('2024-03-09T12:00 America/New_York + 1 day')).toContain('2024-03-10T12:00:00-04:00')
    expect(await text('2024-03-09T12:00 America/New_York + 24 hours')).toContain('2024-03-10T13:00:00-04:00')
    expect(await text('2024-03-09T12:00 America/New_York to 2024-03-10T12:00 America/New_York in hours')).toContain('23 hours')
  })
})

test.each([
  ['2024-05-22 (Monday)', 12, '2024-05-22 is a Wednesday, not a Monday'],
  ['convert 2024-05-22T10:00Z from UTC to UTC', 27, 'The time names its zone already'],
  ['convert 2024-05-22 from UTC to UTC', 20, 'A date without a time cannot be converted'],
  ['convert now from UTC', 13, 'The time names its zone already'],
  ['convert now', 12, "'to' is expected, not the end"],
  ['', 1, 'Write one, such as now'],
  ['01/02/2024', 1, "'01/02/2024' can be read in two ways (at character 1). Write 2024-02-01 or 2024-01-02."],
  ['1.2.2024 + 1 day', 1, 'Write 2024-02-01 or 2024-01-02.'],
  ['13/02/2024', 1, 'Write 2024-02-13.'],
  ['2024/1/5', 1, 'Write 2024-01-05.'],
  ['Jan 5 2024', 1, 'Write dates as 2024-01-31'],
  ['5 days ago', 1, 'now - 3 days'],
  ['in 3 days', 1, 'now + 3 days'],
  ['12:00', 1, 'Put the day before the time'],
  ['tommorow', 1, "Did you mean 'tomorrow'?"],
  ['nowadays', 1, "Did you mean 'now'?"],
  ['next week', 6, 'today + 1 week'],
  ['2023-02-29', 1, "'2023-02-29' does not exist (at character 1). That month runs from 01 to 28."],
  ['1900-02-29', 1, 'from 01 to 28'],
  ['2024-13-01', 1, 'no valid month'],
  ['2024-01-00', 1, 'does not exist'],
  ['0000-01-01', 1, 'Years run from 0001 to 9999'],
  ['2024-01-01T24:00', 1, '00:00 of the next day'],
  ['2024-01-01T10:60', 1, 'no time of day'],
  ['2024-01-01T10', 1, 'is no date and no time'],
  ['2024-01-01T10:00+99:00', 1, 'no offset'],
  ['2024-01-01T10:00 +05:30', 19, 'right behind the time'],
  ['2024-01-01 + 5 dayz', 16, "Did you mean 'days'?"],
  ['2024-01-01 + 5', 15, 'Units are years, months'],
  ['2024-01-01 + 1.5 days', 14, 'take a smaller unit'],
  ['2024-01-01 + 5 hours', 12, 'Give the time, such as 2024-01-01T00:00.'],
  ['2024-01-01 - 2023-01-01', 14, '<date> to <date> in days'],
  ['2024-01-01 + 1234567890123 days', 14, 'too large'],
  ['2024-01-01 + 9999 years', 12, 'Years run from 0001 to 9999'],
  ['2024-01-01 + 999999999999 years', 12, 'Years run from 0001 to 9999'],
  ['0001-01-01 - 1 business day', 12, 'Years run from 0001 to 9999'],
  ['9999-12-31T23:30Z in Asia/Tokyo', 19, 'Years run from 0001 to 9999'],
  ['now + 2 hours 30 minutes', 15, 'Put + or - before each amount'],
  ['now?', 4, 'What may follow is'],
  ['now in __proto__', 8, "A zone is expected after 'in', not '__proto__'"],
  ['today in __proto__', 10, "A zone is expected after 'in', not '__proto__'"],
  ['now in', 7, "A zone is expected after 'in', not the end"],
  ['now in days', 8, '<date> to <date> in days'],
  ['weekday of 2024-01-01 to 2024-01-02', 23, 'A weekday is that of one date; what may follow it is + or -'],
  ['2024-01-01 to 2024-01-02 to 2024-01-03', 26, 'A difference has two dates and one unit'],
  ['days between 2024-01-01 and 2024-01-02 in weeks', 40, 'A difference has two dates and one unit'],
  ['weekday 2024-01-01', 9, "'of' is expected"],
  ['days between 2024-01-01', 24, "'and' is expected"],
  ['now in PST', 8, "'PST' is an abbreviation"],
  ['now in EST', 8, "'EST' is an abbreviation"],
  ['now in New York', 8, 'Did you mean America/New_York?'],
  ['now in Singapore', 8, 'Did you mean Asia/Singapore?'],
  ['now in Tokio', 8, 'Did you mean Asia/Tokyo?'],
  ['now in Europe/Berln', 8, 'Did you mean Europe/Berlin'],
  ['now in UTC+5', 8, 'Write the offset alone, such as +05:00.'],
  ['2024-03-10T12:00 in Europe/Berlin', 18, 'Write 2024-03-10T12:00:00 Europe/Berlin for that time there'],
  ['2024-01-01 in Europe/Berlin', 12, 'A date without a time cannot be converted'],
  ['2024-01-01 Europe/Berlin', 12, '2024-01-01T00:00 Europe/Berlin'],
  ['2024-07-01T09:30+01:00[Europe/Berlin]', 1, 'The offset +01:00 is not that of Europe/Berlin'],
  ['now to 2024-12-25 in days', 1, 'Take today in place of now'],
  ['hours between 2024-01-01 and 2024-01-02', 15, 'Give both a time'],
  ['now to tomorrow 09:00 in business days', 1, 'Leave the times out'],
  [`now${' + 1 day'.repeat(100)}`, 501, 'The input has 803 characters'],
])('%s is refused with the place and what to write [T17]', async (input, character, words) => {
  const result = await tool.call(input)
  expect(result).toMatchObject({ ok: false, error: { code: 'invalid_input', class: 'input_validation', retryable: false } })
  expect(result.text).toContain(`(at character ${character})`)
  expect(result.text).toContain(words)
  expect(result.ok ? '' : result.error.hint).toContain('2024-01-01 to 2024-03-01 in days')
})

describe('time and zone', () => {
  test('now is that of the call, unless the tool has a clock of its own [T17]', async () => {
    expect((await datetime().call('now', { clock: fakeClock(NOW) })).text).toContain('2024-05-15T22:30:00+00:00')
    expect((await tool.call('now', { clock: fakeClock(0) })).text).toContain('2024-05-15T22:30:00+00:00')
  })

  test('what names no zone is in the zone of the tool [T17]', async () => {
    expect(await text('now', { zone: 'Asia/Tokyo' })).toBe('2024-05-16T07:30:00+09:00 (Thursday, Asia/Tokyo)')
    expect(await text('today', { zone: 'Asia/Tokyo' })).toBe('2024-05-16 (Thursday, Asia/Tokyo)')
    expect(await text('2024-01-01T09:00', { zone: '-08:00' })).toBe('2024-01-01T09:00:00-08:00 (Monday, -08:00)')
  })

  test('a time that names no zone is converted to the one that it is in, and to no other [T17]', async () => {
    const berlin = { zone: 'Europe/Berlin' }
    expect(await text('2024-03-10T12:00 in europe/berlin', berlin)).toBe('2024-03-10T12:00:00+01:00 (Sunday, Europe/Berlin)')
    expect(await text('2024-03-10T12:00 in Z')).toBe('2024-03-10T12:00:00+00:00 (Sunday, UTC)')
    expect(await text('2024-03-10T12:00 in Europe/Rome', berlin)).toContain('2024-03-10T12:00:00 Europe/Berlin in Europe/Rome to convert')
  })

  test.each([['Europe/Berln', 'Did you mean Europe/Berlin'] as const, ['PST', 'abbreviation'] as const])(
    'the zone %s is refused when the tool is made',
    (zone, words) => {
      expect(() => datetime({ zone })).toThrow(expect.objectContaining({ code: 'invalid_option', message: expect.stringContaining(words) }))
    },
  )
})

test('the arguments of a model reach it as they are written [T17]', async () => {
  const { call } = await resolve([tool])
  expect(await call('datetime', '{"input":"2024-01-31 + 1 month"}')).toMatchObject({ ok: true, value: { iso: '2024-02-29' } })
  expect(await call('datetime', '2024-01-31 + 1 month')).toMatchObject({ ok: true, value: { iso: '2024-02-29' } })
})

test('a recorded run replays what time it was', async () => {
  const asked = datetime()
  const when = compound({
    name: 'when',
    description: 'Asks.',
    parts: { asked },
    run: (_input: string, { call }) => call('ask', asked, 'now'),
  })
  const journal = memoryJournal()
  const live = await when.call('', { journal, idempotencyKey: 'r', clock: fakeClock(NOW) })
  const again = await when.call('', { journal: memoryJournal(journal.entries), idempotencyKey: 'r', clock: fakeClock(0) })
  expect([live.text, again.text]).toEqual(Array(2).fill('2024-05-15T22:30:00+00:00 (Wednesday, UTC)'))
})

test('Temporal is loaded by the first call, not by the import', async () => {
  const program = `
    import { registerHooks } from 'node:module'
    const seen = []
    registerHooks({ load: (url, context, next) => (seen.push(url), next(url, context)) })
    const loaded = () => seen.some((url) => url.includes('/temporal-polyfill/'))
    const { datetime } = await import(${JSON.stringify(join(import.meta.dirname, 'datetime.ts'))})
    const made = datetime({ zone: 'Europe/Berlin' })
    const before = loaded()
    await made.call('now')
    console.log(before, loaded())
  `
  const run = await runProgram('node', ['--input-type=module', '--eval', program])
  expect(run.stdout.trim(), run.stderr).toBe('false true')
})
