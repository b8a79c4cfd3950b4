export { guardedFetch, type GuardedFetch, type GuardedFetchOptions, type GuardedRequest, type GuardedResponse } from './guarded-fetch.ts'
export type { HostLookup } from './guarded-agent.ts'
export type { HttpAuth } from './http-auth.ts'
export type { HttpParts } from './http-parts.ts'
export { type HttpMethod, httpTool, type HttpToolOptions } from './http-tool.ts'
export type { WebPage } from './scrape/scrape-request.ts'
export { webScrape, type WebScrapeInput, type WebScrapeOptions } from './scrape/web-scrape.ts'
export { brave } from './search/brave.ts'
export { localSearch, type SearchDocument } from './search/local-search.ts'
export type { Recency, SearchContext, SearchHit, SearchPage, SearchProvider, SearchQuery } from './search/search-provider.ts'
export type { SearchServiceOptions } from './search/search-service.ts'
export { searxng, type SearxngOptions } from './search/searxng.ts'
export { tavily } from './search/tavily.ts'
export { webSearch, type WebSearchInput, type WebSearchOptions, type WebSearchOutput } from './search/web-search.ts'
export type { UrlRuleOptions } from './url-rules.ts'
export { fromOpenApi } from './openapi/from-openapi.ts'
export type {
  FromOpenApiOptions,
  OpenApiOperation,
  OpenApiTools,
  OperationOptions,
  RenamedOperation,
  SkippedOperation,
} from './openapi/openapi-options.ts'
export { webKit, type WebKitOptions } from './web-kit.ts'
