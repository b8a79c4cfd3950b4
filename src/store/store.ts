import type pg from 'pg'
import type { OpenStore } from './store-options.ts'

export type { StoreLocationOptions, StoreOptions } from './store-options.ts'

/** A database, and how to reach it. */
export interface Store extends OpenStore {
  /** Gives `json` columns as their text and `bigint` as number. When the embedded server is gone, the next connection starts it again. */
  readonly pool: pg.Pool
  /** The connection settings for another process or library. They may hold a password: do not print them. */
  readonly connection: pg.ClientConfig
  /**
   * Runs `work` in one transaction: committed when it resolves, rolled back when it rejects. Repeated a few times after a
   * serialization failure or a deadlock, so `work` does nothing but talk to the database.
   */
  readonly transaction: <T>(work: (client: pg.ClientBase) => Promise<T>) => Promise<T>
}
