import { appOf, schemasOf } from '../store/app.ts'
import type { App, AppOptions } from '../store/app-options.ts'
import { type AppStore, appStore } from '../store/app-store.ts'
import { openStore } from '../store/open-store.ts'
import type { OpenStore } from '../store/store-options.ts'
import type { Store } from '../store/store.ts'
import { checkDatabase, type DatabaseOptions } from './database-options.ts'
import { Values } from './journal/values.ts'
import { openPostgresRuns } from './postgres/postgres-run-store.ts'
import { holdsSealed } from './postgres/sealed-values.ts'
import { type RunsOn, runsOn, type RunsOnOptions } from './runs-on.ts'

export interface RunsOptions extends RunsOnOptions {
  /** A store that is open already stays the caller's to close. */
  readonly database?: DatabaseOptions | OpenStore | undefined
  /** Whose runs: `orders:production`, for example. */
  readonly app?: string | AppOptions | undefined
}

/** With what tests and commands look at beside. */
export interface OpenedRuns extends RunsOn {
  readonly app: App
  readonly store: AppStore
}

const WITHOUT_KEY =
  'The database holds sealed values, and this process has no key: it starts no run and goes on with none. Pass the key of the other processes as database.encryption.key.'

/** Opens a PostgreSQL, brings its tables up to date, and carries runs on, unless other processes do. */
export async function openRuns({ database = {}, app: givenApp, ...options }: RunsOptions): Promise<OpenedRuns> {
  checkDatabase(database)
  const settings: DatabaseOptions = 'close' in database ? { store: database } : database
  const { store: open, encryption, ...place } = settings
  const given = open as Store | undefined
  const values = new Values(encryption)
  const opened = given ?? (await openStore(place))
  // A database that was opened for this alone must not stay open.
  const close = async (): Promise<void> => (given === undefined ? opened.close() : undefined)
  try {
    const app = appOf(givenApp, { isShared: opened.kind === 'url' })
    const store = appStore(opened, schemasOf(app))
    const runStore = await openPostgresRuns(store, { app, hasWorker: options.worker !== false, warn: options.warn ?? (() => {}) })
    if (!values.isSealing && (await holdsSealed(store.pool))) {
      values.refusePlain()
      if (options.worker !== false) options.warn?.(WITHOUT_KEY)
    }
    const runs = await runsOn({ ...runStore, close: async () => (await runStore.close(), close()) }, options, values)
    return { ...runs, app, store }
  } catch (error) {
    await close()
    throw error
  }
}
