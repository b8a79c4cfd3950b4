import { describe, expect, test } from 'vitest'
import { estimateTokens } from '../tokens.ts'
import { phraseTable } from './phrase-table.ts'
import { OutputReader, type ReadQuery } from './output-reader.ts'

const times = <T>(count: number, make: (at: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at))
const read = async (output: string | object, query: ReadQuery): Promise<string> => {
  const given = typeof output === 'string' ? { text: output } : { text: JSON.stringify(output), value: output }
  return (await new OutputReader(given).read(query, { maxTokens: 900, count: estimateTokens })).text
}

/** Paragraphs that no table is made of, each with values named in words. */
const plans = times(30, (at) =>
  [
    `The planner chose step ${at} because nothing better was known to it at that time.`,
    `  Seq Scan on ${['orders', 'events', 'users'][at % 7 < 4 ? 0 : at % 7 < 6 ? 1 : 2]} was what it did`,
    `    Rows Removed by Filter: ${at === 17 ? 99_001 : at * 10}`,
    `It ended after ${at === 4 ? 812.5 : at} ms, as far as anybody can tell.`,
  ].join('\n'),
).join('\n\n')

describe('what the lines of a text name in words', () => {
  test('[R4] is compared like a column, with its line and what stands above it', async () => {
    const text = await read(plans, { aggregate: { max: 'Rows Removed by Filter' } })
    expect(text).toContain('99001')
    expect(text).not.toContain('There is no column')
    const table = phraseTable({ lines: plans.split('\n') }, ['rows removed by filter'], () => true)
    expect([table?.rows, table?.cell(17, 'rows removed by filter')]).toEqual([30, '99001'])
    expect(table?.cell(17, 'below')).toMatch(/^Seq Scan on \w+/)
  })

  test('[R4] a number stands before its unit', async () => {
    expect(await read(plans, { aggregate: { max: 'ms' } })).toContain('812.5')
  })

  test('[R4] groups are made of the words behind it', async () => {
    expect(await read(plans, { aggregate: { groupBy: 'Seq Scan on', count: true } })).toMatch(
      /orders: count 18\nevents: count 8\nusers: count 4/,
    )
  })

  test('[R4] a search says how its hits go on', async () => {
    expect(await read(plans, { query: 'Seq Scan on' })).toContain('It goes on with: orders 18, events 8, users 4')
  })

  test('[R4] what is in no line is still answered with the columns that there are', async () => {
    expect(await read(plans, { aggregate: { max: 'altitude' } })).toContain('There is no column')
  })
})

test('[R4] a condition finds the column that has its value, beside that of the code', async () => {
  const rows = times(20, (at) => ({ id: `R-${at}`, state: { code: at % 4 === 0 ? 'OP' : 'CL', label: at % 4 === 0 ? 'open' : 'closed' } }))
  expect(await read(rows, { aggregate: { where: { state: 'open' }, count: true } })).toContain('5 of 20 rows')
  expect(await read(rows, { aggregate: { groupBy: 'state', count: true } })).toContain('closed: count 15')
})

test('[R4] numbers that were to be added are shown as sums where the column is not there', async () => {
  const rows = times(20, (at) => ({ id: `R-${at}`, weight: 2 * at }))
  expect(await read(rows, { aggregate: { sum: 'samples taken' } })).toContain(
    'max of weight in []: 38, id=R-19, weight=38; sum 380 over 20 rows',
  )
})
