import type { FetchLike } from '@modelcontextprotocol/client'

/** A message of the server is longer than it may be. */
export class MessageTooLong extends Error {
  override readonly name = 'MessageTooLong'
}

const LINE_END = 0x0a
const RETURN = 0x0d

/** A fetch whose answers are read no further than one message may be long. In a stream of events each event counts by itself. */
export function boundedFetch(maxBytes: number, onTooLong: (error: MessageTooLong) => void): FetchLike {
  return async (url, init) => {
    const response = await fetch(url, init)
    if (response.body === null) return response
    // Only such an answer is read event by event; any other is read as a whole.
    const [mediaType = ''] = (response.headers.get('content-type') ?? '').split(';')
    const isStream = response.ok && mediaType.trim().toLowerCase() === 'text/event-stream'
    const body = response.body.pipeThrough(counting(maxBytes, { isStream, onTooLong }))
    const { status, statusText, headers } = response
    const bounded = new Response(body, { status, statusText, headers })
    // The SDK compares addresses after redirects, and a new response has none.
    Object.defineProperties(bounded, { url: { value: response.url }, redirected: { value: response.redirected } })
    return bounded
  }
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
