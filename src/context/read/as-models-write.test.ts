import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { estimateTokens } from '../tokens.ts'
import { OutputReader, type ReadQuery } from './output-reader.ts'

const times = <T>(count: number, make: (at: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at))
const readerOf = (output: string | object): OutputReader =>
  new OutputReader(typeof output === 'string' ? { text: output } : { text: JSON.stringify(output), value: output })
const read = async (output: string | object, query: ReadQuery): Promise<string> =>
  (await readerOf(output).read(query, { maxTokens: 900, count: estimateTokens })).text

const orders = {
  orders: times(60, (at) => ({
    orderId: `ORD-${5000 + at}`,
    createdAt: new Date(Date.UTC(2026, 9, 1, 0, at * 700)).toISOString(),
    country: ['PT', 'SE', 'NG'][at % 3],
    status: ['SHIPPED', 'PENDING'][at % 2],
    total: at,
    qty: 1 + (at % 4),
    items: times(1 + (at % 3), (item) => ({ sku: `S-${item}`, price: 2.5 })),
  })),
}
const created = orders.orders.map(({ createdAt }) => createdAt)
const counted = (isMeant: (at: number) => boolean): number => times(60, (at) => at).filter(isMeant).length

describe('a condition', () => {
  const WRITTEN = {
    gt: ['gt', '>', '$gt', 'greaterThan', 'after', 'above'],
    gte: ['gte', '>=', '$gte', 'min', 'from'],
    lt: ['lt', '<', 'lessThan', 'before', 'below'],
    lte: ['lte', '<=', '$lte', 'until', 'max'],
    is: ['eq', '==', 'equals', 'is'],
    not: ['not', '!=', '<>', 'ne', '$ne', 'not_equals'],
  }
  const HOLDS = {
    gt: (a: number, b: number) => a > b,
    gte: (a: number, b: number) => a >= b,
    lt: (a: number, b: number) => a < b,
    lte: (a: number, b: number) => a <= b,
    is: (a: number, b: number) => a === b,
    not: (a: number, b: number) => a !== b,
  }

  test('[R4] chooses the same rows however its comparison is written', async () => {
    const kinds = fc.constantFrom('gt' as const, 'gte' as const, 'lt' as const, 'lte' as const, 'is' as const, 'not' as const)
    const cases = kinds.chain((kind) => fc.tuple(fc.constant(kind), fc.constantFrom(...WRITTEN[kind]), fc.integer({ min: 0, max: 59 })))
    const reader = readerOf(orders)
    await fc.assert(
      fc.asyncProperty(cases, fc.boolean(), async ([kind, written, bound], isText) => {
        const aggregate = { where: { total: { [written]: isText ? String(bound) : bound } }, count: true }
        const { text } = await reader.read({ aggregate }, { maxTokens: 900, count: estimateTokens })
        expect(text).toMatch(new RegExp(`\\ncount ${counted((at) => HOLDS[kind](at, bound))}(?:\\n|$)`))
      }),
      { numRuns: 100 },
    )
  })

  test.each([
    ['a text with a comparison', { total: '>= 50' }, counted((at) => at >= 50)],
    ['a list', { country: ['PT', 'SE'] }, 40],
    ['a list that must not be', { country: { notIn: ['PT', 'SE'] } }, 20],
    ['a beginning', { orderId: { startsWith: 'ORD-501' } }, 10],
    ['an end', { orderId: { endsWith: '7' } }, 6],
    ['a pattern', { orderId: { matches: 'ORD-50[0-9]5' } }, 6],
    ['stars', { orderId: 'ORD-502*' }, 10],
    ['a part of several', { status: { contains: ['ship', 'lost'] } }, 30],
    ['what it lacks', { status: { notContains: 'SHIP' } }, 30],
    ['bounds on both sides', { total: { between: [10, 19] } }, 10],
    ['a day', { createdAt: '2026-10-03' }, created.filter((each) => each.startsWith('2026-10-03')).length],
    ['a month', { createdAt: '2026-10' }, created.filter((each) => each.startsWith('2026-10')).length],
    ['up to the end of a day', { createdAt: { lte: '2026-10-03' } }, created.filter((each) => each < '2026-10-04').length],
    ['a time of day', { createdAt: { gte: '06:00', lt: '12:00' } }, created.filter((each) => /T(?:0[6-9]|1[01])/.test(each)).length],
  ])('[R4] of %s counts the rows that it means', async (_what, where, count) => {
    expect(count).toBeGreaterThan(0)
    expect(await read(orders, { aggregate: { where, count: true } })).toBe(`orders[]: ${count} of 60 rows\ncount ${count}`)
  })

  test('[R4] may be one of the values of a list', async () => {
    const value = times(12, (at) => ({ id: at, langs: at % 3 === 0 ? ['ts', 'go'] : ['ts'] }))
    expect(await read({ value }, { aggregate: { where: { langs: 'go' }, count: true } })).toBe('value[]: 4 of 12 rows\ncount 4')
    expect(await read({ value }, { aggregate: { where: { langs: 'ts' }, count: true } })).toBe('value[]: 12 of 12 rows\ncount 12')
    expect(await read({ value }, { aggregate: { groupBy: 'langs' } })).toContain('each value by itself: ts 12, go 4')
  })

  test('[R4] that nobody understands chooses no rows, and says so', async () => {
    expect(await read(orders, { aggregate: { where: { total: { near: 5 } }, count: true } })).toMatch(
      /^In where, 'near' of 'total' is not understood, so no rows were chosen\./,
    )
  })

  test('[R4] compares spans and sizes by their units, and moments with numbers of seconds', async () => {
    const rows = times(30, (at) => `j${at},${at % 2 === 0 ? `${1 + at}m 10s` : `${1 + at}h 5m`},${1_773_014_400 + at * 3600}`)
    const csv = ['job,took,at', ...rows].join('\n')
    expect(await read(csv, { aggregate: { where: { took: { gt: '30m' } }, count: true } })).toContain('count 15')
    expect(await read(csv, { aggregate: { where: { at: { gte: '2026-03-09T10:00:00Z' } }, count: true } })).toContain('count 20')
    expect(await read(csv, { aggregate: { groupBy: 'day', count: true } })).toMatch(/2026-03-09: count 24\n2026-03-10: count 6$/)
  })
})

describe('a column', () => {
  test.each([
    ['day of createdAt', { groupBy: 'day of createdAt' }, `2026-10-01: count 3`],
    ['createdAt.month', { groupBy: 'createdAt.month' }, '2026-10: count 60'],
    ['date(createdAt)', { groupBy: 'date(createdAt)' }, `2026-10-02: count 2`],
    ['two together', { groupBy: 'country, status' }, 'PT, SHIPPED: count 10'],
    ['two together, in words', { groupBy: 'country and status', sum: 'total' }, 'PT, SHIPPED: sum of total 270 (10 rows)'],
    ['computed', { sum: 'qty * total' }, `sum of qty * total ${times(60, (at) => at * (1 + (at % 4))).reduce((a, b) => a + b)}`],
    ['how many rows are below', { max: 'number of items' }, 'max of number of items 3 in orderId=ORD-5002'],
    [
      'shortened',
      { sum: 'quantity', where: { quantity: 4 } },
      "With 'qty' for 'quantity':\norders[]: 15 of 60 rows\nsum of quantity 60".replace('sum of quantity', 'sum of qty'),
    ],
  ])('[R4] may be %s', async (_what, aggregate, answer) => {
    expect(await read(orders, { aggregate })).toContain(answer)
  })

  test('[R4] is told where it is not the one that was named', async () => {
    const value = times(9, (at) => ({ id: at, customer: { name: `c${at % 2}` } }))
    expect(await read({ value }, { aggregate: { groupBy: 'customer' } })).toMatch(
      /^value\[\]: 9 of 9 rows; 'customer' read as customer\.name in 2 groups/,
    )
  })

  test('[R4] that the chosen lines of a log do not have is read in their words', async () => {
    const line = (at: number): string =>
      at % 3 === 0
        ? `Nov 17 04:${10 + at}:40 mx2 postfix/qmgr[${at}]: A${at}: from=<a@x.example>, size=${at}`
        : `Nov 17 04:${10 + at}:40 mx2 sshd[${at}]: Failed password for ${at % 2 === 0 ? 'root' : 'invalid user pi'} from 10.0.0.${at % 2} port 22`
    const log = times(45, line).join('\n')
    expect(await read(log, { aggregate: { where: { message: { contains: 'Failed password' } }, groupBy: 'from' } })).toMatch(
      /10\.0\.0\.\d: count 15\n10\.0\.0\.\d: count 15$/,
    )
    expect(await read(log, { aggregate: { groupBy: 'component' } })).toContain('sshd: count 30\npostfix/qmgr: count 15')
  })
})

describe('a path', () => {
  test.each([
    ['Orders[0].orderid', 'Read as orders[0].orderId:\nORD-5000'],
    ['$.orders[3].orderId', 'Read as orders[3].orderId:\nORD-5003'],
    ['.orders[3].orderId', 'Read as orders[3].orderId:\nORD-5003'],
    ['orders[?status=="PENDING"] | length(@)', "Read as orders[?status=='PENDING'] | length(@):\n30"],
    ['orders[?total > 57].orderId', 'Read as orders[?total > `57`].orderId:\n["ORD-5058","ORD-5059"]'],
    ["orders[?country='PT' and total>57].orderId | length(@)", "Read as orders[?country=='PT' && total>`57`].orderId | length(@):\n0"],
    ['orders.length', 'Read as orders | length(@):\n60'],
    ["[?orderId=='ORD-5007'].total", "Read as orders[?orderId=='ORD-5007'].total:\n[7]"],
    ['orders[0].orderId', 'ORD-5000'],
    ['orders[0].nothing', 'null: the path names nothing in this output. It has: orders.'],
  ])('[R4] %s is read as it is meant', async (path, answer) => {
    expect(await read(orders, { path })).toBe(answer)
  })

  test('[R4] compares numbers of an XML text', async () => {
    const xml = `<all>${times(9, (at) => `<suite name="s${at}" failures="${at === 4 ? 3 : 0}"><case n="1"/></suite>`).join('')}</all>`
    expect(await read(xml, { path: 'all.suite[?failures > `0`].name' })).toContain('["s4"]')
  })

  test('[R4] may ask for the lines of a text', async () => {
    const log = times(30, (at) => `2026-11-03 10:00:${10 + at} ${at === 7 ? 'ERROR' : 'INFO'} job ${at} ended`).join('\n')
    expect(await read(log, { path: "lines[?contains(@, 'ERROR')]" })).toBe('["2026-11-03 10:00:17 ERROR job 7 ended"]')
  })
})

describe('a query', () => {
  const log = times(40, (at) => `2026-11-03 10:00:${10 + at} ${at % 8 === 0 ? 'WARN' : 'INFO'} stock of SKU-${at % 5} is ${at}`).join('\n')

  test.each([
    ['two texts', 'SKU-1 is 1|SKU-2 is 2', /^6 matches .*as a pattern/],
    ['two words', 'is 38 OR is 39', /^2 matches .*as a pattern/],
    ['text between', 'WARN.*SKU-[0-9]', /^5 matches .*as a pattern/],
    ['digits', String.raw`is 3\d$`, /^10 matches .*as a pattern/],
    ['the name of a column', 'level=WARN', /^5 matches in 5 lines \(as 'WARN': the rest is the name of a column\)/],
  ])('[R4] may have %s', async (_what, query, head) => {
    expect(await read(log, { query })).toMatch(head)
  })

  test('[R4] a pattern that fits nowhere ends', async () => {
    const text = times(200, () => 'a'.repeat(900)).join('\n')
    for (const query of ['a.*a.*a.*a.*a.*a.*b', String.raw`\w+\w+\w+\w+\w+b`, '(a|a)+.*b.*c', String.raw`.*.*.*.*b\d`])
      expect(await read(text, { query })).toMatch(/^0 matches/)
  })
})
