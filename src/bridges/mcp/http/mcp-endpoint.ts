import type { McpHttpHandler } from '@modelcontextprotocol/server'
import { isRecord } from '../../../schema/json-schema.ts'
import { excerpt } from '../../../schema/quote.ts'
import { type Clock, systemClock } from '../../../tool/ports/clock.ts'
import type { Logger } from '../../../tool/ports/logger.ts'
import type { McpAuth, McpAuthRefusal, McpCaller } from '../../../tool/ports/mcp-auth.ts'
import { missingPermissions } from '../../../tool/principal.ts'
import type { ServedTools } from '../create-mcp-server.ts'
import { authInfoOf, callerKey, type CallerSession } from '../mcp-caller.ts'
import { ClientLimits } from './client-limits.ts'
import type { HttpLimits } from './http-limits.ts'
import { HttpSessions } from './http-sessions.ts'
import { challenge, isRefusal, metadataResponse } from './mcp-auth.ts'
import { allowOrigin, checkOrigin, type OriginRules, preflight } from './origin-check.ts'
import { RefusalLog } from './refusal-log.ts'
import { type Body, readMessage } from './read-message.ts'
import { INTERNAL_ERROR, type Refusal, refused, retryAfter, SESSION_NOT_FOUND } from './refusal.ts'

/** A request as a server has it. */
export interface Incoming {
  readonly request: Request
  readonly body: Body
  /** Where it comes from, where that is known. */
  readonly address: string | undefined
}

export interface Answer {
  readonly response: Response
  /** To be called when the response is sent to its end, or given up. */
  readonly over: () => void
}

interface EndpointParts {
  readonly served: ServedTools
  readonly auth: McpAuth | undefined
  readonly origins: OriginRules
  readonly limits: HttpLimits
  /** All paths are served without it. */
  readonly path: string | undefined
  readonly clock: Clock | undefined
  readonly log: Logger | undefined
}

/** A request that has passed the checks before its body. */
interface Admitted extends Incoming {
  readonly caller: McpCaller | undefined
  readonly atEnd: (callback: () => void) => void
}

const SESSION = 'mcp-session-id'
const METHODS = ['GET', 'POST', 'DELETE']

/** One endpoint of the protocol over HTTP: it checks who comes with what, and passes the message to the revision that it belongs to. */
export class McpEndpoint {
  readonly #parts: EndpointParts
  readonly #clock: Clock
  readonly #clients: ClientLimits
  /** Those whom `auth` refuses, by their addresses. */
  readonly #strangers: ClientLimits | undefined
  readonly #refusals: RefusalLog
  readonly #failures: RefusalLog
  readonly #sessions: HttpSessions
  readonly #stateless: McpHttpHandler
  /** Requests that are being answered. Streams that only wait for news do not count. */
  #underWay = 0
  #isDraining = false
  #isClosed = false
  #onIdle: (() => void) | undefined

  constructor(parts: EndpointParts) {
    const { served, limits, log } = parts
    const { mcp, newServer } = served
    this.#parts = parts
    this.#clock = parts.clock ?? systemClock
    this.#clients = new ClientLimits(limits.perClient)
    this.#strangers = limits.refusals === undefined ? undefined : new ClientLimits(limits.refusals)
    this.#refusals = new RefusalLog('info', log, this.#clock)
    this.#failures = new RefusalLog('warn', log, this.#clock)
    // Messages that are refused are the fault of their senders, and would fill a log.
    const onError = (error: Error): void => log?.debug({ error }, `MCP: ${error.message}`)
    this.#sessions = new HttpSessions({ ...limits, mcp, newServer, clock: parts.clock, onError })
    this.#stateless = mcp.createMcpHandler(newServer, { legacy: 'reject', onerror: onError, maxRequestBodySize: limits.bodyBytes })
    served.onChange(() => this.#stateless.notify.toolsChanged())
  }

  async answer(incoming: Incoming): Promise<Answer> {
    const { request } = incoming
    const ends: (() => void)[] = []
    const over = (): void => {
      for (const each of ends.splice(0)) each()
    }
    try {
      return { response: await this.#checked(incoming, (callback) => void ends.push(callback)), over }
    } catch (error) {
      this.#failures.add(`MCP: a request failed: ${error instanceof Error ? error.message : String(error)}`, { error })
      return { response: refused({ status: 500, code: INTERNAL_ERROR, message: 'Internal server error.' }), over }
    } finally {
      if (request.signal.aborted) over()
    }
  }

  /** Takes no new work, waits for what is under way, then ends everything. */
  async close(drainMs: number): Promise<void> {
    this.#isDraining = true
    if (this.#underWay > 0 && drainMs > 0)
      await new Promise<void>((resolve) => {
        const stop = this.#clock.timer(drainMs, resolve)
        this.#onIdle = () => {
          stop()
          resolve()
        }
      })
    this.#isClosed = true
    this.#parts.served.close()
    await Promise.all([this.#sessions.close(), this.#stateless.close()])
  }

  async #checked(incoming: Incoming, atEnd: (callback: () => void) => void): Promise<Response> {
    const { served, origins, auth, path } = this.#parts
    const { method, headers, url } = incoming.request
    const { pathname, host } = new URL(url)
    const metadata = auth === undefined ? undefined : metadataResponse(method, pathname, auth)
    if (metadata !== undefined) return metadata
    if (path !== undefined && pathname !== path) return refused({ status: 404, message: 'There is nothing at this path.' })
    // Where a server makes the request, the host of its URL is that of the header.
    const isForeign = checkOrigin(served.mcp, { host: headers.get('host') ?? host, origin: headers.get('origin') }, origins)
    if (isForeign !== undefined) return refused(isForeign)
    return allowOrigin(await this.#fromOrigin(incoming, atEnd), headers.get('origin'))
  }

  async #fromOrigin(incoming: Incoming, atEnd: (callback: () => void) => void): Promise<Response> {
    const { request, address } = incoming
    const { auth } = this.#parts
    if (request.method === 'OPTIONS') return preflight(request.headers)
    if (!METHODS.includes(request.method))
      return refused({ status: 405, message: 'Method not allowed.', headers: { allow: METHODS.join(', ') } })
    if (this.#isClosed) return refused(ENDING)
    let caller: McpCaller | undefined
    if (auth !== undefined) {
      const answer = await authenticated(auth, request)
      if (isRefusal(answer)) return refused(this.#refuse(answer, auth, address))
      caller = answer
    }
    const place = this.#clients.enter(caller === undefined ? (address ?? '') : callerKey(caller), this.#clock.tick())
    if ('afterMs' in place) return refused(tooMany(place.afterMs))
    // A stream that waits for news does no work: sessions are bounded by their number.
    if (request.method === 'POST') atEnd(place.leave)
    else place.leave()
    const admitted = { ...incoming, caller, atEnd }
    return request.method === 'POST' ? this.#post(admitted) : this.#inSession(admitted, undefined)
  }

  async #post(admitted: Admitted): Promise<Response> {
    const { request, body, caller } = admitted
    const { limits, served } = this.#parts
    const read = await readMessage(body, { ...limits, clock: this.#clock, contentLength: request.headers.get('content-length') })
    if ('refusal' in read) return refused(read.refusal)
    const { message } = read
    // Answers to questions of calls that are under way are still taken.
    if (this.#isDraining && 'method' in message && 'id' in message) return refused(ENDING)
    const forbidden = this.#scopesMissing(message, caller)
    if (forbidden !== undefined) return refused(forbidden)
    this.#count(message, admitted)
    if (await served.mcp.isLegacyRequest(request, message)) return this.#inSession(admitted, message)
    return this.#stateless.fetch(request, { parsedBody: message, ...authInfo(caller) })
  }

  /** A request of revision 2025-11-25. */
  async #inSession(admitted: Admitted, message: object | undefined): Promise<Response> {
    const { request, caller, atEnd } = admitted
    const id = request.headers.get(SESSION)
    const owner = callerKey(caller)
    const isNew = id === null && this.#parts.served.mcp.isInitializeRequest(message)
    if (id === null && !isNew)
      return refused({ status: 400, message: 'Bad Request: the header Mcp-Session-Id is missing. Begin with initialize.' })
    const session = isNew ? await this.#sessions.begin(owner) : this.#sessions.use(id ?? '', owner)
    if (session === undefined) return refused(isNew ? FULL : NO_SESSION)
    atEnd(session.release)
    const response = await session.transport.handleRequest(request, { parsedBody: message, ...authInfo(caller, session.callers) })
    if (isNew && !response.ok) this.#sessions.abandon(session)
    return response
  }

  /** A call for which the token lacks a scope is challenged, so that the client can ask for a better one. */
  #scopesMissing(message: object, caller: McpCaller | undefined): Refusal | undefined {
    const { auth, served } = this.#parts
    const { method, params } = message as { readonly method?: unknown; readonly params?: unknown }
    if (auth?.scopesFor === undefined || caller === undefined || method !== 'tools/call' || !isRecord(params)) return undefined
    // A tool that a caller may not see does not exist for them: no scope is named for it.
    if (served.hidesTools) return undefined
    const tool = typeof params['name'] === 'string' ? served.catalog.now.get(params['name']) : undefined
    if (tool === undefined || missingPermissions(tool.permissions, caller.principal).length === 0) return undefined
    const scopes = auth.scopesFor(tool.permissions)
    const reason = `'${tool.name}' needs ${scopes.join(' ')}, and '${caller.principal.id}' lacks some of it`
    this.#refusals.add(refusalText('scope', reason, undefined), { refused: 'scope' })
    return challenge({ refused: 'scope', scopes }, auth)
  }

  /** The caller learns no more than the challenge says; the log has the reason. A client without a token is one that is about to get one. */
  #refuse(refusal: McpAuthRefusal, auth: McpAuth, address: string | undefined): Refusal {
    const { refused: kind, reason = REASONS[kind] } = refusal
    const answer = challenge(refusal, auth)
    const to = kind === 'unavailable' ? this.#failures : this.#refusals
    if (kind !== 'missing') to.add(refusalText(kind, reason, address), { refused: kind, address })
    if (kind === 'unavailable') return answer
    const place = this.#strangers?.enter(address ?? '', this.#clock.tick())
    if (place === undefined || !('afterMs' in place)) {
      place?.leave()
      return answer
    }
    return { ...tooMany(place.afterMs), headers: { ...answer.headers, 'retry-after': retryAfter(place.afterMs) } }
  }

  #count(message: object, { atEnd }: Admitted): void {
    if (!('id' in message) || ('method' in message && message.method === 'subscriptions/listen')) return
    this.#underWay++
    atEnd(() => {
      this.#underWay--
      if (this.#underWay === 0) this.#onIdle?.()
    })
  }
}

/** An answer that names nobody refuses: nobody is let in by mistake. */
async function authenticated(auth: McpAuth, request: Request): Promise<McpCaller | McpAuthRefusal> {
  const answer: unknown = await auth.authenticate(request)
  if (isRecord(answer) && ('refused' in answer || isRecord(answer['principal']))) return answer as unknown as McpCaller | McpAuthRefusal
  return { refused: 'missing' }
}

function authInfo(caller: McpCaller | undefined, session?: CallerSession): { readonly authInfo?: ReturnType<typeof authInfoOf> } {
  return caller === undefined ? {} : { authInfo: authInfoOf(caller, session) }
}

/** For an `auth` of the program that gives no reason. */
const REASONS: Readonly<Record<McpAuthRefusal['refused'], string>> = {
  missing: 'it has no token',
  invalid: 'its token is not valid',
  scope: 'its token lacks a scope',
  unavailable: 'tokens cannot be checked now',
}

const LONGEST_REASON = 300

function refusalText(kind: McpAuthRefusal['refused'], reason: string, address: string | undefined): string {
  return `MCP: a request${address === undefined ? '' : ` from ${address}`} was refused (${kind}): ${excerpt(reason, LONGEST_REASON)}`
}

function tooMany(afterMs: number): Refusal {
  return { status: 429, message: 'Too many requests. Try again later.', headers: { 'retry-after': retryAfter(afterMs) } }
}

const ENDING: Refusal = { status: 503, message: 'The server is ending.', headers: { 'retry-after': '1', connection: 'close' } }
const FULL: Refusal = { status: 503, message: 'There are too many sessions. Try again later.', headers: { 'retry-after': '10' } }
const NO_SESSION: Refusal = { status: 404, code: SESSION_NOT_FOUND, message: 'Session not found. Begin with initialize.' }
