import type { Socket } from 'node:net'
import type pg from 'pg'
import { loadPg } from './load-pg.ts'
import type { Store } from './store.ts'
import { transaction } from './transaction.ts'

/** How long `close` waits for connections that are in use. */
const CLOSE_MS = 3000

/** A store over a pool. Printing it shows no password. */
export class PooledStore implements Store {
  readonly kind: Store['kind']
  readonly pool: pg.Pool
  readonly #connection: pg.ClientConfig
  readonly #clients = new Set<pg.PoolClient>()
  #closed: Promise<void> | undefined

  constructor(kind: Store['kind'], pool: pg.Pool, connection: pg.ClientConfig) {
    this.kind = kind
    this.pool = pool
    this.#connection = connection
    pool.on('connect', (client) => this.#clients.add(client))
    pool.on('remove', (client) => this.#clients.delete(client as pg.PoolClient))
  }

  get connection(): pg.ClientConfig {
    return { ...this.#connection }
  }

  readonly transaction: Store['transaction'] = (work) => transaction(this.pool, work)

  readonly close = (): Promise<void> => (this.#closed ??= this.#end())

  /** Waits for running queries. A connection that is never released, such as that of a listener, is cut off. */
  async #end(): Promise<void> {
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<'late'>((resolve) => (timer = setTimeout(resolve, CLOSE_MS, 'late')))
    const ended = await Promise.race([this.pool.end(), late])
    clearTimeout(timer)
    if (ended !== 'late') return
    for (const client of this.#clients) {
      void (client as pg.PoolClient & pg.Client).end().catch(() => {})
      // Works also where the other side does not answer.
      streamOf(client)?.destroy()
    }
  }
}

const JSON_OID = 114
const INT8_OID = 20

/** A pool whose lost connections never end the process: the next query throws the error. Every operation has a time limit. */
export async function createPool(config: pg.PoolConfig): Promise<pg.Pool> {
  const { Pool, types } = await loadPg()
  const pool = new Pool({
    ...CONNECTION_BOUNDS,
    allowExitOnIdle: true,
    application_name: 'toolwright',
    ...config,
    types: { getTypeParser },
  })
  // Not shown when the pool is printed.
  if (config.connectionString !== undefined) Object.defineProperty(pool.options, 'connectionString', { enumerable: false })
  pool.on('error', () => {})
  // One that is checked out, and waits between two statements, has no other listener.
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool

  function getTypeParser(oid: number, format?: 'text' | 'binary'): (value: string) => unknown {
    if (oid === JSON_OID) return String
    if (oid === INT8_OID) return Number
    return types.getTypeParser(oid, format as 'text')
  }
}

type Callback = (error: Error | undefined, client: pg.PoolClient | undefined, done: (release?: unknown) => void) => void

const MOST_ATTEMPTS = 3
const GONE: ReadonlySet<unknown> = new Set(['ECONNREFUSED', 'ENOENT', 'ECONNRESET', 'EPIPE', '57P01', '57P02', '57P03'])

/** Lets a pool start its server again when a connection finds none. `query` uses `connect` too. */
export function reviving(pool: pg.Pool, revive: () => Promise<unknown>): pg.Pool {
  const once = pool.connect.bind(pool) as () => Promise<pg.PoolClient>
  let underway: Promise<unknown> | undefined

  const connect = async (): Promise<pg.PoolClient> => {
    for (let attempt = 1; ; attempt++) {
      try {
        return await once()
      } catch (error) {
        if (attempt >= MOST_ATTEMPTS || pool.ending || !isGone(error)) throw error
        underway ??= revive().finally(() => (underway = undefined))
        await underway
      }
    }
  }

  pool.connect = ((callback?: Callback): Promise<pg.PoolClient> | undefined => {
    const connected = connect()
    if (callback === undefined) return connected
    connected.then(
      (client) => callback(undefined, client, (release) => client.release(release as Error | boolean)),
      (error: Error) => callback(error, undefined, () => {}),
    )
    return undefined
  }) as pg.Pool['connect']
  return pool
}

/** No server was there, it was about to end or to start, or it ended while the connection was made. */
function isGone(error: unknown): boolean {
  const { code, message } = error as { readonly code?: unknown; readonly message?: unknown }
  return GONE.has(code) || message === 'Connection terminated unexpectedly'
}

/** The socket of a client. It is not in the types of the driver, but has this name in all its versions. */
export function streamOf(client: pg.ClientBase): Pick<Socket, 'ref' | 'unref' | 'destroy'> | undefined {
  return (client as unknown as { readonly connection?: { readonly stream?: Socket } }).connection?.stream
}

/**
 * The time limits of a connection, also where the other side does not answer. A transaction that is idle between two statements is ended before
 * its worker counts as dead, so that its locks do not keep others waiting. The client gives up a little later than the server: only where
 * nothing comes back at all, as from a connection that is half open.
 */
export const CONNECTION_BOUNDS = {
  statement_timeout: 30_000,
  lock_timeout: 5000,
  idle_in_transaction_session_timeout: 5000,
  query_timeout: 35_000,
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
} as const satisfies pg.ClientConfig
