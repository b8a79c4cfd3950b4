import { type Duration, toMilliseconds } from '../tool/duration.ts'
import { ConfigurationError } from '../tool/errors/configuration-error.ts'
import type { ReviewHandler } from '../tool/review.ts'
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
  const correspondent = {
    secret,
    retries,
    attemptMs: toMilliseconds(attemptTimeout, 'The attemptTimeout of a webhook review'),
    fetch: options.fetch ?? globalThis.fetch,
  }
  return {
    channel: 'webhook',
    deciders: 'signed',
    timeoutMs: toMilliseconds(timeout, 'The timeout of a webhook review'),
    // Loaded when a person is asked first: most programs have no webhook.
    review: async (request, wait) => {
      const { askWebhook } = await import('./ask-webhook.ts')
      return askWebhook(request, { url, ...correspondent }, wait)
    },
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
