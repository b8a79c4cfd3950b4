import type { ReviewWait } from '../tool/review.ts'
import { pause } from './pause.ts'
import { signatureHeaders } from './webhook-signature.ts'

/** Whom to talk to, and how patiently. */
export interface Correspondent {
  readonly secret: string
  readonly retries: number
  readonly attemptMs: number
  readonly fetch: typeof globalThis.fetch
}

export interface Message {
  /** The same in every attempt: a receiver can tell a repetition by it. */
  readonly id: string
  readonly url: URL
  /** Posted where there is one; else the message is a GET. */
  readonly body?: string | undefined
}

export interface Reply {
  readonly status: number
  readonly headers: Headers
  /** Undefined where it is longer than anybody needs for a decision. */
  readonly body: string | undefined
}

const LARGEST_BODY = 64 * 1024
const BACKOFF_MS = 500
const LONGEST_PAUSE_MS = 60_000

/** Sends a message until it is answered: what looks like a passing trouble is tried again, a little later each time. */
export async function exchange(message: Message, correspondent: Correspondent, wait: ReviewWait): Promise<Reply> {
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

/** What `Retry-After` asks for, in seconds or as a date, within reason. */
export function retryAfterMs(headers: Headers | undefined, { clock }: ReviewWait): number | undefined {
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
