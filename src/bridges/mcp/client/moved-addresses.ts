import { isRecord } from '../../../schema/json-schema.ts'

interface Sent {
  readonly url: string | URL
  readonly init: RequestInit | undefined
}

/** The statuses by which a server wants the same request at another address. */
const MOVED: ReadonlySet<number> = new Set([307, 308])

/** What may be sent twice, since nothing happens by it: how a connection is opened, lists, and notifications. */
const HARMLESS = /^(?:initialize|ping|server\/discover|tools\/list|subscriptions\/listen|notifications\/.*)$/

const LONGEST_CHAIN = 5

/**
 * Where the endpoint of a server has moved to. The SDK follows a redirect to the same origin by sending the request again, and the first address may
 * have acted on it. So a call is sent to one address: the one to which a harmless request of the same connection was led. If that redirects a call
 * too, the call fails.
 */
export class MovedAddresses {
  readonly #next = new Map<string, string>()

  /** Where a request is sent to. */
  addressOf(url: string | URL, init: RequestInit | undefined): string | URL {
    if (this.#next.size === 0 || init?.method !== 'POST') return url
    let address = String(url)
    for (let steps = 0; steps < LONGEST_CHAIN; steps++) address = this.#next.get(address) ?? address
    return address
  }

  /** The answer as the SDK may see it. */
  heard(response: Response, { url, init }: Sent): Response {
    const location = MOVED.has(response.status) && init?.method === 'POST' ? response.headers.get('location') : null
    const method = location === null ? undefined : methodIn(init?.body)
    if (location === null || method === undefined) return response
    const from = response.url === '' ? String(url) : response.url
    const to = URL.canParse(location, from) ? new URL(location, from) : undefined
    if (HARMLESS.test(method)) {
      if (to?.origin === new URL(from).origin) this.#next.set(from, to.href)
      return response
    }
    void response.body?.cancel().catch(() => {})
    const { status, statusText } = response
    const where = to === undefined ? '' : ` to ${to.origin}${to.pathname}`
    // Without the address, the SDK follows nowhere.
    return new Response(
      `the server answered with a redirect${where}, and a call is sent once. Use the address of the server itself as 'url'.`,
      {
        status,
        statusText,
      },
    )
  }
}

/** Of a message of the protocol; empty for one that answers the server, and undefined for anything else. */
function methodIn(body: RequestInit['body']): string | undefined {
  if (typeof body !== 'string') return undefined
  try {
    const message: unknown = JSON.parse(body)
    if (!isRecord(message) || !('jsonrpc' in message)) return undefined
    return typeof message['method'] === 'string' ? message['method'] : ''
  } catch {
    return undefined
  }
}
