import { type Duration, toMilliseconds } from '../tool/duration.ts'
import { readDecision } from '../tool/engine/read-decision.ts'
import { asVouched } from '../tool/deciders.ts'
import { ConfigurationError } from '../tool/errors/configuration-error.ts'
import type { ReviewHandler, ReviewWait } from '../tool/review.ts'
import { reviewableJson } from '../tool/reviewable-json.ts'
import { pause } from './pause.ts'
import { signatureHeaders, verifyWebhookSignature } from './verify-webhook-signature.ts'
import { checkOptionNames, optionNames } from '../tool/option-names.ts'

/** The options of `webhookReview`. */
export interface WebhookReviewOptions {
  /** `https:`, except on this machine. */
  readonly url: string | URL
  /** Signs every message; the receiver checks it with `verifyWebhookSignature`. */
  readonly secret: string
  /** For the decision, all in all; five minutes by default. */
  readonly timeout?: Duration | undefined
  /** For one HTTP exchange; ten seconds by default. */
  readonly attemptTimeout?: Duration | undefined
  /** How often a message is sent again when the receiver cannot be reached or is in trouble; 3 by default. */
  readonly retries?: number | undefined
  readonly fetch?: typeof globalThis.fetch | undefined
}

const NAMES = optionNames<WebhookReviewOptions>({
  url: true,
  secret: true,
  timeout: true,
  attemptTimeout: true,
  retries: true,
  fetch: true,
})

const POLL_MS = 5000
const SHORTEST_POLL_MS = 1000

/**
 * Posts each request to a server of your own. It answers 200 with the decision as JSON, or 202 with a `Location` that is asked until it does.
 * @example
 * const review = webhookReview({ url: 'https://desk.example.com/reviews', secret })
 */
export function webhookReview(options: WebhookReviewOptions): ReviewHandler {
  checkOptionNames(options, NAMES, 'The options of webhookReview')
  const { secret, timeout = '5m', attemptTimeout = '10s', retries = 3 } = options
  const url = checkedUrl(options.url)
  if (typeof secret !== 'string' || secret === '') throw invalid('The secret of a webhook review must be a text that is not empty.')
  if (!Number.isInteger(retries) || retries < 0) throw invalid('The retries of a webhook review must be a whole number from 0 on.')
  const correspondent: Correspondent = {
    secret,
    retries,
    attemptMs: toMilliseconds(attemptTimeout, 'The attemptTimeout of a webhook review'),
    fetch: options.fetch ?? globalThis.fetch,
  }
  return {
    channel: 'webhook',
    deciders: 'signed',
    timeoutMs: toMilliseconds(timeout, 'The timeout of a webhook review'),
    review: async (request, wait) => {
      const { id } = request
      let place: URL | undefined
      let reply = await exchange({ id, url, body: reviewableJson(request) }, correspondent, wait)
      while (reply.status === 202) {
        place = placeOf(reply, url) ?? place
        if (place === undefined) throw new Error('the webhook answered 202 without a Location to ask')
        await pause(Math.max(retryAfterMs(reply.headers, wait) ?? POLL_MS, SHORTEST_POLL_MS), wait)
        reply = await exchange({ id, url: place }, correspondent, wait)
      }
      const decision = readDecision(decisionIn(reply), request)
      return isSigned(reply, { id, secret, now: () => wait.clock.now() }) ? asVouched(decision) : decision
    },
  }
}

interface Signing {
  readonly id: string
  readonly secret: string
  readonly now: () => number
}

/** Whether the answer is signed with the secret, for this request: its server vouches for the decider. */
function isSigned({ headers, body = '' }: Reply, { id, secret, now }: Signing): boolean {
  return headers.get('toolwright-id') === id && verifyWebhookSignature({ headers, body, secret, now })
}

/** Where the decision will be: nowhere but at the origin that was configured. */
function placeOf({ headers }: Reply, url: URL): URL | undefined {
  const location = headers.get('location')
  if (location === null) return undefined
  const place = URL.parse(location, url.href)
  if (place === null || place.origin !== url.origin) throw new Error('the webhook named a Location at another origin')
  return place
}

function decisionIn({ status, body }: Reply): unknown {
  if (status !== 200) throw new Error(`the webhook answered ${status}`)
  if (body === undefined) throw new Error('the webhook answered more than a decision can be')
  try {
    return JSON.parse(body) as unknown
  } catch (cause) {
    throw new Error('the webhook answered something other than JSON', { cause })
  }
}

function checkedUrl(given: string | URL): URL {
  const url = URL.parse(String(given))
  if (url === null) throw invalid('The url of a webhook review is not a URL.')
  if (url.username !== '' || url.password !== '')
    throw invalid('The url of a webhook review must not hold a password: the secret signs what is sent.')
  const isLocal = url.hostname === 'localhost' || url.hostname === '[::1]' || /^127(\.\d+){3}$/.test(url.hostname)
  if (url.protocol === 'https:' || (url.protocol === 'http:' && isLocal)) return url
  throw invalid(`The url of a webhook review must begin with https:, not ${url.protocol}`)
}

function invalid(message: string): ConfigurationError {
  return new ConfigurationError('invalid_option', message)
}

/** Whom to talk to, and how patiently. */
interface Correspondent {
  readonly secret: string
  readonly retries: number
  readonly attemptMs: number
  readonly fetch: typeof globalThis.fetch
}

interface Message {
  /** The same in every attempt: a receiver recognises a repetition by it. */
  readonly id: string
  readonly url: URL
  /** Posted where there is one; else the message is a GET. */
  readonly body?: string | undefined
}

interface Reply {
  readonly status: number
  readonly headers: Headers
  /** Undefined where it is longer than anybody needs for a decision. */
  readonly body: string | undefined
}

const LARGEST_BODY = 64 * 1024
const BACKOFF_MS = 500
const LONGEST_PAUSE_MS = 60_000

/** Sends a message until it is answered: a temporary error is retried, a little later each time. */
async function exchange(message: Message, correspondent: Correspondent, wait: ReviewWait): Promise<Reply> {
  for (let failed = 0; ; failed++) {
    let reply: Reply | undefined
    let cause: unknown
    try {
      reply = await attempt(message, correspondent, wait)
    } catch (error) {
      cause = error
    }
    if (reply !== undefined && reply.status < 500 && reply.status !== 429) return reply
    if (failed >= correspondent.retries)
      throw new Error(reply === undefined ? 'the webhook does not answer' : `the webhook answered ${reply.status}`, { cause })
    const backoffMs = Math.min(BACKOFF_MS * 2 ** failed, LONGEST_PAUSE_MS)
    await pause(Math.max(backoffMs, retryAfterMs(reply?.headers, wait) ?? 0), wait)
  }
}

/** The delay of `Retry-After`, in seconds or as a date, within a limit. */
function retryAfterMs(headers: Headers | undefined, { clock }: ReviewWait): number | undefined {
  const value = headers?.get('retry-after')
  if (value === undefined || value === null || value.trim() === '') return undefined
  const seconds = Number(value)
  const ms = Number.isNaN(seconds) ? Date.parse(value) - clock.now() : seconds * 1000
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(0, ms), LONGEST_PAUSE_MS)
}

async function attempt({ id, url, body }: Message, { secret, attemptMs, fetch }: Correspondent, wait: ReviewWait): Promise<Reply> {
  const late = new AbortController()
  const stopTimer = wait.clock.timer(attemptMs, () => late.abort(new DOMException('The webhook took too long.', 'TimeoutError')))
  const timestamp = String(Math.floor(wait.clock.now() / 1000))
  try {
    const response = await fetch(url, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        accept: 'application/json',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...signatureHeaders(secret, { id, timestamp, body: body ?? '' }),
      },
      ...(body === undefined ? {} : { body }),
      redirect: 'manual',
      signal: AbortSignal.any([wait.signal, late.signal]),
    })
    return { status: response.status, headers: response.headers, body: await readBody(response) }
  } finally {
    stopTimer()
  }
}

/** Only a decision is read, and never more than its limit: the rest is cut off at the source. */
async function readBody(response: Response): Promise<string | undefined> {
  if (response.body === null) return ''
  if (response.status !== 200) {
    await response.body.cancel()
    return ''
  }
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body) {
    size += chunk.length
    if (size > LARGEST_BODY) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
