import { describe, expect, test } from 'vitest'
import { estimateTokens } from '../tokens.ts'
import { OutputReader, type ReadQuery } from './output-reader.ts'

const times = <T>(count: number, make: (at: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at))
const read = async (output: string | object, query: ReadQuery): Promise<string> => {
  const given = typeof output === 'string' ? { text: output } : { text: JSON.stringify(output), value: output }
  return (await new OutputReader(given).read(query, { maxTokens: 900, count: estimateTokens })).text
}

describe('search results', () => {
  const verbs = ['How to tune', 'Understanding', 'Common mistakes with', 'Notes on']
  const topics = ['vacuum', 'index rebuild', 'replication lag', 'lock contention', 'freeze']
  const hosts = ['docs.guide.example', 'blog.example', 'wiki.example']
  const results = times(
    40,
    (at) =>
      `${at + 1}. ${verbs[at % 4]} ${topics[at % 5]} in databases\n   https://${hosts[at % 3]}/a/${900 + at}\n   2025-0${1 + (at % 9)}-1${at % 7} · relevance 0.${900 - at}\n   We saw ${['a table', 'the log', 'one more index'][at % 3]} grow by ${at} percent${at % 4 === 0 ? ' within a week' : ''}.\n`,
  )
  const page = `About 1,200 results for "vacuum" (0.4 seconds)\n\n${results.join('\n')}`

  test('[R4] are counted without the line above them', async () => {
    expect(await read(page, { aggregate: { count: true } })).toContain('records: 40 of 40 rows')
  })

  test.each(['site', 'host', 'domain'])('[R4] are counted by the %s of their links', async (groupBy) => {
    expect(await read(page, { aggregate: { count: true, groupBy } })).toContain('docs.guide.example: count 14')
  })

  test('[R4] files are counted by their folders', async () => {
    const files = times(20, (at) => ({ path: `src/${['http', 'db'][at % 2]}/file-${at}.ts`, size: at }))
    expect(await read({ files }, { aggregate: { groupBy: 'folder', sum: 'size' } })).toContain('src/db: sum of size 100 (10 rows)')
  })
})

describe('samples below the thing that was measured', () => {
  const result = ['web', 'db'].map((host, at) => ({
    metric: { host },
    values: times(60 - 9 * at, (step) => [1_760_000_000 + 60 * step, String(at + (step % 2))]),
  }))

  test('[R4] are counted for each of them', async () => {
    const text = await read({ result }, { aggregate: { count: true, groupBy: 'host' } })
    expect(text).toContain('result[].values[]: 111 of 111 rows in 2 groups\nweb: count 60\ndb: count 51')
  })

  test('[R4] are compared by their names', async () => {
    expect(await read({ result }, { aggregate: { avg: 'value', groupBy: 'host' } })).toContain('web: mean of value 0.5 (60 rows)')
  })
})

test('[R4] a count in brackets on a page is a number', async () => {
  const cards = times(9, (at) => `<li class="card"><h3 class="title">Tent ${at}</h3><span class="count">(${(at * 7) % 20})</span></li>`)
  expect(await read(`<html><body><ul>${cards.join('\n')}</ul></body></html>`, { aggregate: { max: 'count' } })).toContain('Tent 8')
})
