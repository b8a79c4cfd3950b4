import type { Client, Transport } from '@modelcontextprotocol/client'
import { backoff } from '../../../policies/backoff.ts'
import { excerpt } from '../../../schema/quote.ts'
import { classifyError } from '../../../tool/errors/classify-error.ts'
import { isConfigurationError } from '../../../tool/errors/configuration-error.ts'
import { ToolError, type ToolErrorOptions } from '../../../tool/errors/tool-error.ts'
import type { Clock } from '../../../tool/ports/clock.ts'
import { printable } from '../../../tool/printable.ts'
import { httpStatusOf } from './http-status.ts'
import type { LinkCalls } from './link-calls.ts'

/** A connection that is open, or was. */
export interface OpenLink {
  readonly client: Client
  readonly transport: Transport
  readonly calls: LinkCalls
  /** Why it ended, where that is known. */
  readonly ending: () => string | undefined
}

export interface ServerLinkOptions {
  readonly server: string
  /** Where it is, for messages; a program is nowhere. */
  readonly address: string | undefined
  readonly clock: Clock
  readonly random: () => number
  /** Connects once; gives up when the signal says so. */
  readonly open: (signal: AbortSignal) => Promise<OpenLink>
}

const LONGEST_REASON = 1000
const CLOSED = 'The connection was closed by this program.'

/** Between two attempts to connect; the attempts of one outage are not limited, since each belongs to a call. */
const WAITS = backoff({ attempts: Number.MAX_SAFE_INTEGER, base: 250, max: '30s' })

/**
 * The connection to one server. It is opened again when a call needs it, and not before a pause that grows with every failure in a row: a
 * program that dies at every call is started seldom, and calls in between fail at once and say when to come back.
 */
export class ServerLink {
  readonly #options: ServerLinkOptions
  #current: OpenLink | undefined
  #connecting: Promise<OpenLink> | undefined
  readonly #closing = new AbortController()
  #wasOpen = false
  /** Failures and losses since the last call that went well. */
  #failures = 0
  #notBefore = 0
  #last: Failure = { reason: '' }

  constructor(options: ServerLinkOptions) {
    this.#options = options
  }

  get current(): OpenLink | undefined {
    return this.#current
  }

  /** The connection, opened where it is not. Throws a ToolError if there is none: nothing was sent. */
  connected(): Promise<OpenLink> {
    if (this.#closing.signal.aborted) return Promise.reject(this.#closed())
    if (this.#connecting !== undefined) return this.#connecting
    const waitMs = this.#pauseMs()
    if (waitMs > 0) return Promise.reject(this.#error(this.#last, { retryAfterMs: waitMs }))
    if (this.#current !== undefined) return Promise.resolve(this.#current)
    this.#connecting = this.#connect().finally(() => {
      this.#connecting = undefined
    })
    return this.#connecting
  }

  /** The server has answered: the next loss is the first one again. */
  answered(): void {
    this.#failures = 0
    this.#notBefore = 0
  }

  /**
   * Nobody listens where the server was. It has forgotten its sessions, most likely: the next call begins another. Without a session there is
   * nothing to begin anew, and only the pause counts; calls that fail side by side do not prolong it.
   */
  async unreached(link: OpenLink, why: string): Promise<void> {
    if (link.transport.sessionId !== undefined) await this.lose(link, why)
    else if (this.#current === link && this.#pauseMs() <= 0) this.#failed({ reason: why })
  }

  #pauseMs(): number {
    return Math.ceil(this.#notBefore - this.#options.clock.tick())
  }

  /** The connection cannot be used any more: the next call opens another. */
  async lose(link: OpenLink, why: string): Promise<void> {
    if (this.#current !== link) return
    this.#current = undefined
    this.#failed({ reason: why })
    await link.client.close().catch(() => {})
  }

  /** An attempt to connect is given up. */
  async close(): Promise<void> {
    this.#closing.abort(new Error(CLOSED))
    const open = this.#current ?? (await this.#connecting?.catch(() => undefined))
    this.#current = undefined
    await open?.client.close().catch(() => {})
    await open?.transport.close().catch(() => {})
  }

  async #connect(): Promise<OpenLink> {
    let link: OpenLink
    try {
      link = await this.#options.open(this.#closing.signal)
    } catch (error) {
      if (isConfigurationError(error)) throw error
      if (this.#closing.signal.aborted) throw this.#closed()
      const { message: reason, code, retryAfterMs } = classifyError(error)
      const status = httpStatusOf(error)
      const failed = { reason, status: typeof status === 'number' ? status : undefined, isDenied: code === 'access_denied' }
      this.#failed(failed)
      throw this.#error(failed, { retryAfterMs, cause: error })
    }
    if (this.#closing.signal.aborted) {
      await link.client.close().catch(() => {})
      throw this.#closed()
    }
    const onclose = (): void => {
      if (this.#current !== link) return
      this.#current = undefined
      this.#failed({ reason: link.ending() ?? 'the connection was lost' })
    }
    Object.assign(link.client, { onclose })
    this.#current = link
    this.#wasOpen = true
    return link
  }

  #failed(failure: Failure): void {
    const { clock, random } = this.#options
    this.#last = failure
    // The first loss is repaired at once.
    const waitMs =
      this.#failures === 0 && this.#wasOpen ? 0 : (WAITS.waitAfter(Math.min(this.#failures + 1, 30), { class: 'transient' }, random()) ?? 0)
    this.#failures++
    this.#notBefore = clock.tick() + waitMs
  }

  #closed(): ToolError {
    return this.#error({ reason: CLOSED }, { retryable: false })
  }

  /** What happened stands first. A denial is one until somebody lets this program in, however often it is tried. */
  #error({ reason, status, isDenied = false }: Failure, options: ErrorOptions): ToolError {
    const { server, address } = this.#options
    const what = isDenied ? 'refuses access' : 'cannot be reached'
    const answered = status === undefined ? '' : ` (HTTP ${status})`
    const text = printable(excerpt(reason.replace(answered, ''), LONGEST_REASON))
    const where = address === undefined ? '' : ` at ${address}`
    return new ToolError(`MCP server '${server}' ${what}${answered}${where}: ${text}`, {
      code: isDenied ? 'access_denied' : 'service_unavailable',
      outcome: 'not_started',
      internal: true,
      ...(isDenied ? { retryable: false, hint: DENIED } : {}),
      ...options,
    })
  }
}

const DENIED = "The connection needs a token or a key that is valid there: 'auth', or 'headers'. Ask a person."

/** Why there is no connection. */
interface Failure {
  readonly reason: string
  /** That of HTTP. */
  readonly status?: number | undefined
  /** The server does not let this program in. */
  readonly isDenied?: boolean | undefined
}

type ErrorOptions = Pick<ToolErrorOptions, 'retryable' | 'retryAfterMs' | 'cause'>
