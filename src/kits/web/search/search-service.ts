import { isRecord } from '../../../schema/json-schema.ts'
import { ToolError } from '../../../tool/errors/tool-error.ts'
import { wrongOption } from '../../../tool/errors/wrong-option.ts'
import { type GuardedFetch, guardedFetch, type GuardedFetchOptions } from '../guarded-fetch.ts'
import { portOf } from '../host-rules.ts'
import { httpAnswer } from '../http-answer.ts'
import type { SearchContext, SearchQuery } from './search-provider.ts'

/** Options of every provider over HTTP. */
export interface SearchServiceOptions {
  /** The name of the secret with the key of the service. */
  readonly secret?: string | undefined
  /** Another address of the same service, such as a proxy. */
  readonly url?: string | undefined
  /** Limits of requests, and hosts in private networks. */
  readonly access?: GuardedFetchOptions | undefined
}

/** One HTTP service of searches: only its own host can be reached. */
export class SearchService {
  readonly #base: URL
  readonly #fetch: GuardedFetch

  constructor(url: string, access: GuardedFetchOptions | undefined, owner: string) {
    const base = URL.parse(url)
    if (base === null || !/^https?:$/.test(base.protocol) || base.username !== '' || base.search !== '')
      throw wrongOption('url', owner, 'an http or https URL without a user and a query')
    this.#base = base
    this.#fetch = guardedFetch({ allowHosts: [`${base.hostname}:${portOf(base)}`], ...access })
  }

  /** The answer to one request, an object of JSON. */
  async ask(path: string, request: ServiceRequest, { signal }: SearchContext): Promise<Record<string, unknown>> {
    const url = new URL(`${this.#base.href.replace(/\/$/, '')}${path}`)
    for (const [name, value] of Object.entries(request.query ?? {})) if (value !== undefined) url.searchParams.set(name, value)
    const response = await this.#fetch(url, {
      method: request.body === undefined ? 'GET' : 'POST',
      headers: {
        accept: 'application/json',
        ...(request.body === undefined ? {} : { 'content-type': 'application/json' }),
        ...request.headers,
      },
      body: request.body === undefined ? undefined : JSON.stringify(request.body),
      signal,
      whenTooLarge: 'truncate',
    })
    const answer = httpAnswer(response)
    if (!isRecord(answer))
      throw new ToolError('The search service answered with something that is no object of JSON.', {
        code: 'upstream_error',
        retryable: false,
      })
    return answer
  }
}

interface ServiceRequest {
  readonly query?: Readonly<Record<string, string | undefined>> | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly body?: Readonly<Record<string, unknown>> | undefined
}

/** The list at a field of an answer, or nothing. Items that are no objects are left out. */
export function recordsIn(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter(isRecord) : []
}

/** The domains as operators of the query, for services that have no parameter for them. */
export function withSites({ query, includeDomains, excludeDomains }: SearchQuery): string {
  const included = includeDomains.map((domain) => `site:${domain}`).join(' OR ')
  const excluded = excludeDomains.map((domain) => `-site:${domain}`).join(' ')
  return [query, includeDomains.length > 1 ? `(${included})` : included, excluded].filter((part) => part !== '').join(' ')
}
