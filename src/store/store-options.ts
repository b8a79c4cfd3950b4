import type { Duration } from '../tool/duration.ts'

/** Where the database is. */
export interface StoreLocationOptions {
  /** A PostgreSQL to use instead of the embedded one: `postgres://user:password@host:port/database`. The default is `DATABASE_URL`, unless a home is given. */
  readonly url?: string | undefined
  /** The folder of the embedded PostgreSQL. The default is `TOOLWRIGHT_HOME`, then a folder for the project (the nearest package.json) where the platform keeps such data. A relative path is one from the folder of the project. */
  readonly home?: string | undefined
}

export const LOCATION_NAMES: Readonly<Record<keyof StoreLocationOptions, true>> = { url: true, home: true }

/** The options of `openStore`. */
export interface StoreOptions extends StoreLocationOptions {
  /** How long the embedded server outlives its last client: 5 minutes by default, `Infinity` for ever. The process that starts the server decides. */
  readonly idleStop?: Duration | undefined
  /** The largest number of connections: 10 by default. */
  readonly poolSize?: number | undefined
  /** How long to wait for a server that starts, and for a connection: 30 seconds by default. */
  readonly connectTimeout?: Duration | undefined
}

/** For the names of options that hold those of a store too. */
export const STORE_NAMES: Readonly<Record<keyof StoreOptions, true>> = {
  ...LOCATION_NAMES,
  idleStop: true,
  poolSize: true,
  connectTimeout: true,
}

/** A database that is open. */
export interface OpenStore {
  readonly kind: 'embedded' | 'url'
  /** Ends the connections. The embedded server runs until it has been idle for `idleStop`. */
  readonly close: () => Promise<void>
}
