import { cryptoModule } from '../tool/crypto-module.ts'
import { type Duration, toMilliseconds } from '../tool/duration.ts'
import { checkOptionNames, optionNames } from '../tool/option-names.ts'

/** The signed parts of a message. */
interface Signed {
  readonly id: string
  /** Seconds since the epoch. */
  readonly timestamp: string
  readonly body: string | Uint8Array
}

const ID_HEADER = 'toolwright-id'
const TIMESTAMP_HEADER = 'toolwright-timestamp'
const SIGNATURE_HEADER = 'toolwright-signature'

export function signatureHeaders(secret: string, signed: Signed): Record<string, string> {
  return {
    [ID_HEADER]: signed.id,
    [TIMESTAMP_HEADER]: signed.timestamp,
    [SIGNATURE_HEADER]: `v1=${digestOf(secret, signed).toString('hex')}`,
  }
}

/** A request that claims to come from a webhook. */
export interface WebhookMessage {
  /** As a server got them: a `Headers`, or the `headers` of a node request. */
  readonly headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>
  /** The raw body, before any parsing; empty where there is none. */
  readonly body: string | Uint8Array
  readonly secret: string
  /** How far the timestamp may be from now; five minutes by default. */
  readonly tolerance?: Duration | undefined
  /** Milliseconds since the epoch. */
  readonly now?: (() => number) | undefined
}

const MESSAGE_NAMES = optionNames<WebhookMessage>({ headers: true, body: true, secret: true, tolerance: true, now: true })

/**
 * Whether a message was sent by a holder of the secret, is unchanged, and is recent. For the server behind `webhookReview`.
 * @example
 * if (!verifyWebhookSignature({ headers: request.headers, body, secret })) return response.writeHead(401).end()
 */
export function verifyWebhookSignature(message: WebhookMessage): boolean {
  checkOptionNames(message, MESSAGE_NAMES, 'The options of verifyWebhookSignature')
  const { headers, body, secret, tolerance = '5m', now = Date.now } = message
  const toleranceMs = toMilliseconds(tolerance, 'The tolerance of a webhook signature')
  const id = header(headers, ID_HEADER)
  const timestamp = header(headers, TIMESTAMP_HEADER)
  const [, given] = /^v1=([0-9a-f]{64})$/.exec(header(headers, SIGNATURE_HEADER) ?? '') ?? []
  if (secret === '' || id === undefined || timestamp === undefined || given === undefined || !/^\d{1,12}$/.test(timestamp)) return false
  const isGenuine = cryptoModule().timingSafeEqual(digestOf(secret, { id, timestamp, body }), Buffer.from(given, 'hex'))
  return isGenuine && Math.abs(now() - Number(timestamp) * 1000) <= toleranceMs
}

/** An answer to a webhook that is about to be signed. */
export interface WebhookAnswer {
  /** The id of the review request that is answered. */
  readonly id: string
  /** The answer as it is sent, to the letter. */
  readonly body: string | Uint8Array
  readonly secret: string
  /** Milliseconds since the epoch. */
  readonly now?: (() => number) | undefined
}

const ANSWER_NAMES = optionNames<WebhookAnswer>({ id: true, body: true, secret: true, now: true })

/**
 * The headers that sign an answer to `webhookReview`. Without them the decision counts, and the name in `by` is only claimed.
 * @example
 * const answer = JSON.stringify({ action: 'continue', by: 'ada' })
 * const headers = signWebhookAnswer({ id: 'the id of the request', body: answer, secret })
 * console.log(Object.keys(headers).length) // 3
 */
export function signWebhookAnswer(answer: WebhookAnswer): Record<string, string> {
  checkOptionNames(answer, ANSWER_NAMES, 'The options of signWebhookAnswer')
  const { id, body, secret, now = Date.now } = answer
  return signatureHeaders(secret, { id, timestamp: String(Math.floor(now() / 1000)), body })
}

function digestOf(secret: string, { id, timestamp, body }: Signed): Buffer {
  return cryptoModule().createHmac('sha256', secret).update(`${id}.${timestamp}.`).update(body).digest()
}

/** A repeated header does not count. */
function header(headers: WebhookMessage['headers'], name: string): string | undefined {
  const value = headers instanceof Headers ? headers.get(name) : headers[name]
  return typeof value === 'string' ? value : undefined
}
