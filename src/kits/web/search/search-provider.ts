/** How old a result may be. */
export type Recency = 'day' | 'week' | 'month' | 'year'

/** What is searched for. */
export interface SearchQuery {
  readonly query: string
  /** How many results a page has. */
  readonly count: number
  /** From 1 on. */
  readonly page: number
  /** Only results of these domains and the hosts below them; all if empty. */
  readonly includeDomains: readonly string[]
  /** No results of these domains and the hosts below them. */
  readonly excludeDomains: readonly string[]
  readonly recency: Recency | undefined
}

/** One found page. */
export interface SearchHit {
  readonly title: string
  readonly url: string
  readonly snippet: string
  /** When it was published or changed, in the words of the provider. */
  readonly published?: string | undefined
  /** From 0 to 1, if the provider has one. Those of different providers do not compare. */
  readonly score?: number | undefined
}

/** One page of results of a search provider. */
export interface SearchPage {
  readonly results: readonly SearchHit[]
  /** Whether there may be a next page. */
  readonly more: boolean
}

/** What a provider is given of a call. */
export interface SearchContext {
  /** A secret by its name, from the secrets provider of the call. */
  readonly secret: (name: string) => Promise<string>
  readonly signal: AbortSignal
  readonly now: () => number
}

/** A search engine behind `web_search`. Throw `ToolError`, or anything that `classifyError` knows. */
export interface SearchProvider {
  readonly name: string
  readonly search: (query: SearchQuery, context: SearchContext) => Promise<SearchPage>
  /** What one search costs; for estimates. */
  readonly costUsd?: number | undefined
}
