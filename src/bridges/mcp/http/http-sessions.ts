import type { Server, WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server'
import type { CancelTimer, Clock } from '../../../tool/ports/clock.ts'
import { unreferencedTimer } from '../../unreferenced-timer.ts'
import type { McpLibrary } from '../load-mcp.ts'
import type { CallerSession } from '../mcp-caller.ts'
import type { HttpLimits } from './http-limits.ts'
import { StreamEvents } from './stream-events.ts'

interface Session extends CallerSession {
  readonly id: string
  /** The caller that opened it: nobody else finds it. */
  readonly owner: string
  readonly transport: WebStandardStreamableHTTPServerTransport
  readonly forgetEvents: () => void
  /** The requests and streams that are open. */
  open: number
  usedAt: number
}

interface SessionsParts extends Pick<HttpLimits, 'sessions' | 'sessionIdleMs' | 'replayBytes' | 'replayBytesPerSession'> {
  readonly mcp: McpLibrary
  readonly newServer: () => Server
  readonly clock: Clock | undefined
  readonly onError: (error: Error) => void
}

/** A session while one request uses it. */
export interface UsedSession {
  readonly callers: CallerSession
  readonly transport: WebStandardStreamableHTTPServerTransport
  /** When the request and its stream are over. */
  readonly release: () => void
}

/** When a client whose stream broke is to come back. */
const RETRY_MS = 1000

/** The sessions of revision 2025-11-25. Their number is bounded, and one that nobody uses ends by itself. */
export class HttpSessions {
  readonly #parts: SessionsParts
  readonly #events: StreamEvents
  /** The one that was used last is the last. */
  readonly #sessions = new Map<string, Session>()
  #stopTimer: CancelTimer | undefined

  constructor(parts: SessionsParts) {
    this.#parts = parts
    this.#events = new StreamEvents(parts.replayBytes, parts.replayBytesPerSession)
  }

  get size(): number {
    return this.#sessions.size
  }

  /** The session of this caller; undefined for one of somebody else as for one that there is not. */
  use(id: string, owner: string): UsedSession | undefined {
    this.#expire()
    const session = this.#sessions.get(id)
    return session === undefined || session.owner !== owner ? undefined : this.#use(session)
  }

  /** A new session; undefined where all places are taken by sessions in use. */
  async begin(owner: string): Promise<UsedSession | undefined> {
    const { mcp, newServer, sessions, onError } = this.#parts
    this.#expire()
    if (this.#sessions.size >= sessions && !this.#makePlace(owner)) return undefined
    const eventStore = this.#events.forSession()
    const id = crypto.randomUUID()
    const transport = new mcp.WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => id,
      eventStore,
      retryInterval: RETRY_MS,
      onsessionclosed: () => this.#forget(session),
    })
    const session: Session = { id, owner, transport, forgetEvents: eventStore.forget, open: 0, usedAt: this.#now(), latest: undefined }
    this.#sessions.set(id, session)
    this.#watch()
    const server = Object.assign(newServer(), { onerror: onError })
    const used = this.#use(session)
    await server.connect(transport)
    return used
  }

  /** A session that was never initialized is of no use to anybody. */
  abandon({ transport }: UsedSession): void {
    for (const session of this.#sessions.values()) if (session.transport === transport) this.#end(session)
  }

  /** Ends all sessions with their streams and calls. */
  async close(): Promise<void> {
    this.#stopTimer?.()
    await Promise.all([...this.#sessions.values()].map((each) => this.#end(each)))
  }

  #use(session: Session): UsedSession {
    session.open++
    this.#touch(session)
    let isUsed = true
    const release = (): void => {
      if (!isUsed) return
      isUsed = false
      session.open--
      this.#touch(session)
    }
    return { callers: session, transport: session.transport, release }
  }

  #touch(session: Session): void {
    session.usedAt = this.#now()
    if (this.#sessions.delete(session.id)) this.#sessions.set(session.id, session)
  }

  #expire(): void {
    const before = this.#now() - this.#parts.sessionIdleMs
    for (const session of this.#sessions.values()) {
      if (session.usedAt > before) break
      if (session.open === 0) void this.#end(session)
    }
  }

  /**
   * Ends a session that was not used for the longest time, of the caller with the most of them; where all are in use, one of a caller that has
   * more of them than the newcomer will have: no caller takes the places of others.
   */
  #makePlace(newcomer: string): boolean {
    const counts = new Map<string, number>()
    for (const { owner } of this.#sessions.values()) counts.set(owner, (counts.get(owner) ?? 0) + 1)
    const countOf = (owner: string): number => counts.get(owner) ?? 0
    const byCount = [...this.#sessions.values()].toSorted((a, b) => countOf(b.owner) - countOf(a.owner))
    const [first] = byCount
    const isGreedy = first !== undefined && countOf(first.owner) > countOf(newcomer) + 1
    const victim = byCount.find(({ open }) => open === 0) ?? (isGreedy ? first : undefined)
    if (victim === undefined) return false
    void this.#end(victim)
    return true
  }

  #end(session: Session): Promise<void> {
    this.#forget(session)
    return session.transport.close()
  }

  #forget(session: Session): void {
    this.#sessions.delete(session.id)
    session.forgetEvents()
    if (this.#sessions.size > 0) return
    this.#stopTimer?.()
    this.#stopTimer = undefined
  }

  #watch(): void {
    const { clock, sessionIdleMs } = this.#parts
    this.#stopTimer ??= (clock?.timer ?? unreferencedTimer)(sessionIdleMs, () => {
      this.#stopTimer = undefined
      this.#expire()
      if (this.#sessions.size > 0) this.#watch()
    })
  }

  #now(): number {
    return this.#parts.clock?.tick() ?? performance.now()
  }
}
