import { checkOptionNames, optionNames } from '../../../tool/option-names.ts'
import type { SearchProvider } from './search-provider.ts'
import { recordsIn, SearchService, type SearchServiceOptions } from './search-service.ts'

const NAMES = optionNames<SearchServiceOptions>({ secret: true, url: true, access: true })
/** The service gives no more at once, and has no pages. */
const MOST = 20

/**
 * Searches with Tavily. The key is the secret `TAVILY_API_KEY`, unless `secret` names another.
 * @example
 * const search = webSearch({ provider: tavily() })
 */
export function tavily(options: SearchServiceOptions = {}): SearchProvider {
  checkOptionNames(options, NAMES, 'The options of tavily')
  const { secret = 'TAVILY_API_KEY', url = 'https://api.tavily.com', access } = options
  const service = new SearchService(url, access, 'tavily')
  return {
    name: 'tavily',
    costUsd: 0.008,
    search: async ({ query, count, page, includeDomains, excludeDomains, recency }, context) => {
      const wanted = Math.min(MOST, count * page)
      const { results } = await service.ask(
        '/search',
        {
          headers: { authorization: `Bearer ${await context.secret(secret)}` },
          body: {
            query,
            max_results: wanted,
            ...(includeDomains.length === 0 ? {} : { include_domains: includeDomains }),
            ...(excludeDomains.length === 0 ? {} : { exclude_domains: excludeDomains }),
            ...(recency === undefined ? {} : { time_range: recency }),
          },
        },
        context,
      )
      const found = recordsIn(results)
      const hits = found.slice(count * (page - 1)).map((each) => ({
        title: each['title'] as string,
        url: each['url'] as string,
        snippet: each['content'] as string,
        published: each['published_date'] as string | undefined,
        score: each['score'] as number | undefined,
      }))
      return { results: hits, more: found.length === wanted && wanted < MOST }
    },
  }
}
