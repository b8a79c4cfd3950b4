import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type LocalSite, localSite } from '../../../../test/fixtures/web/local-site.ts'
import { fakeClock } from '../../../testing/fake-clock.ts'
import { brave } from './brave.ts'
import { localSearch } from './local-search.ts'
import type { SearchPage, SearchProvider, SearchQuery } from './search-provider.ts'
import { searxng } from './searxng.ts'
import { tavily } from './tavily.ts'
import { webSearch, type WebSearchInput } from './web-search.ts'

/** One server that speaks the formats of all three services. */
let engine: LocalSite
let answer: unknown
let status = 200

beforeAll(async () => {
  engine = await localSite((_request, response) =>
    response
      .writeHead(status, { 'content-type': 'application/json', ...(status === 429 ? { 'retry-after': '3' } : {}) })
      .end(JSON.stringify(answer)),
  )
})
beforeEach(() => {
  engine.seen.length = 0
  status = 200
})
afterAll(() => engine.close())

const KEY = 'key-0123456789'
const secrets = { get: () => KEY }
const access = { privateHosts: ['127.0.0.1'] }
const query: WebSearchInput = {
  query: 'otters',
  count: 2,
  page: 2,
  includeDomains: ['a.example', 'b.example'],
  excludeDomains: ['c.example'],
  recency: 'week',
}

describe('tavily', () => {
  const hit = (number: number): unknown => ({
    title: `Title ${number}`,
    url: `https://a.example/${number}`,
    content: `Snippet ${number}`,
    score: 0.9,
    published_date: '2026-11-01',
    raw_content: null,
  })

  test('is asked in its format, with the key in a header, and its results are read [T17]', async () => {
    answer = { query: 'otters', results: [1, 2, 3, 4].map(hit), response_time: 1.2 }
    const result = await webSearch({ provider: tavily({ url: engine.url, access }) }).call(query, { secrets })
    expect(engine.seen[0]).toMatchObject({ method: 'POST', url: '/search', headers: { authorization: `Bearer ${KEY}` } })
    expect(JSON.parse(engine.seen[0]?.body ?? '')).toEqual({
      query: 'otters',
      max_results: 4,
      include_domains: ['a.example', 'b.example'],
      exclude_domains: ['c.example'],
      time_range: 'week',
    })
    expect(result).toMatchObject({
      value: {
        page: 2,
        more: true,
        provider: 'tavily',
        results: [
          { title: 'Title 3', url: 'https://a.example/3', snippet: 'Snippet 3', source: 'a.example', published: '2026-11-01', score: 0.9 },
          { title: 'Title 4' },
        ],
      },
    })
  })

  test('its pages end where the service ends', async () => {
    answer = { results: [1, 2, 3].map(hit) }
    const result = await webSearch({ provider: tavily({ url: engine.url, access }) }).call({ query: 'x', count: 2, page: 2 }, { secrets })
    expect(result).toMatchObject({ value: { more: false, results: [{ title: 'Title 3' }] } })
  })
})

test('brave is asked in its format, with the key in a header, and its results are read without markup [T17]', async () => {
  answer = {
    type: 'search',
    query: { original: 'otters', more_results_available: true },
    web: {
      results: [
        {
          title: 'All <strong>otters</strong> &amp; rivers',
          url: 'https://a.example/1',
          description: 'They <b>swim</b>&#39;s',
          page_age: '2026-11-02T10:00:00',
        },
      ],
    },
  }
  const result = await webSearch({ provider: brave({ url: engine.url, access }) }).call(query, { secrets })
  const { method, url = '', headers } = engine.seen[0] ?? {}
  const asked = new URL(url, 'http://x')
  expect([method, asked.pathname, headers?.['x-subscription-token']]).toEqual(['GET', '/res/v1/web/search', KEY])
  expect(Object.fromEntries(asked.searchParams)).toEqual({
    q: 'otters (site:a.example OR site:b.example) -site:c.example',
    count: '2',
    offset: '1',
    freshness: 'pw',
    text_decorations: 'false',
  })
  expect(url).not.toContain(KEY)
  expect(result).toMatchObject({
    value: {
      more: true,
      results: [{ title: 'All otters & rivers', snippet: "They swim's", published: '2026-11-02T10:00:00', source: 'a.example' }],
    },
  })
})

test('an answer of searxng with more results than a function takes arguments is read', async () => {
  answer = { results: Array.from({ length: 300_000 }, (_each, index) => ({ url: `https://a.example/${index}`, score: index })) }
  const provider = searxng({ url: engine.url, access: { ...access, maxBytes: 50_000_000 } })
  expect(await webSearch({ provider }).call({ query: 'x', count: 2 })).toMatchObject({ ok: true, value: { results: [{}, {}] } })
})

test('searxng is asked in its format, and its results are read [T17]', async () => {
  answer = {
    query: 'otters',
    results: [
      {
        title: 'One',
        url: 'https://a.example/1',
        content: 'First',
        engine: 'x',
        engines: ['x'],
        score: 4,
        publishedDate: '2026-10-01T00:00:00',
      },
      { title: 'Two', url: 'https://b.example/2', content: 'Second', engine: 'x', score: 1, publishedDate: null },
    ],
    unresponsive_engines: [],
  }
  const provider = searxng({ url: `${engine.url}/base/`, access, language: 'fr', secret: 'PROXY' })
  const result = await webSearch({ provider }).call(query, { secrets })
  const asked = new URL(engine.seen[0]?.url ?? '', 'http://x')
  expect(asked.pathname).toBe('/base/search')
  expect(Object.fromEntries(asked.searchParams)).toEqual({
    q: 'otters (site:a.example OR site:b.example) -site:c.example',
    format: 'json',
    pageno: '2',
    time_range: 'week',
    language: 'fr',
  })
  expect(engine.seen[0]?.headers.authorization).toBe(`Bearer ${KEY}`)
  expect(result).toMatchObject({
    value: {
      results: [
        { title: 'One', score: 1, published: '2026-10-01T00:00:00' },
        { title: 'Two', score: 0.25 },
      ],
    },
  })
})

const failures: readonly (readonly [status: number, body: unknown, error: object])[] = [
  [401, { detail: { error: `Unauthorized: wrong key ${KEY}` } }, { code: 'access_denied' }],
  [429, { message: `Slow down, ${KEY}` }, { code: 'rate_limited', retryAfterMs: 3000, retryable: true }],
  [500, {}, { code: 'upstream_error', retryable: true }],
  [200, [], { code: 'upstream_error' }],
]

describe.for([
  ['tavily', () => tavily({ url: engine.url, access })],
  ['brave', () => brave({ url: engine.url, access })],
  ['searxng', () => searxng({ url: engine.url, access, secret: 'K' })],
] as const)('the failures of %s', ([, provider]) => {
  test.for(failures)('%i %j are classified, and repeat no key [T17]', async ([code, body, error]) => {
    ;[status, answer] = [code, body]
    const heard: unknown[] = []
    const result = await webSearch({ provider: provider() }).call({ query: 'x' }, { secrets, on: (event) => heard.push(event) })
    expect(result).toMatchObject({ ok: false, error })
    expect(JSON.stringify([heard, result.text])).not.toContain(KEY)
  })

  test.for([{}, { results: 'x', web: 7 }, { results: [null, 7, {}], web: { results: [null, {}] } }])(
    'an answer of another form is no result: %j',
    async (body) => {
      answer = body
      expect(await webSearch({ provider: provider() }).call({ query: 'x' }, { secrets })).toMatchObject({
        ok: true,
        value: { results: [] },
      })
    },
  )
})

const DOCUMENTS = [
  {
    title: 'Otters of the Ötztal',
    url: 'https://a.example/otters',
    text: 'Otters swim in rivers. They eat fish.',
    published: '2026-11-10',
  },
  {
    title: 'Rivers',
    url: 'https://www.a.example/rivers',
    text: 'A river flows to the sea. Some rivers have otters.',
    published: '2026-01-10',
  },
  { title: 'Cats', url: 'https://b.example/cats', text: `${'Cats sleep. '.repeat(60)} One cat saw an otter.` },
]

describe('a local index', () => {
  const search = webSearch({ provider: localSearch(DOCUMENTS) })
  const titles = async (input: Parameters<typeof search.call>[0]): Promise<string[]> => {
    const result = await search.call(input, { clock: fakeClock(Date.parse('2026-11-18')) })
    return result.ok ? result.value.results.map(({ title }) => title) : [result.text]
  }

  test('ranks by how much a document is about the words [T17]', async () => {
    expect(await titles({ query: 'otter' })).toEqual(['Otters of the Ötztal', 'Rivers', 'Cats'])
    expect(await titles({ query: 'river' })).toEqual(['Rivers', 'Otters of the Ötztal'])
    expect(await titles({ query: 'otztal' })).toEqual(['Otters of the Ötztal'])
    expect(await titles({ query: 'elephant' })).toEqual([])
  })

  test('has pages, domains and recency', async () => {
    expect(await titles({ query: 'otter', count: 1, page: 2 })).toEqual(['Rivers'])
    expect(await titles({ query: 'otter', includeDomains: ['a.example'] })).toEqual(['Otters of the Ötztal', 'Rivers'])
    expect(await titles({ query: 'otter', excludeDomains: ['www.a.example'] })).toEqual(['Otters of the Ötztal', 'Cats'])
    expect(await titles({ query: 'otter', recency: 'month' })).toEqual(['Otters of the Ötztal'])
  })

  test('shows the part of the text that has the words, and says how to go on', async () => {
    const result = await search.call({ query: 'otter', includeDomains: ['b.example'] })
    expect(result.ok && result.value.results[0]?.snippet).toMatch(/^\.\.\. .* One cat saw an otter\.$/)
    expect((await search.call({ query: 'otter', count: 1 })).text).toContain('[More results: page 2.]')
    expect((await search.call({ query: 'elephant' })).text).toBe('Nothing was found for "elephant". Use other words or fewer filters.')
  })
})

describe('what an engine may not do', () => {
  const gives = (results: readonly unknown[]): SearchProvider => ({
    name: 'own',
    search: async () => ({ results, more: false }) as SearchPage,
  })

  test('give pages that were not asked for, or are none of the web [T17]', async () => {
    const provider = gives(
      [
        ...['https://good.example/1', 'https://sub.good.example/2', 'https://evilgood.example/3', 'https://bad.good.example/4'],
        ...['javascript:alert(1)', 'file:///etc/passwd', 'https://u:p@good.example/5', 'data:text/html,x', 7, ''],
      ].map((url) => ({ title: 'T', url, snippet: 's' })),
    )
    const result = await webSearch({ provider, excludeDomains: ['bad.good.example'] }).call({
      query: 'x',
      includeDomains: ['good.example'],
    })
    expect(result.ok && result.value.results.map(({ url }) => url)).toEqual(['https://good.example/1', 'https://sub.good.example/2'])
  })

  test('give endless or hidden texts', async () => {
    const provider = gives([
      { title: 'T\u001b[31m\u202e', url: 'https://a.example/', snippet: `${'\u{E0041}'}${'x '.repeat(10_000)}`, score: Infinity },
    ])
    const result = await webSearch({ provider }).call({ query: 'x' })
    const [hit] = result.ok ? result.value.results : []
    expect(hit).toMatchObject({ title: 'T [31m' })
    expect([hit?.snippet.length ?? 0, hit?.score]).toEqual([expect.any(Number), undefined])
    expect(hit?.snippet.length).toBeLessThan(700)
  })

  test('be asked outside the domains of the author', async () => {
    const asked: SearchQuery[] = []
    const provider: SearchProvider = { name: 'own', search: async (each) => (asked.push(each), { results: [], more: false }) }
    const search = webSearch({ provider, includeDomains: ['docs.example'] })
    for (const includeDomains of [[], ['other.example'], ['api.docs.example'], ['example']])
      await search.call({ query: 'x', includeDomains })
    expect(asked.map(({ includeDomains }) => includeDomains)).toEqual([['docs.example'], ['api.docs.example']])
  })

  test.for(['a.example OR site:evil.example', 'a.example)', '"', 'x y', 'http://a.example/path', 'localhost', ''])(
    'get %j as a domain',
    async (domain) => {
      const result = await webSearch({ provider: gives([]) }).call({ query: 'x', includeDomains: [domain] })
      expect(result).toMatchObject({ ok: false, error: { code: 'invalid_input', outcome: 'not_started' } })
    },
  )
})

test.for([[{}], [{ provider: 'brave' }], [{ provider: localSearch([]), count: 0 }], [{ provider: localSearch([]), counts: 3 }]])(
  'wrong options are found at once: %j',
  ([options]) => {
    expect(() => webSearch(options as never)).toThrow(expect.objectContaining({ code: 'invalid_option' }))
  },
)
