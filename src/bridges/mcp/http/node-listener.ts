import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Body } from './read-message.ts'
import type { Answer, Incoming } from './mcp-endpoint.ts'
import { INVALID_REQUEST, refused } from './refusal.ts'

/**
 * A listener for servers of `node:http`, and for frameworks that have its objects. A framework that has read the body passes it as the third
 * argument, or as `body` of the request; a function in its place, as express passes it, is ignored.
 */
export type McpNodeListener = (request: IncomingMessage, response: ServerResponse, body?: unknown) => Promise<void>

export function nodeListener(answer: (incoming: Incoming) => Promise<Answer>): McpNodeListener {
  return async (incoming, outgoing, body) => {
    const gone = new AbortController()
    let isSent = false
    outgoing.once('close', () => {
      if (!isSent) gone.abort(new DOMException('The client has gone.', 'AbortError'))
    })
    const request = webRequest(incoming, gone.signal)
    const given = { request, body: bodyOf(incoming, body), address: incoming.socket.remoteAddress }
    const { response, over } = request === undefined ? NOT_READABLE() : await answer({ ...given, request })
    try {
      await send(response, outgoing, incoming.httpVersionMajor)
    } catch {
      // The client has gone, or the stream broke: the connection tells it.
      outgoing.destroy()
    } finally {
      isSent = true
      over()
    }
  }
}

const NOT_READABLE = (): Answer => ({
  response: refused({ status: 400, code: INVALID_REQUEST, message: 'The request is not readable.' }),
  over: () => {},
})

/** The request without its body, which is read under our limits. Undefined where its parts have no meaning. */
function webRequest(incoming: IncomingMessage & { readonly originalUrl?: string }, signal: AbortSignal): Request | undefined {
  const headers = new Headers()
  const { rawHeaders, method = 'GET', url = '/', originalUrl = url } = incoming
  try {
    for (let index = 0; index < rawHeaders.length; index += 2) {
      const [name = '', value = ''] = [rawHeaders[index], rawHeaders[index + 1]]
      if (!name.startsWith(':')) headers.append(name, value)
      else if (name === ':authority') headers.set('host', value)
    }
    return new Request(new URL(originalUrl, `http://${headers.get('host') ?? ''}`), { method, headers, signal })
  } catch {
    return undefined
  }
}

function bodyOf(incoming: IncomingMessage & { readonly body?: unknown }, given: unknown): Body {
  const parsed = typeof given === 'function' || given === undefined ? incoming.body : given
  // The iterator leaves the connection open, so that a body that is refused gets its answer.
  return parsed === undefined ? { bytes: incoming.iterator({ destroyOnReturn: false }) } : { parsed }
}

async function send(response: Response, to: ServerResponse, version: number): Promise<void> {
  const headers = Object.fromEntries(response.headers)
  if (version > 1) delete headers['connection']
  if (to.destroyed) {
    await response.body?.cancel()
    return
  }
  to.writeHead(response.status, headers)
  const isStream = headers['content-type']?.startsWith('text/event-stream') === true
  if (response.body === null) to.end()
  else if (isStream) await pump(response.body, to, version)
  else to.end(Buffer.from(await response.arrayBuffer()))
}

/** Sends as fast as the client reads. */
async function pump(body: ReadableStream<Uint8Array>, to: ServerResponse, version: number): Promise<void> {
  const gather = gathering(to, version)
  gather()
  to.flushHeaders()
  const reader = body.getReader()
  let wake: (() => void) | undefined
  const leave = (): void => {
    wake?.()
    void reader.cancel().catch(() => {})
  }
  to.once('close', leave)
  to.on('drain', () => wake?.())
  for (;;) {
    const { done, value } = await reader.read()
    if (done || to.destroyed) break
    gather()
    if (!to.write(value)) await new Promise<void>((resolve) => (wake = resolve))
  }
  to.off('close', leave)
  to.end()
}

/**
 * What comes in one turn of the event loop is sent at once: a short answer with its headers and events is then one write, not four. The
 * connection is held back, not the response: Node sends the end of a response that is held back before its last part.
 */
function gathering({ socket }: ServerResponse, version: number): () => void {
  let isHeld = false
  const release = (): void => {
    isHeld = false
    socket?.uncork()
  }
  return () => {
    // Streams of HTTP/2 share their connection.
    if (isHeld || version > 1) return
    isHeld = true
    socket?.cork()
    setImmediate(release)
  }
}
