import type { OpenedRuns, RunsOptions } from '../run/open-runs.ts'
import type { WorkerOptions } from '../run/worker/worker-options.ts'
import { type DurablePlace, tellStoreError } from './open-database.ts'
import { printable } from '../tool/printable.ts'
import type { Output } from './output.ts'
import { sharedOptions, type Workspace } from './workspace.ts'

export interface Runner extends DurablePlace, Pick<RunsOptions, 'onSegment'> {
  readonly output: Output
  readonly worker: WorkerOptions | false
}

/** Opens the runs of a database with the tools of a workspace, to start runs, and to work on them where a worker is given. */
export async function openRunner({ config, tools }: Workspace, { database, app, output, worker, onSegment }: Runner): Promise<OpenedRuns> {
  const { openRuns } = await import('../run/open-runs.ts')
  const byName = new Map(tools.tools.map((each) => [each.name, each]))
  return openRuns({
    database,
    app,
    tools: async () => byName,
    shared: sharedOptions(config),
    worker,
    onSegment,
    warn: (message) => output.note(`${output.paintNote('yellow', 'warning:')} ${printable(message)}`),
  }).catch(tellStoreError)
}
