import { AsyncLocalStorage } from 'node:async_hooks'
import type { FetchLike } from '@modelcontextprotocol/client'
import type { LinkCalls } from './link-calls.ts'
import { MovedAddresses } from './moved-addresses.ts'
import { isBareDenial } from './sent-outcome.ts'
import type { UpstreamSecrets } from './upstream-secrets.ts'

/** A message of the server is longer than it may be. */
export class MessageTooLong extends Error {
  override readonly name = 'MessageTooLong'
}

/** The answer to a request, as far as its sender must know it: a stream may bring the result later, everything else has brought it or never will. */
export const answering = new AsyncLocalStorage<{ isStream: boolean }>()

const LINE_END = 0x0a
const RETURN = 0x0d

export interface FetchSetting {
  readonly maxBytes: number
  readonly secrets: UpstreamSecrets
  readonly calls: Pick<LinkCalls, 'current'>
  readonly onTooLong: (error: MessageTooLong) => void
}

/**
 * A fetch whose answers are read no further than one message may be long. In a stream of events each event counts by itself. An answer that is an
 * error becomes the message of one, so that secrets are hidden in it here.
 */
export function boundedFetch({ maxBytes, secrets, calls, onTooLong }: FetchSetting): FetchLike {
  const moved = new MovedAddresses()
  return async (url, init) => {
    const call = calls.current
    // The SDK gets a new token after a denial, which serves the next call, and sends this one again.
    if (call?.denial !== undefined && !call.mayRepeat && isCall(init)) return new Response(null, { status: call.denial })
    secrets.send(init ?? {})
    const response = moved.heard(await fetch(moved.addressOf(url, init), sentOnce(init)), { url, init })
    const noteDenial = (text: string): void => {
      if (call !== undefined && isBareDenial(response, text) && isCall(init)) call.denial = response.status
    }
    if (response.body === null) noteDenial('')
    if (response.body === null) return response
    // Only such an answer is read event by event; any other is read as a whole.
    const [mediaType = ''] = (response.headers.get('content-type') ?? '').split(';')
    const isStream = response.ok && mediaType.trim().toLowerCase() === 'text/event-stream'
    const answer = answering.getStore()
    if (answer !== undefined && isStream) answer.isStream = true
    const body = response.body.pipeThrough(counting(maxBytes, { isStream, onTooLong }))
    const { status, headers } = response
    const statusText = inLatin1(secrets.text(response.statusText))
    const shown = response.ok ? body : secrets.text(await new Response(body).text())
    if (typeof shown === 'string') noteDenial(shown)
    const bounded = new Response(shown, { status, statusText, headers: response.ok ? headers : shownHeaders(headers, secrets) })
    // The SDK compares addresses after redirects, and a new response has none.
    Object.defineProperties(bounded, { url: { value: response.url }, redirected: { value: response.redirected } })
    return bounded
  }
}

/** `fetch` sends a request again by itself where the answer is 421, unless its body is a stream. */
function sentOnce(init: RequestInit | undefined): RequestInit | undefined {
  if (typeof init?.body !== 'string' || !isCall(init)) return init
  const bytes = new TextEncoder().encode(init.body)
  const headers = new Headers(init.headers)
  headers.set('content-length', String(bytes.length))
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start: (controller) => {
      controller.enqueue(bytes)
      controller.close()
    },
  })
  return { ...init, headers, body, duplex: 'half' }
}

function isCall(init: RequestInit | undefined): boolean {
  // A quotation mark inside a text is escaped.
  return init?.method === 'POST' && typeof init.body === 'string' && init.body.includes('"method":"tools/call"')
}

/** The first line and the headers of an answer have only such characters. */
function inLatin1(text: string): string {
  return text.replaceAll('•', '*')
}

/** A challenge may repeat the token that it refuses. */
function shownHeaders(headers: Headers, secrets: UpstreamSecrets): Headers {
  const shown = new Headers(headers)
  const challenge = headers.get('www-authenticate')
  if (challenge !== null && secrets.text(challenge) !== challenge) shown.set('www-authenticate', inLatin1(secrets.text(challenge)))
  return shown
}

interface Counting {
  readonly isStream: boolean
  readonly onTooLong: (error: MessageTooLong) => void
}

function counting(maxBytes: number, { isStream, onTooLong }: Counting): TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>> {
  let count = 0
  let isLineEmpty = true
  return new TransformStream({
    transform(chunk, controller) {
      if (!isStream) count += chunk.length
      else
        for (const byte of chunk) {
          if (byte === LINE_END && isLineEmpty) count = 0
          else count++
          if (byte !== RETURN) isLineEmpty = byte === LINE_END
        }
      if (count <= maxBytes) return controller.enqueue(chunk)
      const error = new MessageTooLong(`it sent a message of more than ${maxBytes} bytes`)
      controller.error(error)
      onTooLong(error)
    },
  })
}
