import { readDecision } from '../tool/engine/read-decision.ts'
import { type Duration, toMilliseconds } from '../tool/duration.ts'
import { ConfigurationError } from '../tool/errors/configuration-error.ts'
import type { ReviewHandler } from '../tool/review.ts'
import { pause } from './pause.ts'
import { reviewableJson } from './reviewable-json.ts'
import { type Correspondent, exchange, type Reply, retryAfterMs } from './webhook-exchange.ts'

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

const POLL_MS = 5000
const SHORTEST_POLL_MS = 1000

/**
 * Posts each request to a server of your own. It answers 200 with the decision as JSON, or 202 with a `Location` that is asked until it does.
 * @example
 * const review = webhookReview({ url: 'https://desk.example.com/reviews', secret })
 */
export function webhookReview(options: WebhookReviewOptions): ReviewHandler {
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
      return readDecision(decisionIn(reply), request)
    },
  }
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
