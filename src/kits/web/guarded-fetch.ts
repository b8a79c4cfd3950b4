import type { Agent, Dispatcher } from 'undici'
import { quote } from '../../schema/quote.ts'
import { type Duration, toMilliseconds } from '../../tool/duration.ts'
import { durationText } from '../../tool/duration-text.ts'
import { wrongOption } from '../../tool/errors/wrong-option.ts'
import { type Outcome, ToolError } from '../../tool/errors/tool-error.ts'
import { checkOptionNames, optionNames } from '../../tool/option-names.ts'
import { decodedBody } from './decoded-body.ts'
import { guardedAgent, type HostLookup, type WebPackages } from './guarded-agent.ts'
import { loadIpaddr } from './load-ipaddr.ts'
import { loadUndici } from './load-undici.ts'
import { networkFailure } from './network-failure.ts'
import { headersForStrangers, requestHeaders } from './request-headers.ts'
import { shownUrl, urlRefused } from './url-refused.ts'
import { type UrlRuleOptions, UrlRules } from './url-rules.ts'

/** Where requests may go, and how much and how long they may take. */
export interface GuardedFetchOptions extends UrlRuleOptions {
  /** How many redirects are followed; 5 by default. Each is checked like the first URL. */
  readonly maxRedirects?: number | undefined
  /** The largest answer, after its compression is undone; 5 MB by default. */
  readonly maxBytes?: number | undefined
  /** For the whole request, with all redirects and the body; 30 s by default. */
  readonly timeout?: Duration | undefined
  /** Gives the addresses of a host, instead of the system. They are checked all the same. */
  readonly lookup?: HostLookup | undefined
  /** The header `user-agent`; `toolwright` by default. */
  readonly userAgent?: string | undefined
}

/** One request. */
export interface GuardedRequest {
  /** `GET` by default. */
  readonly method?: string | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly body?: string | Uint8Array | undefined
  readonly signal?: AbortSignal | undefined
  /** Whether it may change something; by default every method but GET, HEAD and OPTIONS does. Its redirects are not followed then, except 303. */
  readonly acts?: boolean | undefined
  /** Less than the option of the same name, or without effect. */
  readonly maxBytes?: number | undefined
  /** A larger answer fails the request by default; `truncate` gives its beginning. */
  readonly whenTooLarge?: 'fail' | 'truncate' | undefined
}

/** The answer to a request. An answer of status 400 and more is given like any other. */
export interface GuardedResponse {
  /** The URL that answered, after all redirects. */
  readonly url: string
  readonly status: number
  readonly headers: Headers
  /** Without the compression of the transfer. */
  readonly body: Uint8Array
  /** Whether the answer was larger than allowed. */
  readonly truncated: boolean
  /** The URLs that were asked before this one. */
  readonly redirects: readonly string[]
}

/** Makes a request that reaches only allowed hosts. */
export type GuardedFetch = (url: string | URL, request?: GuardedRequest) => Promise<GuardedResponse>

const NAMES = optionNames<GuardedFetchOptions>({
  allowHosts: true,
  denyHosts: true,
  privateHosts: true,
  ports: true,
  schemes: true,
  maxRedirects: true,
  maxBytes: true,
  timeout: true,
  lookup: true,
  userAgent: true,
})

const REQUEST_NAMES = optionNames<GuardedRequest>({
  method: true,
  headers: true,
  body: true,
  signal: true,
  acts: true,
  maxBytes: true,
  whenTooLarge: true,
})

const DEFAULT_BYTES = 5 * 1024 * 1024
const LONGEST_TIME = 2 ** 31 - 1
const SAFE: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS'])
const METHOD = /^[A-Z]{1,20}$/

/**
 * Makes a fetch for URLs that a model or a page has chosen. It connects to public addresses only, on every hop, and to those of `privateHosts`.
 * A refused URL fails with the code `url_refused` before anything is sent. Time, size and redirects are bounded.
 * @example
 * const fetchPage = guardedFetch({ allowHosts: ['*.example.com'], timeout: '5s' })
 * await fetchPage('http://169.254.169.254/latest/meta-data').catch((error) => console.log(error.code)) // url_refused
 */
export function guardedFetch(options: GuardedFetchOptions = {}): GuardedFetch {
  checkOptionNames(options, NAMES, 'The options of guardedFetch')
  const limits = limitsOf(options)
  const rules = new UrlRules(options, 'guardedFetch')
  let client: Promise<Client> | undefined
  const open = async (): Promise<Client> => {
    const packages = { undici: await loadUndici(), ip: await loadIpaddr() }
    return { ...packages, rules, limits, agent: guardedAgent(packages, { rules, lookup: options.lookup, timeoutMs: limits.timeoutMs }) }
  }
  return async (url, request = {}) => {
    checkOptionNames(request, REQUEST_NAMES, 'The options of a guarded request')
    // A package that is missing now may be installed later.
    client ??= open().catch((error: unknown) => {
      client = undefined
      throw error
    })
    return send(await client, url, request)
  }
}

interface Limits {
  readonly maxRedirects: number
  readonly maxBytes: number
  readonly timeoutMs: number
  readonly userAgent: string
}

interface Client extends WebPackages {
  readonly agent: Agent
  readonly rules: UrlRules
  readonly limits: Limits
}

function limitsOf({ maxRedirects = 5, maxBytes = DEFAULT_BYTES, timeout = '30s', userAgent = 'toolwright' }: GuardedFetchOptions): Limits {
  if (!Number.isInteger(maxRedirects) || maxRedirects < 0 || maxRedirects > 20)
    throw wrongOption('maxRedirects', 'guardedFetch', `a whole number from 0 to 20, not ${quote(maxRedirects)}`)
  if (!Number.isInteger(maxBytes) || maxBytes < 1)
    throw wrongOption('maxBytes', 'guardedFetch', `a whole number of at least 1, not ${quote(maxBytes)}`)
  const timeoutMs = Math.min(LONGEST_TIME, toMilliseconds(timeout, "'timeout' of guardedFetch"))
  if (timeoutMs === 0) throw wrongOption('timeout', 'guardedFetch', 'longer than 0')
  return { maxRedirects, maxBytes, timeoutMs, userAgent }
}

async function send(client: Client, first: string | URL, request: GuardedRequest): Promise<GuardedResponse> {
  const { limits } = client
  const method = request.method ?? 'GET'
  if (!METHOD.test(method))
    throw new ToolError(`The method ${quote(method)} is none of HTTP.`, { code: 'invalid_input', outcome: 'not_started' })
  const start: Hop = {
    url: client.rules.check(first, client.ip),
    method,
    headers: requestHeaders(request.headers ?? {}, limits.userAgent),
    body: request.body,
    acts: request.acts ?? !SAFE.has(method),
  }
  request.signal?.throwIfAborted()
  const time = new AbortController()
  const timer = setTimeout(() => time.abort(), limits.timeoutMs)
  const signal = request.signal === undefined ? time.signal : AbortSignal.any([request.signal, time.signal])
  const state: State = { sent: false, acted: false }
  try {
    return await follow(client, start, { request, signal, state })
  } catch (thrown) {
    request.signal?.throwIfAborted()
    const failed = time.signal.aborted
      ? tooSlow(start.url, limits.timeoutMs, state)
      : networkFailure(thrown, { host: start.url.host, sent: state.sent })
    // A request that was answered by a redirect may have taken effect, whatever comes after it.
    throw state.acted && failed instanceof ToolError ? withOutcome(failed, 'unknown') : failed
  } finally {
    clearTimeout(timer)
  }
}

interface Hop {
  readonly url: URL
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array | undefined
  readonly acts: boolean
}

interface State {
  /** Whether a byte of a request may have left. */
  sent: boolean
  /** Whether a request that does not only read was answered. */
  acted: boolean
}

interface Sending {
  readonly request: GuardedRequest
  readonly signal: AbortSignal
  readonly state: State
}

async function follow(client: Client, start: Hop, sending: Sending): Promise<GuardedResponse> {
  const redirects: string[] = []
  let hop = start
  for (;;) {
    const { status, headers, body } = await sendOnce(client, hop, sending)
    const next = nextHop(client, hop, { status, location: headers.get('location') })
    if (next === undefined) {
      const { request } = sending
      const maxBytes = Math.min(client.limits.maxBytes, request.maxBytes ?? Infinity)
      const shown = shownUrl(hop.url)
      const isEmpty = hop.method === 'HEAD' || status === 204 || status === 304
      const encoding = isEmpty ? null : headers.get('content-encoding')
      const { bytes, truncated } = await decodedBody(body, { encoding, maxBytes, whenTooLarge: request.whenTooLarge ?? 'fail', shown })
      return { url: hop.url.href, status, headers, body: bytes, truncated, redirects }
    }
    body.on('error', () => undefined).destroy()
    if (hop.acts) sending.state.acted = true
    redirects.push(hop.url.href)
    if (redirects.length > client.limits.maxRedirects)
      throw new ToolError(`The URL ${shownUrl(start.url)} leads through more than ${client.limits.maxRedirects} redirects.`, {
        code: 'url_refused',
        outcome: 'not_started',
      })
    hop = next()
  }
}

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

/** The request that a redirect asks for; it throws where that must not be made. Undefined if the answer is no redirect. */
function nextHop(client: Client, hop: Hop, { status, location }: { status: number; location: string | null }): (() => Hop) | undefined {
  if (!REDIRECTS.has(status) || location === null) return undefined
  return () => {
    if (hop.acts && status !== 303)
      throw urlRefused(
        hop.url,
        `it answered a ${hop.method} with a redirect (${status}), and such a request is not sent a second time. Use the URL that it leads to.`,
        'unknown',
      )
    const target = URL.parse(location, hop.url.href)
    if (target === null) throw urlRefused(hop.url, 'it leads to a URL that cannot be read.')
    const url = client.rules.check(target, client.ip)
    if (hop.url.protocol === 'https:' && url.protocol === 'http:') throw urlRefused(hop.url, 'it leads from https to http.')
    const isSame = url.origin === hop.url.origin
    const method = hop.method === 'HEAD' || (hop.method === 'OPTIONS' && !hop.acts) ? hop.method : 'GET'
    const { 'content-type': _type, ...headers } = isSame ? hop.headers : headersForStrangers(hop.headers)
    return { url, method, headers, body: undefined, acts: false }
  }
}

interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly body: Dispatcher.ResponseData['body']
}

async function sendOnce({ undici, agent }: Client, { url, method, headers, body }: Hop, { signal, state }: Sending): Promise<Answer> {
  state.sent = false
  const answer = await undici.request(url, {
    dispatcher: agent.compose(noticingStart(() => (state.sent = true))),
    method,
    headers,
    body: body ?? null,
    signal,
  })
  return { status: answer.statusCode, headers: asHeaders(answer.headers), body: answer.body }
}

/** Hears when the first byte of a request is about to be written to a connection. */
function noticingStart(start: () => void): Dispatcher.DispatcherComposeInterceptor {
  return (dispatch) => (options, handler) =>
    dispatch(options, {
      onRequestStart: (controller, context) => {
        start()
        handler.onRequestStart?.(controller, context)
      },
      onRequestUpgrade: (...given) => handler.onRequestUpgrade?.(...given),
      onResponseStart: (...given) => handler.onResponseStart?.(...given),
      onResponseData: (...given) => handler.onResponseData?.(...given),
      onResponseEnd: (...given) => handler.onResponseEnd?.(...given),
      onResponseError: (...given) => handler.onResponseError?.(...given),
    })
}

function asHeaders(given: Readonly<Record<string, string | string[] | undefined>>): Headers {
  const headers = new Headers()
  for (const [name, value] of Object.entries(given)) for (const each of [value ?? []].flat()) headers.append(name, each)
  return headers
}

function tooSlow({ host }: URL, timeoutMs: number, { sent }: State): ToolError {
  return new ToolError(`The request to '${host}' did not end within ${durationText(timeoutMs)}.`, {
    code: 'service_unavailable',
    outcome: sent ? 'unknown' : 'not_started',
  })
}

function withOutcome(error: ToolError, outcome: Outcome): ToolError {
  const { message, code, retryable, hint, retryAfterMs, cause } = error
  return new ToolError(message, { code, class: error.class, retryable, hint, retryAfterMs, cause, outcome })
}
