import type { DatabaseOptions } from '../run/database-options.ts'
import type { ToolwrightConfig } from '../runtime/define-config.ts'
import type { Store } from '../store/store.ts'
import { isConfigurationError } from '../tool/errors/configuration-error.ts'
import { CliError } from './cli-error.ts'

interface OpenedDatabase {
  readonly store: Store
  /** For `openRuns`, as often as it is needed. */
  readonly database: DatabaseOptions
  /** Does not close a store that the configuration opened. */
  readonly close: () => Promise<void>
}

/** Opens the database that the command line, the configuration or the environment names. */
export async function openDatabase(flags: DatabaseFlags, configured: ToolwrightConfig['database']): Promise<OpenedDatabase> {
  const chosen = chosenDatabase(flags, configured) ?? {}
  const settings: DatabaseOptions = 'close' in chosen ? { store: chosen } : chosen
  if (settings.store !== undefined) return { store: settings.store as Store, database: settings, close: async () => {} }
  const { openStore } = await import('../store/open-store.ts')
  const store = await openStore(settings).catch(tellStoreError)
  return { store, database: { ...settings, store }, close: store.close }
}

/** Turns errors of the driver into errors of the store. */
export async function tellStoreError(error: unknown): Promise<never> {
  if (error instanceof CliError || isConfigurationError(error)) throw error
  const { storeError } = await import('../store/store-error.ts')
  throw storeError(error)
}

/** The database that the command line names. */
export interface DatabaseFlags {
  readonly databaseUrl?: string | undefined
  readonly home?: string | undefined
  /** Whose runs: `orders:production`. */
  readonly app?: string | undefined
}

/** The database to open: from the flags, else from the configuration, else from the environment. The encryption key is always the configured one. */
export function chosenDatabase(
  { databaseUrl: url, home }: DatabaseFlags,
  configured: ToolwrightConfig['database'],
): ToolwrightConfig['database'] {
  if (url !== undefined && home !== undefined)
    throw new CliError('usage', '--database-url and --home exclude each other.', {
      hint: '--database-url names a PostgreSQL, --home the folder of the embedded one.',
    })
  if (url === undefined && home === undefined) return configured
  const {
    url: _url,
    home: _home,
    store: _store,
    ...kept
  }: DatabaseOptions = configured === undefined || 'close' in configured ? {} : configured
  return url === undefined ? { ...kept, home } : { ...kept, url }
}
