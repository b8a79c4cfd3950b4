import type { AgentTool } from '../../tool/agent-tool.ts'
import { checkOptionNames, optionNames } from '../../tool/option-names.ts'
import { webScrape, type WebScrapeOptions } from './scrape/web-scrape.ts'
import { webSearch, type WebSearchOptions } from './search/web-search.ts'

/** The options of the tools of the kit. */
export interface WebKitOptions extends Pick<WebScrapeOptions, 'access' | 'robots' | 'worker'> {
  /** The search engine. Without one, the kit has no `web_search`. */
  readonly search?: WebSearchOptions['provider'] | undefined
}

const NAMES = optionNames<WebKitOptions>({ search: true, access: true, robots: true, worker: true })

/**
 * Makes the tools of the web at once: `web_scrape`, and `web_search` with the given engine. `access` says where pages may be read.
 * @example
 * const runtime = createRuntime({ tools: webKit({ search: brave() }), secrets: environmentSecrets(['BRAVE_API_KEY']) })
 */
export function webKit(options: WebKitOptions = {}): readonly AgentTool[] {
  checkOptionNames(options, NAMES, 'The options of webKit')
  const { search, ...scrape } = options
  return [...(search === undefined ? [] : [webSearch({ provider: search })]), webScrape(scrape)]
}
