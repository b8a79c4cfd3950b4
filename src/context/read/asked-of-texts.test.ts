import { describe, expect, test } from 'vitest'
import { estimateTokens } from '../tokens.ts'
import { OutputReader, type ReadQuery } from './output-reader.ts'

const times = <T>(count: number, make: (at: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at))
const read = async (output: string | object, query: ReadQuery): Promise<string> => {
  const given = typeof output === 'string' ? { text: output } : { text: JSON.stringify(output), value: output }
  return (await new OutputReader(given).read(query, { maxTokens: 900, count: estimateTokens })).text
}
const csv = ['id,city,total', ...times(40, (at) => `A-${at},${['Delft', 'Gent'][at % 2]},${at}.50`)].join('\n')

describe('a path', () => {
  test.each([
    ["orders[?city=='Delft'] | length(@)", '20'],
    ["[?city=='Delft'] | length(@)", '20'],
    ['orders[?total > `38`].id', '["A-38","A-39"]'],
  ])('[R4] %s finds rows that were read out of a text', async (path, answer) => {
    expect(await read(csv, { path })).toBe(`In the rows of rows:\n${answer}`)
  })

  test('[R4] that names nothing is told what there is', async () => {
    expect(await read({ orders: [], page: 1 }, { path: 'order.id' })).toBe(
      'null: the path names nothing in this output. It has: orders, page.',
    )
  })
})

describe('an aggregate', () => {
  const orders = { orders: times(12, (at) => ({ id: `A-${at}`, lines: times(1 + (at % 3), (line) => ({ sku: `S${line}`, qty: at })) })) }

  test('[R4] by the name of what the rows belong to', async () => {
    expect(await read(orders, { aggregate: { groupBy: 'order', sum: 'qty' } })).toContain('\nA-11: sum of qty 33 (3 rows)\n')
    expect(await read(orders, { aggregate: { table: 'lines', groupBy: 'order', count: true } })).toContain('A-11: count 3')
  })

  test('[R4] over spans and sizes in several units', async () => {
    const pods = ['45h', '3d12h', '12m', '397d', '5h'].map((age, at) => ({ name: `p${at}`, age }))
    expect(await read(pods, { aggregate: { max: 'age' } })).toContain('max of age 397d in name=p3')
    expect(await read(pods, { aggregate: { where: { name: { in: ['p0', 'p2'] } }, sum: 'age' } })).toContain('sum of age 162720')
  })
})

test('[R4] a hit in encoded data is shown with the record that has them', async () => {
  const payload = (at: number): string => Buffer.from(JSON.stringify({ amount: at, currency: at === 7 ? 'CHF' : 'EUR' })).toString('base64')
  const text = await read({ deliveries: times(20, (at) => ({ id: `d-${at}`, payload: payload(at) })) }, { query: '"currency":"CHF"' })
  expect(text).toMatch(/^1 match in 1 record \(decoded\)\n/)
  expect(text).toContain('"id":"d-7"')
  expect(text).toContain('"amount":7')
})
