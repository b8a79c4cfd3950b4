import type { ToolwrightConfig } from '../define-config.ts'
import type { DatabaseOptions } from '../run/database-options.ts'
import type { Store } from '../store/store.ts'
import { isConfigurationError } from '../tool/errors/configuration-error.ts'
import { CliError } from './cli-error.ts'
import { chosenDatabase, type DatabaseFlags } from './database-flags.ts'

export interface OpenedDatabase {
  readonly store: Store
  /** For `openRuns`, as often as it is needed. */
  readonly database: DatabaseOptions
  /** Leaves a store that the configuration had opened as it is. */
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

/** What the driver throws is told like any other failure of the database. */
export async function tellStoreError(error: unknown): Promise<never> {
  if (error instanceof CliError || isConfigurationError(error)) throw error
  const { storeError } = await import('../store/store-error.ts')
  throw storeError(error)
}
