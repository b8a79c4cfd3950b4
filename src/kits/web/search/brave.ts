import { isRecord } from '../../../schema/json-schema.ts'
import { checkOptionNames, optionNames } from '../../../tool/option-names.ts'
import type { Recency, SearchProvider } from './search-provider.ts'
import { recordsIn, SearchService, type SearchServiceOptions, withSites } from './search-service.ts'

const NAMES = optionNames<SearchServiceOptions>({ secret: true, url: true, access: true })
const FRESHNESS: Readonly<Record<Recency, string>> = { day: 'pd', week: 'pw', month: 'pm', year: 'py' }
/** The offset of the service goes from 0 to 9. */
const LAST_PAGE = 10

/**
 * Searches with Brave. The key is the secret `BRAVE_API_KEY`, unless `secret` names another.
 * @example
 * const search = webSearch({ provider: brave({ secret: 'SEARCH_KEY' }) })
 */
export function brave(options: SearchServiceOptions = {}): SearchProvider {
  checkOptionNames(options, NAMES, 'The options of brave')
  const { secret = 'BRAVE_API_KEY', url = 'https://api.search.brave.com', access } = options
  const service = new SearchService(url, access, 'brave')
  return {
    name: 'brave',
    costUsd: 0.005,
    search: async (asked, context) => {
      const { count, page, recency } = asked
      if (page > LAST_PAGE) return { results: [], more: false }
      const answer = await service.ask(
        '/res/v1/web/search',
        {
          headers: { 'x-subscription-token': await context.secret(secret) },
          query: {
            q: withSites(asked),
            count: String(Math.min(20, count)),
            offset: String(page - 1),
            freshness: recency === undefined ? undefined : FRESHNESS[recency],
            text_decorations: 'false',
          },
        },
        context,
      )
      const web = isRecord(answer['web']) ? answer['web'] : {}
      const query = isRecord(answer['query']) ? answer['query'] : {}
      const results = recordsIn(web['results']).map((each) => ({
        title: each['title'] as string,
        url: each['url'] as string,
        snippet: each['description'] as string,
        published: (each['page_age'] ?? each['age']) as string | undefined,
      }))
      return { results, more: query['more_results_available'] === true && page < LAST_PAGE }
    },
  }
}
