import type { OpenedRuns, RunsOptions } from '../run/open-runs.ts'
import type { WorkerOptions } from '../run/worker/worker-options.ts'
import { type DurablePlace, tellStoreError } from './open-database.ts'
import type { AgentTool } from '../tool/agent-tool.ts'
import type { Output } from './output.ts'
import { sharedOptions, type Workspace } from './workspace.ts'

export interface Runner extends DurablePlace, Pick<RunsOptions, 'onSegment'> {
  readonly output: Output
  readonly worker: WorkerOptions | false
}

/** Opens the runs of a database with the tools of a workspace, to start runs, and to work on them where a worker is given. */
export async function openRunner(
  { config, tools, mcp }: Workspace,
  { database, app, output, worker, onSegment }: Runner,
): Promise<OpenedRuns> {
  const { openRuns } = await import('../run/open-runs.ts')
  const theirs = new Set(mcp?.servers.tools())
  const own = tools.tools.filter((each) => !theirs.has(each))
  // A tool of the configuration has its name before those of servers.
  const named = (list: readonly AgentTool[]): readonly (readonly [string, AgentTool])[] => list.map((each) => [each.name, each])
  const byName = (): ReadonlyMap<string, AgentTool> => new Map([...named(mcp?.servers.tools() ?? []), ...named(own)])
  return openRuns({
    database,
    app,
    tools: async () => byName(),
    onToolsChanged: mcp?.servers.onChange,
    shared: sharedOptions(config),
    worker,
    onSegment,
    warn: (message) => output.warn(message),
  }).catch(tellStoreError)
}
