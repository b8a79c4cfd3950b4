import { describe, expect, test } from 'vitest'
import { estimateTokens } from '../tokens.ts'
import { OutputReader, type ReadQuery } from './output-reader.ts'

const orders = Array.from({ length: 300 }, (_, at) => ({
  id: `A-${at}`,
  status: at % 50 === 7 ? 'late' : at % 3 === 0 ? 'open' : 'paid',
  total: at / 4,
  city: ['Delft', 'Gent', 'Lyon'][at % 3],
}))
const reader = new OutputReader({ text: JSON.stringify({ orders }), value: { orders } })
const read = async (query: ReadQuery, from = reader): Promise<string> =>
  (await from.read(query, { maxTokens: 600, count: estimateTokens })).text

describe('a stored output', () => {
  test('[R4] a search tells how often, and shows the records', async () => {
    expect(await read({ query: 'A-123' })).toBe(
      '1 match in 1 record\norders[123]: {"id":"A-123","status":"open","total":30.75,"city":"Delft"}',
    )
    expect(await read({ query: 'LATE' })).toMatch(/^6 matches in 6 records\n/)
    expect(await read({ query: 'otters' })).toBe("0 matches: 'otters' was not found in 300 places.")
  })

  test('[R4] a query that is too long says how much of it was looked for', async () => {
    const text = await read({ query: `A-12 ${'x'.repeat(600)}` })
    expect(text).toMatch(/^Only the first 500 characters of the query were looked for/)
    expect(await read({ query: 'x'.repeat(500) })).toMatch(/^0 matches: 'x{60}…' was not found in 300 places\.$/)
  })

  test('[R4] of more hits than fit, it says what they have in common', async () => {
    const text = await read({ query: 'paid' })
    expect(text).toMatch(/^\d+ matches in \d+ records\n/)
    expect(text).toContain('status: paid')
    expect(text).toMatch(/… \d+ more\norders\[299\]: .*$/)
    expect(estimateTokens(text)).toBeLessThanOrEqual(620)
  })

  test('[R4] words that do not stand together are found in the records that have them', async () => {
    const chat = new OutputReader({ text: 'ana: the keys of the archive are in Delft\nbob: thanks\nana: the porter has the list' })
    expect(await read({ query: 'archive keys' }, chat)).toContain('the keys of the archive are in Delft')
  })

  test('[R4] a path is JMESPath; one that is wrong says where', async () => {
    expect(await read({ path: "orders[?status=='late'].id" })).toBe('["A-7","A-57","A-107","A-157","A-207","A-257"]')
    expect(await read({ path: 'orders[0].nothing' })).toMatch(/^null: the path names nothing in this output\. It has: orders/)
    expect(await read({ path: 'orders[?' })).toContain('character')
    expect(await read({ path: 'orders' })).toMatch(/^300 items, too much for one answer; an outline:/)
  })

  test('[R4] a path that doubles its answer with every step is refused before the answer is written', async () => {
    const doubled = (times: number): string => Array.from({ length: times }, () => '[@, @]').join(' | ')
    expect(await read({ path: doubled(40) })).toContain('takes too long to make')
    expect(await read({ path: `${doubled(2)} | length(@)` })).toBe('2')
    expect(await read({ path: doubled(2) })).toContain('too much for one answer; an outline:')
  })

  test('[R4] a condition with a long list of values is read once, not for every row', async () => {
    const values = Array.from({ length: 50_000 }, (_, at) => `A-${3 * at}`)
    const value = Array.from({ length: 5000 }, (_, at) => ({ id: `A-${at}`, total: at }))
    const rows = new OutputReader({ text: JSON.stringify(value), value })
    expect(await read({ aggregate: { where: { id: { in: values } }, count: true } }, rows)).toContain('count 1667')
    expect(await read({ aggregate: { where: { total: { in: ['7', 8, null] } }, count: true } }, rows)).toContain('count 2')
  })

  test('[R4] an aggregate counts and adds over all rows', async () => {
    const late = orders.filter(({ status }) => status === 'late')
    expect(await read({ aggregate: { where: { status: 'late' }, sum: 'total', count: true } })).toBe(
      `orders[]: 6 of 300 rows\ncount 6\nsum of total ${late.reduce((sum, { total }) => sum + total, 0)}`,
    )
    expect(await read({ aggregate: { groupBy: 'city', max: 'total', where: { total: { gt: 70 } } } })).toContain(
      'Lyon: max of total 74.75 in id=A-299',
    )
    expect(await read({ aggregate: { sum: 'totl' } })).toMatch(
      /^There is no column 'totl'\. Did you mean 'total'\?\nWith 'total' for 'totl':\norders\[\]: 300 of 300 rows\nsum of total 11212\.5\nNumbers that there are:\nmax of total in orders\[\]: 74\.75, id=A-299.*\nTables:\norders\[\] \(300 rows\)/,
    )
    expect(await read({ aggregate: { distinct: 'city' } })).toContain('3 different city: Delft, Gent, Lyon')
  })

  test('[R4] a column in the words of the question is found; else the nearest numbers and values are said', async () => {
    const suites = [
      { name: 'fast', time: 9, cases: [{ name: 'a', time: 1 }] },
      {
        name: 'slow',
        time: 8,
        cases: [
          { name: 'b', time: 5 },
          { name: 'c', time: 5 },
        ],
      },
    ]
    const report = new OutputReader({ text: JSON.stringify({ suites }), value: { suites } })
    expect(await read({ aggregate: { max: 'time of cases' } }, report)).toContain(
      'max of time of cases 5 in name=b, time=5 (of name=slow, time=8); 2 rows have it, the last one: name=c, time=5 (of name=slow, time=8)',
    )
    expect(await read({ aggregate: { max: 'price' } })).toMatch(
      /There is no column 'price'.*\nWith 'total' for 'price':\n(?:.*\n){2}Numbers that there are:\nmax of total in orders\[\]: 74\.75/,
    )
    expect(await read({ aggregate: { groupBy: 'place' } })).toMatch(
      /Values that there are:\n(?:.*\n)*city in orders\[\]: Delft 100, Gent 100, Lyon 100/,
    )
    expect(await read({ aggregate: { max: 'length of status' } })).toContain('max length of status in orders[]: 4 characters, id=A-0')
  })

  test('[R4] a hit in a record of a text is shown with the record', async () => {
    const text = Array.from(
      { length: 8 },
      (_, at) => `---\nkind: Service\nmetadata:\n  name: s${at}\nspec:\n  image: reg/s${at}:1.${at}\n  port: ${at}`,
    )
    const hit = await read({ query: 'name: s3' }, new OutputReader({ text: text.join('\n') }))
    expect(hit).toContain('Service s3')
    expect(hit).toContain('image: reg/s3:1.3')
    expect(hit).not.toContain('reg/s4')
  })

  test('[R4] the top of numbers are the largest with their rows; pages of one list count together', async () => {
    expect(await read({ aggregate: { top: 'total' } })).toContain('largest total: id=A-299, status=paid, total=74.75, city=Lyon')
    const page = (name: string, from: number): string =>
      `# ${name}\n\nArt    Pack  Stock\na-${from}     10  ${from}00\nb-${from}      5   ${from}0\nc-${from}      5   ${from}0`
    const list = new OutputReader({ text: `${page('Valves', 1)}\n\n${page('Pipes', 2)}` })
    expect(await read({ aggregate: { sum: 'Stock' } }, list)).toBe('Valves and 1 more with the same columns: 6 of 6 rows\nsum of Stock 360')
    expect(await read({ aggregate: { table: 'Pipes', sum: 'Stock' } }, list)).toBe('Pipes: 3 of 3 rows\nsum of Stock 240')
  })

  test('[R4] sums lose no digit', async () => {
    const value = Array.from({ length: 10 }, () => ({ a: 0.1, b: 'x' }))
    expect(await read({ aggregate: { sum: 'a' } }, new OutputReader({ text: '', value }))).toContain('sum of a 1')
    const text = 'k,n\na,9007199254740993\nb,9007199254740993\nc,1'
    expect(await read({ aggregate: { sum: 'n' } }, new OutputReader({ text }))).toContain('sum of n 18014398509481987')
  })

  test('[R4] a range is lines of a text, and records of data', async () => {
    expect(await read({ range: [2, 3] }, new OutputReader({ text: 'one\ntwo\nthree\nfour' }))).toBe('two\nthree')
    expect(await read({ range: [2, 2] })).toBe('orders[1]: {"id":"A-1","status":"paid","total":0.25,"city":"Gent"}')
    expect(await read({ range: [900, 901] })).toBe('There are 300 records.')
  })
})
