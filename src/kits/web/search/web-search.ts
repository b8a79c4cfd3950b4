import { quote } from '../../../schema/quote.ts'
import { excerpt } from '../../../schema/quote.ts'
import type { FromJsonSchema } from '../../../schema/schema-types.ts'
import type { AgentTool } from '../../../tool/agent-tool.ts'
import { checkOptions } from '../../../tool/check-given.ts'
import { wrongOption } from '../../../tool/errors/wrong-option.ts'
import { checkOptionNames, optionNames } from '../../../tool/option-names.ts'
import { type ReturnedSuccess, success } from '../../../tool/result/returned.ts'
import { tool } from '../../../tool/tool.ts'
import { domainOf, isOfDomain } from './domains.ts'
import { plainWords } from './plain-words.ts'
import type { SearchHit, SearchPage, SearchProvider, SearchQuery } from './search-provider.ts'

/** The options of `webSearch`. */
export interface WebSearchOptions {
  /** The search engine: `tavily()`, `brave()`, `searxng({ url })`, `localSearch(documents)`, or one of your own. */
  readonly provider: SearchProvider
  /** How many results a call gets that names no count; 5 by default. */
  readonly count?: number | undefined
  /** Only results of these domains, whatever a call says. */
  readonly includeDomains?: readonly string[] | undefined
  /** Never results of these domains, whatever a call says. */
  readonly excludeDomains?: readonly string[] | undefined
  /** The permissions that a caller needs; none by default. */
  readonly permissions?: readonly string[] | undefined
}

const NAMES = optionNames<WebSearchOptions>({ provider: true, count: true, includeDomains: true, excludeDomains: true, permissions: true })
const MOST_RESULTS = 20
const MOST_DOMAINS = 20
const LONGEST_SNIPPET = 600

const DOMAINS = { type: 'array', items: { type: 'string' }, maxItems: MOST_DOMAINS } as const

function searchInput(count: number) {
  return {
    type: 'object',
    properties: {
      query: { type: 'string', minLength: 1, maxLength: 400, description: 'What to search for, in a few words.' },
      count: { type: 'integer', minimum: 1, maximum: MOST_RESULTS, default: count, description: 'How many results; one page has so many.' },
      page: { type: 'integer', minimum: 1, maximum: 50, default: 1, description: 'The page of results, from 1 on.' },
      includeDomains: { ...DOMAINS, description: "Only results of these domains: ['example.com']." },
      excludeDomains: { ...DOMAINS, description: 'No results of these domains.' },
      recency: { type: 'string', enum: ['day', 'week', 'month', 'year'], description: 'How old a result may be.' },
    },
    required: ['query'],
  } as const
}

const OUTPUT = {
  type: 'object',
  properties: {
    query: { type: 'string' },
    provider: { type: 'string' },
    page: { type: 'integer' },
    results: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          title: { type: 'string' },
          url: { type: 'string' },
          snippet: { type: 'string' },
          source: { type: 'string', description: 'The host that has the page.' },
          published: { type: 'string' },
          score: { type: 'number', description: 'From 0 to 1; comparable within this answer only.' },
        },
        required: ['title', 'url', 'snippet', 'source'],
      },
    },
    more: { type: 'boolean', description: 'Whether there may be a next page.' },
  },
  required: ['query', 'provider', 'page', 'results', 'more'],
} as const

/** The input of `web_search`. */
export type WebSearchInput = FromJsonSchema<ReturnType<typeof searchInput>>
/** The output of `web_search`. */
export type WebSearchOutput = FromJsonSchema<typeof OUTPUT, 'output'>

/**
 * Makes the tool `web_search`, which finds pages with a search engine of your choice. The key of the engine comes from the secrets provider of the call.
 * @example
 * const search = webSearch({ provider: brave(), excludeDomains: ['example.net'] })
 */
export function webSearch(options: WebSearchOptions): AgentTool<WebSearchInput, WebSearchOutput> {
  checkOptions(options, 'The options of webSearch')
  checkOptionNames(options, NAMES, 'The options of webSearch')
  const { provider, count = 5, permissions } = options
  if (typeof provider?.search !== 'function' || typeof provider.name !== 'string')
    throw wrongOption('provider', 'webSearch', 'a search provider such as brave()')
  if (!Number.isInteger(count) || count < 1 || count > MOST_RESULTS)
    throw wrongOption('count', 'webSearch', `a whole number from 1 to ${MOST_RESULTS}, not ${quote(count)}`)
  const always = { include: (options.includeDomains ?? []).map(domainOf), exclude: (options.excludeDomains ?? []).map(domainOf) }
  return tool({
    name: 'web_search',
    description:
      'Searches the web and gives titles, addresses and short extracts of pages. Use it when you do not know the address of a page, or need something recent. Read a page with web_scrape.',
    inputSchema: searchInput(count),
    outputSchema: OUTPUT,
    effect: 'read',
    idempotent: true,
    permissions,
    source: provider.name,
    tags: ['web'],
    estimates: { latencyMs: 800, p99Ms: 5000, reliability: 0.98, costUsd: provider.costUsd ?? 0.005 },
    async execute(input, { secret, signal, now }) {
      const asked: SearchQuery = {
        query: input.query,
        count: input.count,
        page: input.page,
        includeDomains: narrowed((input.includeDomains ?? []).map(domainOf), always.include),
        excludeDomains: [...new Set([...(input.excludeDomains ?? []).map(domainOf), ...always.exclude])],
        recency: input.recency,
      }
      const nothing = always.include.length > 0 && asked.includeDomains.length === 0
      const found = nothing ? { results: [], more: false } : await provider.search(asked, { secret, signal, now })
      return answerOf(found, asked, provider.name)
    },
  })
}

/** The domains of a call, within those that the author allows. */
function narrowed(asked: readonly string[], allowed: readonly string[]): readonly string[] {
  if (allowed.length === 0) return asked
  if (asked.length === 0) return allowed
  const inside = asked.filter((domain) => allowed.some((each) => isOfDomain(`http://${domain}`, each)))
  const around = allowed.filter((domain) => asked.some((each) => isOfDomain(`http://${domain}`, each)))
  return [...new Set([...inside, ...around])]
}

/** An engine may answer anything: only pages of the web that were asked for are given on. */
function answerOf({ results, more }: SearchPage, asked: SearchQuery, provider: string): ReturnedSuccess<WebSearchOutput> {
  const fit = results.flatMap((hit) => cleanHit(hit)).filter(({ url }) => isAsked(url, asked))
  const output: WebSearchOutput = { query: asked.query, provider, page: asked.page, results: fit.slice(0, asked.count), more }
  return success(output, { text: textOf(output) })
}

function cleanHit({ title, url, snippet, published, score }: SearchHit): WebSearchOutput['results'] {
  const parsed = typeof url === 'string' ? URL.parse(url) : null
  if (parsed === null || !/^https?:$/.test(parsed.protocol) || parsed.username !== '') return []
  const date = plainWords(published)
  return [
    {
      title: excerpt(plainWords(title), 300) || parsed.host,
      url: parsed.href,
      snippet: excerpt(plainWords(snippet), LONGEST_SNIPPET),
      source: parsed.hostname,
      ...(date === '' ? {} : { published: excerpt(date, 100) }),
      ...(typeof score === 'number' && Number.isFinite(score) ? { score } : {}),
    },
  ]
}

function isAsked(url: string, { includeDomains, excludeDomains }: SearchQuery): boolean {
  if (excludeDomains.some((domain) => isOfDomain(url, domain))) return false
  return includeDomains.length === 0 || includeDomains.some((domain) => isOfDomain(url, domain))
}

function textOf({ query, page, results, more }: WebSearchOutput): string {
  if (results.length === 0)
    return `Nothing was found for ${quote(query)}${page > 1 ? ` on page ${page}` : ''}. Use other words or fewer filters.`
  const lines = results.map(({ title, url, snippet, published }, index) =>
    [
      `${index + 1}. ${title}${published === undefined ? '' : ` (${published})`}`,
      `   ${url}`,
      ...(snippet === '' ? [] : [`   ${snippet}`]),
    ].join('\n'),
  )
  return [...lines, ...(more ? [`[More results: page ${page + 1}.]`] : [])].join('\n')
}
