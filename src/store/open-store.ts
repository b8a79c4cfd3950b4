import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import { quote } from '../schema/quote.ts'
import { toMilliseconds } from '../tool/duration.ts'
import { ConfigurationError } from '../tool/errors/configuration-error.ts'
import { type DatabaseUrl, placeOf } from './database-url.ts'
import { embeddedFolders } from './embedded-folders.ts'
import { type EmbeddedServer, ensureServer } from './ensure-server.ts'
import { homeFolder } from './home-folder.ts'
import { createPool, PooledStore, reviving } from './pooled-store.ts'
import type { Store } from './store.ts'
import { STORE_NAMES, type StoreOptions } from './store-options.ts'
import { storeError } from './store-error.ts'
import { databaseUrlOf } from './store-location.ts'
import { checkOptionNames, optionNames } from '../tool/option-names.ts'

const NAMES = optionNames<StoreOptions>(STORE_NAMES)

const STARTING_UP = '57P03'

/**
 * Opens the database: the one that a URL names, else a PostgreSQL of its own, which it starts or finds running.
 * @example
 * const store = await openStore({ idleStop: '1s' })
 * const { rows } = await store.pool.query('select 6 * 7 as answer')
 * console.log(rows[0]) // { answer: 42 }
 * await store.close()
 */
export async function openStore(options: StoreOptions = {}): Promise<Store> {
  checkOptionNames(options, NAMES, 'The options of openStore')
  const { poolSize = 10, connectTimeout = '30s', idleStop = '5m' } = options
  if (!Number.isInteger(poolSize) || poolSize < 1) {
    throw new ConfigurationError('invalid_option', `The option 'poolSize' must be a whole number from 1, not ${quote(poolSize)}.`)
  }
  const timeoutMs = toMilliseconds(connectTimeout, "The option 'connectTimeout'")
  const idleStopMs = toMilliseconds(idleStop, "The option 'idleStop'")
  const limits: pg.PoolConfig = { max: poolSize, connectionTimeoutMillis: timeoutMs }
  const url = await databaseUrlOf(options)
  if (url !== undefined) return openUrl(url, limits, timeoutMs)
  return openEmbedded({ folders: embeddedFolders(homeFolder(options.home)), idleStopMs, timeoutMs }, limits)
}

async function openEmbedded(server: EmbeddedServer, limits: pg.PoolConfig): Promise<Store> {
  const connection = await ensureServer(server)
  // One connection stays open, so that the watcher sees a client.
  const pool = await createPool({ ...limits, ...connection, min: 1 })
  const store = new PooledStore(
    'embedded',
    reviving(pool, () => ensureServer(server)),
    connection,
  )
  await firstQuery(store, 'the embedded database')
  return store
}

async function openUrl(url: DatabaseUrl, limits: pg.PoolConfig, timeoutMs: number): Promise<Store> {
  const { connectionString } = url
  const store = new PooledStore('url', await createPool({ ...limits, connectionString }), { connectionString })
  const end = performance.now() + timeoutMs
  for (;;) {
    try {
      await store.pool.query('select 1')
      return store
    } catch (error) {
      const starting = (error as { readonly code?: unknown }).code === STARTING_UP
      if (starting && performance.now() < end) await pause(100)
      else {
        await store.close()
        throw storeError(error, placeOf(url))
      }
    }
  }
}

async function firstQuery(store: Store, place: string): Promise<void> {
  try {
    await store.pool.query('select 1')
  } catch (error) {
    await store.close()
    throw storeError(error, place)
  }
}
