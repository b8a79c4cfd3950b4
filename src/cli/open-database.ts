import { dirname, resolve } from 'node:path'
import type { DatabaseOptions } from '../run/database-options.ts'
import type { ToolwrightConfig } from '../runtime/define-config.ts'
import type { App } from '../store/app-options.ts'
import type { Store } from '../store/store.ts'
import { isConfigurationError } from '../tool/errors/configuration-error.ts'
import { CliError } from './cli-error.ts'
import { EXIT } from './exit-code.ts'
import { shortPath } from './load-module.ts'
import type { Workspace } from './workspace.ts'

/** A configuration and its file, where there is one. */
export type Configured = Pick<Workspace, 'config' | 'configFile'>

/** Where durable runs are kept. */
export interface DurablePlace {
  /** For `openRuns`, as often as it is needed. */
  readonly database: DatabaseOptions
  /** Whose runs. */
  readonly app: App
}

interface OpenedDatabase extends DurablePlace {
  /** As it was named, before it was opened. */
  readonly place: DurablePlace
  readonly store: Store
  /** Does not close a store that the configuration opened. */
  readonly close: () => Promise<void>
}

/** Opens the database that the command line, the configuration or the environment names. `isThere`: the command needs one that exists, and makes none. */
export async function openDatabase(
  flags: DatabaseFlags,
  configured: Configured,
  { isThere = false }: { readonly isThere?: boolean } = {},
): Promise<OpenedDatabase> {
  const place = await durablePlace(flags, configured)
  const { database, app } = place
  if (isThere && database.home !== undefined) await checkIsThere(database.home, flags, configured)
  if (database.store !== undefined) return { store: database.store as Store, database, app, place, close: async () => {} }
  const { openStore } = await import('../store/open-store.ts')
  const { store: _none, encryption: _key, ...location } = database
  const store = await openStore(location).catch(tellStoreError)
  return { store, database: { ...database, store }, app, place, close: store.close }
}

/**
 * The database and the app, as the command line, the configuration or the environment names them. Their defaults are those of the project of
 * the configuration file: a command finds the same runs from every working directory.
 */
export async function durablePlace(flags: DatabaseFlags, { config, configFile }: Configured): Promise<DurablePlace> {
  const chosen = chosenDatabase(flags, config.database) ?? {}
  const database: DatabaseOptions = 'close' in chosen ? { store: chosen } : chosen
  const from = configFile === undefined ? undefined : dirname(resolve(configFile))
  const [{ appOf }, { homeFolder }, { databaseUrlOf }] = await Promise.all([
    import('../store/app.ts'),
    import('../store/home-folder.ts'),
    import('../store/store-location.ts'),
  ])
  const appIn = (isShared: boolean): App => appOf(flags.app ?? config.app, { isShared, from })
  if (database.store !== undefined) return { database, app: appIn(database.store.kind === 'url') }
  if ((await databaseUrlOf(database)) !== undefined) return { database, app: appIn(true) }
  return { database: { ...database, home: homeFolder(database.home, from) }, app: appIn(false) }
}

/** In a wrong folder, an empty database would look as if there were no runs. */
async function checkIsThere(home: string, flags: DatabaseFlags, { config: { database }, configFile }: Configured): Promise<void> {
  const [{ hasDatabase }, { nearestProject }] = await Promise.all([import('../store/home-folder.ts'), import('../store/project.ts')])
  if (hasDatabase(home)) return
  const from = configFile === undefined ? process.cwd() : dirname(resolve(configFile))
  const project = nearestProject(from)?.folder
  const isConfigured = database !== undefined && 'home' in database && database.home !== undefined
  const named =
    flags.home !== undefined
      ? '--home'
      : isConfigured
        ? shortPath(configFile ?? '')
        : process.env['TOOLWRIGHT_HOME']
          ? 'TOOLWRIGHT_HOME'
          : undefined
  const where =
    named === undefined
      ? `the home of ${project === undefined ? `all that is outside of projects, as ${from} is` : `the project ${project}`}`
      : `which ${named} names`
  throw new CliError('no_database', `There is no database in ${home}, ${where}: no run was ever started with it.`, {
    hint: 'Call it in the folder of the project, or name the database: --config <file>, --home <folder>, --database-url <url>, or the variables TOOLWRIGHT_HOME and DATABASE_URL.',
    exit: EXIT.failed,
  })
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
function chosenDatabase({ databaseUrl: url, home }: DatabaseFlags, configured: ToolwrightConfig['database']): ToolwrightConfig['database'] {
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
  // A path that somebody types is one from where they are.
  return url === undefined ? { ...kept, home: resolve(home ?? '') } : { ...kept, url }
}
