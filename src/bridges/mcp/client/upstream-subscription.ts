import type { McpSubscription } from '@modelcontextprotocol/client'
import type { Clock } from '../../../tool/ports/clock.ts'
import { BackgroundAttempts } from './background-attempts.ts'
import type { OpenLink } from './server-link.ts'

interface SubscriptionParts {
  readonly clock: Clock
  readonly random: () => number
  readonly connectMs: number
  readonly isCurrent: (link: OpenLink) => boolean
  /** What is opened here belongs to no call. */
  readonly outside: <T>(work: () => Promise<T>) => Promise<T>
  readonly onEnd: () => void
  readonly onOpen: () => Promise<void>
}

const FIRST_WITH_STREAM = '2026-07-28'
/** A stream that lasted so long was a good one: the next end of it is the first again. */
const GOOD_MS = 30_000

/**
 * The stream on which a server of revision 2026-07-28 reports changes. It ends when the server is started anew, or when something between closes
 * it; it is opened again in the background, and the list is read after that.
 */
export class UpstreamSubscription {
  readonly #parts: SubscriptionParts
  readonly #attempts: BackgroundAttempts
  readonly #closing = new AbortController()
  #link: OpenLink | undefined

  constructor(parts: SubscriptionParts) {
    this.#parts = parts
    const { clock, random } = parts
    this.#attempts = new BackgroundAttempts({ clock, random, attempt: () => this.#listen() })
  }

  /** The stream of a connection that has just been opened; one that the server does not offer is not asked for. */
  follow(link: OpenLink): void {
    if (this.#link === link || this.#closing.signal.aborted) return
    this.#link = link
    const { autoOpenedSubscription } = link.client
    if (autoOpenedSubscription !== undefined) this.#watch(link, autoOpenedSubscription)
    else if (hasStream(link)) this.#attempts.begin()
  }

  close(): void {
    this.#closing.abort(new Error('The connection was closed by this program.'))
    this.#attempts.close()
  }

  #watch(link: OpenLink, { closed }: McpSubscription): void {
    const { clock, isCurrent, onEnd } = this.#parts
    const since = clock.tick()
    void closed.then((how) => {
      if (how === 'local' || !isCurrent(link)) return
      if (clock.tick() - since >= GOOD_MS) this.#attempts.wentWell()
      onEnd()
      this.#attempts.begin()
    })
  }

  async #listen(): Promise<void> {
    const { connectMs, isCurrent, outside, onOpen } = this.#parts
    const link = this.#link
    // Another connection brings a stream of its own.
    if (link === undefined || !isCurrent(link)) return
    const options = { timeout: connectMs, signal: this.#closing.signal }
    const subscription = await outside(() => link.client.listen({ toolsListChanged: true }, options))
    this.#watch(link, subscription)
    // It is a finding where the list cannot be read.
    await onOpen().catch(() => {})
  }
}

/** Of a server that reports changes, and refused the stream when the connection was opened. Older revisions have none. */
function hasStream({ client }: OpenLink): boolean {
  return client.getServerCapabilities()?.tools?.listChanged === true && (client.getNegotiatedProtocolVersion() ?? '') >= FIRST_WITH_STREAM
}
