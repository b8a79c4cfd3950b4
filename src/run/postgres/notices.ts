import type { Client, Notification } from 'pg'
import { loadPg } from '../../store/load-pg.ts'
import { CONNECTION_BOUNDS } from '../../store/pooled-store.ts'
import type { AppStore } from '../../store/app-store.ts'
import { streamOf } from '../../store/pooled-store.ts'
import { type CancelTimer, systemClock } from '../../tool/ports/clock.ts'
import { every, idleTimer, within } from '../host.ts'
import type { NoticeKind, NoticeListener, RunNotices } from '../store/run-store.ts'
import { PROMPT } from './time-bounds.ts'

const FIRST_PAUSE_MS = 100
const LONGEST_PAUSE_MS = 3000
const CONNECT_MS = 10_000
/** A connection that only listens does not notice by itself that the other side is gone. */
const PROBE_MS = 10_000
const CLOSE_MS = 1000

/** One connection that listens, and keeps no process alive. When it is lost it is made anew, and everybody is told to look. */
export class Notices implements RunNotices {
  readonly #store: AppStore
  readonly #listeners = new Set<NoticeListener>()
  #client: Client | undefined
  #isClosed = false
  #retry: CancelTimer | undefined
  #probe: CancelTimer | undefined

  constructor(store: AppStore) {
    this.#store = store
  }

  async open(): Promise<void> {
    const { Client } = await loadPg()
    const client = new Client({ ...CONNECTION_BOUNDS, connectionTimeoutMillis: CONNECT_MS, ...this.#store.connection })
    client.on('error', () => {})
    client.on('end', () => this.#lost(client))
    client.on('notification', (notice) => this.#hear(notice))
    await client.connect()
    await client.query(`LISTEN ${this.#store.schemas.tables}`)
    streamOf(client)?.unref()
    if (this.#isClosed) return this.#end(client)
    this.#client = client
    this.#probe = every({ timer: idleTimer }, PROBE_MS, () => {
      client.query({ ...PROMPT, text: 'SELECT' }).catch(() => streamOf(client)?.destroy())
    })
  }

  /** The returned function ends it. */
  readonly on = (listener: NoticeListener): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#retry?.()
    this.#listeners.clear()
    this.#probe?.()
    if (this.#client !== undefined) await this.#end(this.#client)
  }

  async #end(client: Client): Promise<void> {
    streamOf(client)?.ref()
    await within(systemClock, client.end(), CLOSE_MS)
    streamOf(client)?.destroy()
  }

  #hear({ payload = '' }: Notification): void {
    const space = payload.indexOf(' ')
    const kind = space < 0 ? payload : payload.slice(0, space)
    this.#tell(kind as NoticeKind, space < 0 ? '' : payload.slice(space + 1))
  }

  #tell(kind: NoticeKind | 'reconnected', subject: string): void {
    for (const listener of [...this.#listeners]) listener(kind, subject)
  }

  #lost(client: Client): void {
    if (this.#isClosed || this.#client !== client) return
    this.#client = undefined
    this.#probe?.()
    this.#reconnect(FIRST_PAUSE_MS)
  }

  #reconnect(pause: number): void {
    this.#retry = idleTimer(pause, () => {
      this.open().then(
        () => this.#tell('reconnected', ''),
        () => this.#reconnect(Math.min(LONGEST_PAUSE_MS, pause * 2)),
      )
    })
  }
}
