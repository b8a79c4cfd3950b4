import type pg from 'pg'
import type { Store } from './store.ts'
import { streamOf } from './stream-of.ts'
import { transaction } from './transaction.ts'

/** How long `close` waits for connections that are in use. */
const CLOSE_MS = 3000

/** A store over a pool. What may hold a password is not among what is printed of it. */
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

  /** Waits for work in hand. Who keeps a connection for ever, a listener perhaps, is cut off. */
  async #end(): Promise<void> {
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<'late'>((resolve) => (timer = setTimeout(resolve, CLOSE_MS, 'late')))
    const ended = await Promise.race([this.pool.end(), late])
    clearTimeout(timer)
    if (ended !== 'late') return
    for (const client of this.#clients) {
      void (client as pg.PoolClient & pg.Client).end().catch(() => {})
      // Whatever the other side does, or fails to do.
      streamOf(client)?.destroy()
    }
  }
}
