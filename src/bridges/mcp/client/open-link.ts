import type {
  AuthProvider,
  Client,
  ClientOptions,
  CreateMessageRequest,
  CreateMessageResult,
  OAuthClientProvider,
  Transport,
} from '@modelcontextprotocol/client'
import type { McpEndpoint, McpProgram } from '../../../runtime/mcp-server-entry.ts'
import type { Clock } from '../../../tool/ports/clock.ts'
import { boundedFetch } from './bounded-fetch.ts'
import { EndpointTransport } from './endpoint-transport.ts'
import { inheritedEnvironment } from './inherited-environment.ts'
import type { LinkCalls } from './link-calls.ts'
import type { McpClientLibrary } from './load-mcp-client.ts'
import type { OpenLink } from './server-link.ts'
import { ServerProcess } from './server-process.ts'
import type { ServerNotes } from './server-notes.ts'
import type { UpstreamQuestions } from './upstream-questions.ts'
import type { UpstreamSecrets } from './upstream-secrets.ts'

/** Answers a server that asks for a completion of your model. */
export type McpSampling = (
  request: CreateMessageRequest['params'],
  options: { readonly signal: AbortSignal },
) => CreateMessageResult | Promise<CreateMessageResult>

/** A folder that a server may use. */
export interface McpRoot {
  /** Begins with `file://`. */
  readonly uri: string
  readonly name?: string | undefined
}

export interface LinkSetting {
  readonly mcp: McpClientLibrary
  readonly target: McpProgram | (McpEndpoint & { readonly auth?: AuthProvider | OAuthClientProvider | undefined })
  readonly identity: { readonly name: string; readonly version: string }
  readonly clock: Clock
  readonly connectMs: number
  readonly maxBytes: number
  readonly questions: UpstreamQuestions
  readonly notes: ServerNotes
  readonly secrets: UpstreamSecrets
  readonly sampling: McpSampling | undefined
  readonly roots: readonly McpRoot[] | undefined
  /** Whether the server may ask the reviewers of calls. */
  readonly elicitation: boolean
  /** The server is known to speak the older revision, and is not asked for the newer one. */
  readonly isLegacy: boolean
  readonly onListChanged: () => void
}

/** A program that knows only the older revision may ignore the question for the newer one. */
const PROBE_MS = 3000
/** How long a program may take to end that could not be connected. */
const GIVE_UP_MS = 1000

/** Opens connections to one server. It remembers which revision the server speaks. */
export class LinkOpener {
  readonly #setting: LinkSetting
  /** The server speaks the older revision: that is known, or its program ended when it was asked for the newer one. */
  #isLegacy: boolean
  /** The program has ended without a word under both revisions. They take turns then: each attempt starts it once. */
  #turn: 'newer' | 'older' | undefined

  constructor(setting: LinkSetting) {
    this.#setting = setting
    this.#isLegacy = setting.isLegacy
  }

  /** Connects, within the time that is given for it. The signal ends the attempt early. */
  async open(signal: AbortSignal): Promise<OpenLink> {
    const { target, questions, clock, connectMs, notes } = this.#setting
    const late = new AbortController()
    const stop = clock.timer(connectMs, () => late.abort(new Error(`It did not answer in ${connectMs} ms.`)))
    const limit = AbortSignal.any([late.signal, signal])
    const attempt = (isLegacy: boolean): Promise<OpenLink> => questions.outside(() => this.#attempt(limit, isLegacy))
    const turn = this.#turn
    try {
      const link = await attempt(this.#isLegacy || turn === 'older')
      this.#turn = undefined
      return link
    } catch (error) {
      // Some programs end when they are asked for the newer revision first. One that says why it cannot run is not started again.
      if (target.command === undefined || this.#isLegacy || limit.aborted || isNotStarted(error) || notes.isOfItsOwn) throw error
      if (turn !== undefined) this.#turn = turn === 'newer' ? 'older' : 'newer'
      if (turn !== undefined) throw error
      this.#turn = 'newer'
      const link = await attempt(true)
      this.#turn = undefined
      this.#isLegacy = true
      return link
    } finally {
      stop()
    }
  }

  async #attempt(limit: AbortSignal, isLegacy: boolean): Promise<OpenLink> {
    const { connectMs, notes, questions } = this.#setting
    notes.startAnew()
    const calls = questions.newCalls()
    const client = this.#client(calls)
    let tooLong: string | undefined
    const transport = this.#transport(calls, (error) => {
      tooLong = error.message
      void client.close()
    })
    Object.assign(client, { onerror: (error: Error) => notes.error(error) })
    const ending = (): string | undefined => tooLong ?? notes.ending(transport instanceof ServerProcess ? transport.ending : undefined)
    const ended = Promise.withResolvers<never>()
    const onLimit = (): void => ended.reject(limit.reason)
    limit.addEventListener('abort', onLimit, { once: true })
    try {
      limit.throwIfAborted()
      const connecting = client.connect(transport, {
        signal: limit,
        timeout: connectMs,
        ...(isLegacy ? { prior: { kind: 'legacy' as const } } : {}),
      })
      await Promise.race([connecting, ended.promise])
      return { client, transport, calls, ending }
    } catch (error) {
      await this.#giveUp(client, transport)
      const why = ending()
      if (limit.aborted) throw limit.reason
      if (why === undefined || isNotStarted(error)) throw networkErrorIn(error) ?? error
      throw Object.assign(new Error(why, { cause: error }), { code: 'ECONNREFUSED' })
    } finally {
      limit.removeEventListener('abort', onLimit)
    }
  }

  /** Nobody waits long for the end of what was never connected. */
  async #giveUp(client: Client, transport: Transport): Promise<void> {
    const stop = this.#setting.clock.timer(GIVE_UP_MS, () => {
      if (transport instanceof ServerProcess) transport.kill('SIGKILL')
    })
    await client.close().catch(() => {})
    await transport.close().catch(() => {})
    stop()
  }

  #transport(calls: LinkCalls, onTooLong: (error: Error) => void): Transport {
    const { mcp, target, clock, maxBytes, notes, secrets } = this.#setting
    if (target.command !== undefined)
      return new ServerProcess({
        program: target,
        clock,
        maxBytes,
        environment: inheritedEnvironment(process.env),
        parse: (text) => {
          const message = mcp.parseJSONRPCMessage(JSON.parse(text))
          secrets.hideIn(message)
          if (!('method' in message) && message.id !== undefined) calls.answered(message.id)
          return message
        },
        onRequest: (id) => calls.sent(id),
        onStderr: (line) => notes.stderr(line),
      })
    const { url, headers, auth } = target
    const transport = new mcp.StreamableHTTPClientTransport(new URL(url), {
      ...(headers === undefined ? {} : { requestInit: { headers: { ...headers } } }),
      ...(auth === undefined ? {} : { authProvider: auth }),
      fetch: boundedFetch({ maxBytes, secrets, calls, onTooLong }),
    })
    return new EndpointTransport(transport, { clock, secrets, calls })
  }

  #client(calls: LinkCalls): Client {
    const { mcp, identity, connectMs, target, questions, sampling, roots, elicitation, onListChanged } = this.#setting
    const options: ClientOptions = {
      capabilities: {
        ...(elicitation ? { elicitation: { form: {} } } : {}),
        ...(sampling === undefined ? {} : { sampling: {} }),
        ...(roots === undefined ? {} : { roots: {} }),
      },
      versionNegotiation: { mode: 'auto', probe: { timeoutMs: target.command === undefined ? connectMs : Math.min(PROBE_MS, connectMs) } },
      listChanged: { tools: { autoRefresh: false, debounceMs: 0, onChanged: onListChanged } },
    }
    const client = new mcp.Client({ ...identity }, options)
    if (elicitation)
      client.setRequestHandler('elicitation/create', ({ params }) =>
        params.mode === 'url' ? { action: 'cancel' } : questions.answer(params, calls),
      )
    if (sampling !== undefined)
      client.setRequestHandler('sampling/createMessage', ({ params }, { mcpReq }) => sampling(params, { signal: mcpReq.signal }))
    if (roots !== undefined) client.setRequestHandler('roots/list', () => ({ roots: roots.map((each) => ({ ...each })) }))
    return client
  }
}

/** The program itself could not be started. */
function isNotStarted(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error && typeof error.syscall === 'string' && error.syscall.startsWith('spawn')
}

/** What `fetch` has thrown, which has the reason as its cause. The SDK wraps it, and tells the reason no more. */
function networkErrorIn(error: unknown): unknown {
  for (let each = error, depth = 0; each instanceof Error && depth < 5; each = each.cause, depth++)
    if (each.message === 'fetch failed') return each
  return undefined
}
