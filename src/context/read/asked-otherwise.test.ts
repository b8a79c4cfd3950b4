import { describe, expect, test } from 'vitest'
import { estimateTokens } from '../tokens.ts'
import { OutputReader, type ReadQuery } from './output-reader.ts'

const times = <T>(count: number, make: (at: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at))
const read = async (output: string | object, query: ReadQuery): Promise<string> => {
  const given = typeof output === 'string' ? { text: output } : { text: JSON.stringify(output), value: output }
  return (await new OutputReader(given).read(query, { maxTokens: 900, count: estimateTokens })).text
}
const filler = times(40, (at) => `note ${at}: nothing new on that day`)
const among = (...lines: readonly string[]): string => [...filler.slice(0, 20), ...lines, ...filler.slice(20)].join('\n')

describe('a search', () => {
  test.each([
    ['an amount without its marks', '12400', 'The invoice over 12.400,00 EUR is open'],
    ['an amount with other marks', "12'400.00", 'The invoice over 12,400 EUR is open'],
    ['a word without its accents', 'observatorio', 'The Observatório closes'],
    ['a name with other marks', 'payment service', 'The paymentService failed'],
    ['a number of a telephone', '+351 911 599 460', 'Call +351911599460 before noon'],
    ['a day as people say it', '3 November 2026', 'It flooded on 2026-11-03'],
    ['a day as machines write it', '2026-11-03', 'It flooded on Nov 3, 2026'],
    ['a day with its month first', '2026-11-03', 'It flooded on 11/03/2026 at noon'],
    ['another form of the words', 'inspected cranes', 'The inspection of the crane is due'],
    ['a word with a slip', 'harbour maneger', 'The manager of the harbour left'],
  ])('[R4] finds %s', async (_what, query, line) => {
    const text = await read(among(line), { query })
    expect(text).toMatch(/^1 match /)
    expect(text).toContain(line)
  })

  test('[R4] finds words that stand near each other, in several lines of one passage', async () => {
    const passage = ['', 'The crane of the harbour', 'is looked at by the office', 'on 9 December', '']
    expect(await read(among(...passage), { query: 'crane office December' })).toMatch(/^1 match .*all of the words[^]*9 December/)
  })

  test('[R4] finds names with marks as they are written, and says what is written with other capitals', async () => {
    const lines = times(30, (at) => `edge-fra-${at % 3} memory ${at} mb`)
    expect(await read(among(...lines), { query: 'mb edge-fra-2' })).toMatch(/^10 matches in 10 lines[^]*edge-fra-2 memory 2 mb/)
    expect(await read(among('ERROR a', 'ERROR b', 'no Error here'), { query: 'ERROR' })).toMatch(
      /^2 matches in 2 lines; with other capitals 1 match in 1 line\n[^]*no Error here/,
    )
  })

  test('[R4] shows what stands below a heading of a page', async () => {
    const page = `<html><body><h1>Machine</h1><p>It is made of steel.</p><h2>In the box</h2><ul><li>One tamper</li><li>Grinder not included</li></ul><h2>More</h2><p>Later.</p></body></html>`
    expect(await read(page, { query: 'In the box' })).toContain('Grinder not included')
  })

  test('[R4] says of one name that it is not there, although its parts are', async () => {
    expect(await read(among('client_max_body_size 2m;', 'proxy_buffer_size 4k;'), { query: 'client_body_buffer_size' })).toMatch(
      /^0 matches: .* was not found in 42 places\.\n/,
    )
  })

  test('[R4] shows what has some of the words with what is around it', async () => {
    expect(await read(among('', 'Liability', 'It is limited to 2,500,000.', ''), { query: 'liability cap' })).toMatch(
      /^0 matches: .*\n[^]*2,500,000/,
    )
  })

  test('[R4] says of a part of a large record what it belongs to', async () => {
    const series = times(5, (at) => ({
      metric: { instance: `node-${at}` },
      values: times(900, (step) => [step, at === 3 && step === 700 ? 'NaN' : `${step}.5`]),
    }))
    expect(await read({ series }, { query: 'NaN' })).toContain('metric.instance=node-3')
  })

  test('[R4] says of a line in a long section under which headings it stands', async () => {
    const text = ['# Changes', '', ...times(9, (at) => `## ${9 - at}.0.0\n\n### Removed\n\n- Support for Node ${at} was dropped\n`)].join(
      '\n',
    )
    expect(await read(text, { query: 'Node 5' })).toContain('4.0.0 > Removed')
  })
})

describe('a question about a table', () => {
  const orders = {
    orders: times(12, (at) => ({
      id: `A-${at}`,
      country: ['PT', 'SE', 'NG'][at % 3],
      lines: [
        { sku: 'x', amount: at },
        { sku: 'y', amount: 1 },
      ],
    })),
  }

  test('[R4] knows the rows that a table belongs to', async () => {
    expect(await read(orders, { aggregate: { where: { country: 'PT' }, sum: 'amount' } })).toContain('sum of amount 22')
  })

  test('[R4] puts the groups first that were asked for', async () => {
    const value = times(90, (at) => ({ team: `t${at % 30}`, points: at % 30 === 29 ? 500 : 1 }))
    const [, first] = (await read({ value }, { aggregate: { groupBy: 'team', sum: 'points' } })).split('\n')
    expect(first).toBe('t29: sum of points 1500 (3 rows)')
  })

  test.each([
    ['a value with more around it', { where: { state: 'BLOCKED' }, count: true }, /^rows: 0 of 24 rows, no rows match\n[^]*count 12$/],
    [
      'a value that stands in another column',
      { where: { phase: 'blocked (on monitor)' }, count: true },
      /'state' for 'phase'[^]*count 12\n/,
    ],
    ['another word for a column', { sum: 'price paid' }, /'net_total' for 'price paid'[^]*sum of net_total 276/],
    ['a table by another name', { table: 'threads', sum: 'net_total' }, /^There is no table 'threads'[^]*sum of net_total 276/],
    [
      'what is not there',
      { where: { state: 'dead' }, count: true },
      /no rows match\ncount 0\nstate has: RUNNABLE 12, BLOCKED \(on monitor\) 12$/,
    ],
    ['days, with their months', { groupBy: 'on', sum: 'net_total' }, /^rows: .*\nby month:\n2026-12: sum of net_total 210 \(12 rows\)\n/],
    ['names, with what is before their numbers', { groupBy: 'pool' }, /by name without numbers:\nexec: count 16\nmail: count 8\n/],
  ])('[R4] answers %s', async (_what, question, expected) => {
    const rows = times(24, (at) =>
      [
        `2026-${at < 12 ? 11 : 12}-${10 + (at % 12)}`,
        `${at % 3 === 0 ? 'mail' : 'exec'}-${at}`,
        at % 2 === 0 ? 'RUNNABLE' : 'BLOCKED (on monitor)',
        at,
      ].join(','),
    )
    expect(await read(['on,pool,state,net_total', ...rows].join('\n'), { aggregate: question })).toMatch(expected)
  })

  test('[R4] groups by parts of a time', async () => {
    const value = times(48, (at) => ({ at: `2026-11-${at < 12 ? '03' : '04'}T${String(at % 24).padStart(2, '0')}:00:00Z`, n: at }))
    expect(await read({ value }, { aggregate: { groupBy: 'day' } })).toMatch(/2026-11-04: count 36[^]*2026-11-03: count 12/)
  })

  test('[R4] compares spans of time', async () => {
    const rows = ['job,elapsed', ...times(12, (at) => `j${at},0${at % 10}:10:00`), 'long,2-03:19:05', 'short,00:00:07']
    expect(await read(rows.join('\n'), { aggregate: { max: 'elapsed' } })).toContain('job=long')
  })

  test('[R4] knows how long something lasts by its beginning and its end', async () => {
    const value = times(12, (at) => ({ name: `e${at}`, DTSTART: '20260804T010000Z', DTEND: `20260804T01${at === 5 ? 59 : 10 + at}00Z` }))
    expect(await read({ value }, { aggregate: { max: 'duration' } })).toMatch(/max of duration 3540 in name=e5/)
  })

  test('[R4] reads the number in a text, and no number in a dash', async () => {
    const value = times(12, (at) => ({ file: `plan-${at}.pdf (${at * 10} kB)`, granted: at % 2 === 0 ? '–' : `${at},500` }))
    expect(await read({ value }, { aggregate: { sum: 'file' } })).toContain('sum of file 660')
    expect(await read({ value }, { aggregate: { top: 'granted' } })).toContain('largest granted: file=plan-11.pdf')
  })

  test('[R4] reads lines where there is no column for what they say', async () => {
    const log = times(
      40,
      (at) => `2026-11-03 10:00:${10 + at} LOG: ${at % 4 === 0 ? `temporary file: size ${at}` : 'checkpoint complete'}`,
    ).join('\n')
    expect(await read(log, { aggregate: { where: { message: { contains: 'temporary file' } }, sum: 'size' } })).toContain('sum of size 180')
  })
})

test('[R4] a question about a long table is answered in steps that grow with the table, not with its square', async () => {
  const rows = times(40_000, (at) => ({ at: new Date(1_700_000_000_000 + at * 60_000).toISOString(), size: at % 7, kind: `k${at % 3}` }))
  expect(await read({ rows }, { aggregate: { sum: 'size' } })).toContain('sum of size 119995')
  expect(await read({ rows }, { aggregate: { distinct: 'day' } })).toContain('29 different day')
  expect(await read({ rows }, { aggregate: { groupBy: 'kind', max: 'hour' } })).toContain('max of hour')
})
