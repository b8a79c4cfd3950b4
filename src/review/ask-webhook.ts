import { readDecision } from '../tool/engine/read-decision.ts'
import { asVouched } from '../tool/deciders.ts'
import type { ReviewDecision, ReviewRequest, ReviewWait } from '../tool/review.ts'
import { reviewableJson } from '../tool/reviewable-json.ts'
import { pause } from './pause.ts'
import { signatureHeaders, verifyWebhookSignature } from './verify-webhook-signature.ts'

const POLL_MS = 5000
const SHORTEST_POLL_MS = 1000

/** Whom to talk to, and how patiently. */
export interface Correspondent {
  readonly url: URL
  readonly secret: string
  readonly retries: number
  readonly attemptMs: number
  readonly fetch: typeof globalThis.fetch
}

/** Posts a request to a server, and gives its decision. */
export async function askWebhook(request: ReviewRequest, correspondent: Correspondent, wait: ReviewWait): Promise<ReviewDecision> {
  const { id } = request
  const { url, secret } = correspondent
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
