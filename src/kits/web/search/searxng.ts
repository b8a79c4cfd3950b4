import { checkOptionNames, optionNames } from '../../../tool/option-names.ts'
import type { SearchProvider } from './search-provider.ts'
import { recordsIn, SearchService, type SearchServiceOptions, withSites } from './search-service.ts'

/** The options of `searxng`. */
export interface SearxngOptions extends SearchServiceOptions {
  /** The address of the instance: `https://search.example.org`. Its settings must allow the format `json`. */
  readonly url: string
  /** A code such as `en`; else the instance decides. */
  readonly language?: string | undefined
}

const NAMES = optionNames<SearxngOptions>({ secret: true, url: true, access: true, language: true })

/**
 * Searches with an instance of SearXNG. If `secret` names one, it is sent as a bearer token, for the proxy before the instance.
 * @example
 * const search = webSearch({ provider: searxng({ url: 'https://search.example.org' }) })
 */
export function searxng(options: SearxngOptions): SearchProvider {
  checkOptionNames(options, NAMES, 'The options of searxng')
  const { secret, url, access, language } = options
  const service = new SearchService(url, access, 'searxng')
  return {
    name: 'searxng',
    costUsd: 0,
    search: async (asked, context) => {
      const { count, page, recency } = asked
      const answer = await service.ask(
        '/search',
        {
          headers: secret === undefined ? {} : { authorization: `Bearer ${await context.secret(secret)}` },
          query: { q: withSites(asked), format: 'json', pageno: String(page), time_range: recency, language },
        },
        context,
      )
      const found = recordsIn(answer['results'])
      // One by one: an answer may have more results than a function takes arguments.
      const best = found.reduce((most, { score }) => (typeof score === 'number' ? Math.max(most, score) : most), Number.MIN_VALUE)
      const results = found.slice(0, count).map((each) => ({
        title: each['title'] as string,
        url: each['url'] as string,
        snippet: each['content'] as string,
        published: (each['publishedDate'] ?? undefined) as string | undefined,
        score: typeof each['score'] === 'number' ? each['score'] / best : undefined,
      }))
      return { results, more: found.length > 0 }
    },
  }
}
