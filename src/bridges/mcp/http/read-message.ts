import type { Clock } from '../../../tool/ports/clock.ts'
import type { HttpLimits } from './http-limits.ts'
import { INVALID_REQUEST, PARSE_ERROR, type Refusal } from './refusal.ts'

/** The body of a request: bytes that are still to come, or what a framework has read already. */
export type Body = { readonly bytes: AsyncIterable<Uint8Array> | null } | { readonly parsed: unknown }

export type ReadMessage = { readonly message: object } | { readonly refusal: Refusal }

interface Reading extends Pick<HttpLimits, 'bodyBytes' | 'bodyMs' | 'depth'> {
  readonly clock: Clock
  /** As the client declares it. */
  readonly contentLength: string | null
}

/** The one message in a body. It is refused before it is read where its declared length is too large, and while it is read where it is too slow. */
export async function readMessage(body: Body, reading: Reading): Promise<ReadMessage> {
  if ('parsed' in body) return checkedMessage(body.parsed, reading)
  if (Number(reading.contentLength ?? 0) > reading.bodyBytes) return { refusal: tooLarge(reading) }
  const text = await readText(body.bytes, reading)
  if (typeof text !== 'string') return { refusal: text }
  try {
    return checkedMessage(JSON.parse(text), reading)
  } catch {
    return { refusal: { status: 400, code: PARSE_ERROR, message: 'Parse error: the body is not valid JSON.' } }
  }
}

async function readText(bytes: AsyncIterable<Uint8Array> | null, reading: Reading): Promise<string | Refusal> {
  if (bytes === null) return ''
  const late = Promise.withResolvers<'late'>()
  const stop = reading.clock.timer(reading.bodyMs, () => late.resolve('late'))
  const iterator = bytes[Symbol.asyncIterator]()
  const chunks: Uint8Array[] = []
  let length = 0
  try {
    for (;;) {
      const next = await Promise.race([iterator.next(), late.promise])
      if (next === 'late') return leave(iterator, tooSlow(reading))
      if (next.done === true) return Buffer.concat(chunks).toString()
      length += next.value.byteLength
      if (length > reading.bodyBytes) return leave(iterator, tooLarge(reading))
      chunks.push(next.value)
    }
  } catch {
    return { status: 400, code: PARSE_ERROR, message: 'Parse error: the body broke off.' }
  } finally {
    stop()
  }
}

/** The rest is not read. Nobody waits for that: a client that is slow is slow here too. */
function leave(iterator: AsyncIterator<Uint8Array>, refusal: Refusal): Refusal {
  void Promise.resolve(iterator.return?.()).catch(() => {})
  return refusal
}

function checkedMessage(message: unknown, { depth }: Reading): ReadMessage {
  if (Array.isArray(message))
    return {
      refusal: { status: 400, code: INVALID_REQUEST, message: 'Invalid Request: batches are not served. Send each message by itself.' },
    }
  if (typeof message !== 'object' || message === null)
    return { refusal: { status: 400, code: INVALID_REQUEST, message: 'Invalid Request: a message is one JSON object.' } }
  if (isDeeper(message, depth))
    return {
      refusal: { status: 400, code: INVALID_REQUEST, message: `Invalid Request: the message is nested deeper than ${depth} levels.` },
    }
  return { message }
}

/** Level by level, so that no depth exhausts the stack. */
function isDeeper(message: object, depth: number): boolean {
  let level: object[] = [message]
  for (let left = depth; left > 0; left--) {
    const next: object[] = []
    for (const each of level)
      for (const value of Object.values(each) as unknown[]) if (typeof value === 'object' && value !== null) next.push(value)
    if (next.length === 0) return false
    level = next
  }
  return true
}

// The rest of the body is on the way, and nobody reads it: the connection cannot be used again.
const LAST = { connection: 'close' }

function tooLarge({ bodyBytes }: Reading): Refusal {
  return { status: 413, message: `The message is larger than ${bodyBytes} bytes.`, headers: LAST }
}

function tooSlow({ bodyMs }: Reading): Refusal {
  return { status: 408, message: `The message did not arrive within ${bodyMs} ms.`, headers: LAST }
}
