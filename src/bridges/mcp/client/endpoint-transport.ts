import type { StreamableHTTPClientTransport, Transport } from '@modelcontextprotocol/client'
import type { Clock } from '../../../tool/ports/clock.ts'
import { classifyError } from '../../../tool/errors/classify-error.ts'
import { httpStatusOf } from './http-status.ts'
import { answering } from './bounded-fetch.ts'
import type { LinkCalls } from './link-calls.ts'
import type { UpstreamSecrets } from './upstream-secrets.ts'

type Send = Transport['send']
type Message = Parameters<Send>[0]

/** How long a server may take to be told that its session has ended. */
const GOODBYE_MS = 1000

/** The code that SDKs use for a connection that was closed. */
const CLOSED = -32000

export interface EndpointSetting {
  readonly clock: Clock
  readonly secrets: UpstreamSecrets
  readonly calls: LinkCalls
}

/**
 * Streamable HTTP as the SDK speaks it. A request whose stream or message ends without an answer fails, where the SDK would wait for it, and a session that is
 * no longer needed is ended.
 */
export class EndpointTransport implements Transport {
  onclose?: () => void
  onerror?: (error: Error) => void
  onmessage?: Transport['onmessage']
  readonly hasPerRequestStream = true
  readonly #inner: StreamableHTTPClientTransport
  /** The same; as a transport it takes undefined options. */
  readonly #sender: Transport
  readonly #clock: Clock
  readonly #calls: LinkCalls
  readonly #unanswered = new Set<string | number>()

  constructor(inner: StreamableHTTPClientTransport, { clock, secrets, calls }: EndpointSetting) {
    this.#inner = inner
    this.#sender = inner
    this.#clock = clock
    this.#calls = calls
    Object.assign(inner, {
      onclose: () => this.onclose?.(),
      onerror: (error: Error) => this.onerror?.(error),
      onmessage: (message: Message) => {
        secrets.hideIn(message)
        if (!('method' in message) && message.id !== undefined) {
          this.#unanswered.delete(message.id)
          calls.answered(message.id)
        }
        this.onmessage?.(message)
      },
    } satisfies Pick<Transport, 'onclose' | 'onerror' | 'onmessage'>)
  }

  get sessionId(): string | undefined {
    return this.#inner.sessionId
  }

  start(): Promise<void> {
    return this.#inner.start()
  }

  setProtocolVersion(version: string): void {
    this.#inner.setProtocolVersion(version)
  }

  send(message: Message, options: Parameters<Send>[1]): Promise<void> {
    if ('method' in message && 'id' in message) this.#calls.sent(message.id)
    if (!('method' in message) || !('id' in message) || options?.onRequestStreamEnd !== undefined)
      return this.#sender.send(message, options)
    const { id } = message
    this.#unanswered.add(id)
    const onRequestStreamEnd = (): void => {
      if (this.#unanswered.delete(id))
        this.onmessage?.({ jsonrpc: '2.0', id, error: { code: CLOSED, message: 'Connection closed: the answer broke off.' } })
    }
    const answer = { isStream: false }
    return answering
      .run(answer, () => this.#sender.send(message, { ...options, onRequestStreamEnd }))
      .then(() => {
        if (!answer.isStream) onRequestStreamEnd()
      })
      .catch((error: unknown) => {
        this.#unanswered.delete(id)
        if (typeof httpStatusOf(error) === 'number' || classifyError(error).outcome === 'not_started') this.#calls.answered(id)
        throw error
      })
  }

  async close(): Promise<void> {
    if (this.#inner.sessionId !== undefined) await this.#sayGoodbye()
    await this.#inner.close()
  }

  #sayGoodbye(): Promise<void> {
    return new Promise((resolve) => {
      const stop = this.#clock.timer(GOODBYE_MS, resolve)
      const done = (): void => {
        stop()
        resolve()
      }
      this.#inner.terminateSession().then(done, done)
    })
  }
}
