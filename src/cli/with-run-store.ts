import type { OpenedRuns } from '../run/open-runs.ts'
import type { AgentTool } from '../tool/agent-tool.ts'
import { CliError } from './cli-error.ts'
import type { CommonOptions } from './command.ts'
import type { ExitCode } from './exit-code.ts'
import { findConfig, loadConfig } from './load-config.ts'
import { type Configured, type DatabaseFlags, type DurablePlace, openDatabase, tellStoreError } from './open-database.ts'
import { reasonOf } from '../tool/errors/message-of.ts'
import type { Output } from './output.ts'
import type { Store } from '../store/store.ts'
import { openWorkspace } from './workspace.ts'

export interface RunStoreOptions extends CommonOptions, DatabaseFlags {}

/** Opens the runs of the database, which must exist, without a worker, calls `work`, and closes the database. */
export async function withRunStore(
  options: RunStoreOptions,
  output: Output,
  work: (runs: OpenedRuns, place: DurablePlace) => Promise<ExitCode>,
): Promise<ExitCode> {
  const configured = await databaseConfig(options, output)
  const { config } = configured
  const { database, app, place, close } = await openDatabase(options, configured, { isThere: true })
  const { openRuns } = await import('../run/open-runs.ts')
  const warn = (message: string): void => output.warn(message)
  const runs = await openRuns({
    database,
    app,
    worker: false,
    tools: () => knownTools(options, warn),
    shared: { secrets: config.secrets, reviewers: config.reviewers },
    warn,
  }).catch(tellStoreError)
  try {
    return await work(runs, place)
  } finally {
    await runs.close()
    await close()
  }
}

/** Opens the database itself, which must exist, calls `work`, and closes it. */
export async function withDatabase(
  options: RunStoreOptions,
  output: Output,
  work: (store: Store, place: DurablePlace) => Promise<ExitCode>,
): Promise<ExitCode> {
  const { store, place, close } = await openDatabase(options, await databaseConfig(options, output), { isThere: true })
  try {
    return await work(store, place)
  } finally {
    await close()
  }
}

/** Only the database and the secrets of a configuration are needed here: where the command line names one, an error in the configuration is only a warning. */
async function databaseConfig(options: RunStoreOptions, output: Output): Promise<Configured> {
  const { config: named, databaseUrl, home } = options
  const configFile = named ?? findConfig(process.cwd())
  if (configFile === undefined) return { config: {}, configFile }
  try {
    return { config: await loadConfig(configFile), configFile }
  } catch (error) {
    if (named !== undefined || (databaseUrl === undefined && home === undefined)) throw withoutConfigHint(error, named !== undefined)
    output.warn(reasonOf(error))
    return { config: {}, configFile }
  }
}

/** A decision must not wait until everything that the configuration opens, such as another server, can be reached. */
function withoutConfigHint(error: unknown, isNamed: boolean): unknown {
  if (!(error instanceof CliError)) return error
  const { code, message, hint, exit, cause } = error
  const way = `To go on without it, ${isNamed ? 'leave out --config and ' : ''}name the database with --home or --database-url, and the app with --app.`
  return new CliError(code, message, { hint: hint === undefined ? way : `${hint} ${way}`, exit, cause })
}

/** The schemas of the tools mark secrets. Without the schemas, only the names of fields do. */
async function knownTools(options: RunStoreOptions, warn: (message: string) => void): Promise<ReadonlyMap<string, AgentTool>> {
  try {
    const { tools } = await openWorkspace(options)
    return new Map(tools.tools.map((each) => [each.name, each]))
  } catch (error) {
    warn(`Secrets are recognised by the names of fields alone, since the tools cannot be loaded. ${reasonOf(error)}`)
    return new Map()
  }
}
