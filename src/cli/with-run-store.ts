import type { OpenedRuns } from '../run/open-runs.ts'
import type { ToolwrightConfig } from '../runtime/define-config.ts'
import type { AgentTool } from '../tool/agent-tool.ts'
import type { CommonOptions } from './command.ts'
import type { ExitCode } from './exit-code.ts'
import { findConfig, loadConfig } from './load-config.ts'
import { type DatabaseFlags, openDatabase, tellStoreError } from './open-database.ts'
import { printable } from '../tool/printable.ts'
import type { Output } from './output.ts'
import { openWorkspace } from './workspace.ts'

export interface RunStoreOptions extends CommonOptions, DatabaseFlags {}

/** Opens the runs of the database without a worker, calls `work`, and closes the database. */
export async function withRunStore(
  options: RunStoreOptions,
  output: Output,
  work: (runs: OpenedRuns) => Promise<ExitCode>,
): Promise<ExitCode> {
  const config = await databaseConfig(options, output)
  const { database, close } = await openDatabase(options, config.database)
  const { openRuns } = await import('../run/open-runs.ts')
  const warn = (message: string): void => output.note(`${output.paintNote('yellow', 'warning:')} ${printable(message)}`)
  const runs = await openRuns({
    database,
    app: options.app ?? config.app,
    worker: false,
    tools: () => knownTools(options, warn),
    shared: { secrets: config.secrets, reviewers: config.reviewers },
    warn,
  }).catch(tellStoreError)
  try {
    return await work(runs)
  } finally {
    await runs.close()
    await close()
  }
}

/** Only the database and the secrets of a configuration are needed here: where the command line names one, an error in the configuration is only a warning. */
async function databaseConfig(options: RunStoreOptions, output: Output): Promise<ToolwrightConfig> {
  const { config: named, databaseUrl, home } = options
  const file = named ?? findConfig(process.cwd())
  if (file === undefined) return {}
  try {
    return await loadConfig(file)
  } catch (error) {
    if (named !== undefined || (databaseUrl === undefined && home === undefined)) throw error
    output.note(`${output.paintNote('yellow', 'warning:')} ${printable(error instanceof Error ? error.message : String(error))}`)
    return {}
  }
}

/** The schemas of the tools mark secrets. Without the schemas, only the names of fields do. */
async function knownTools(options: RunStoreOptions, warn: (message: string) => void): Promise<ReadonlyMap<string, AgentTool>> {
  try {
    const { tools } = await openWorkspace(options)
    return new Map(tools.tools.map((each) => [each.name, each]))
  } catch (error) {
    warn(
      `Secrets are recognised by the names of fields alone, since the tools cannot be loaded. ${error instanceof Error ? error.message : String(error)}`,
    )
    return new Map()
  }
}
