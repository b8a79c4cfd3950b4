import type { ToolLimits } from '../../run/worker/tool-limit.ts'
import type { WorkerOptions } from '../../run/worker/worker-options.ts'
import { type Duration, toMilliseconds } from '../../tool/duration.ts'
import { CliError } from '../cli-error.ts'
import type { Command, CommonOptions } from '../command-request.ts'
import type { DatabaseFlags } from '../database-flags.ts'
import { EXIT } from '../exit-code.ts'
import { Interruption } from '../interruption.ts'
import { openDatabase } from '../open-database.ts'
import { openRunner } from '../open-runner.ts'
import { wholeNumber } from '../whole-number.ts'
import { WorkerLog } from '../worker-log.ts'
import { openWorkspace, pickTool, type Workspace } from '../workspace.ts'

interface WorkerCommandOptions extends CommonOptions, DatabaseFlags {
  readonly concurrency?: string | undefined
  readonly limit?: readonly string[] | undefined
  readonly drain?: Duration | undefined
}

const DRAINING = 'Taking no more runs. What is under way may end; once more to end at once.'

/** `toolwright worker`: carries durable runs on until it is told to stop; then what is under way may end, or is left to other workers. */
export const worker: Command<WorkerCommandOptions> = async ({ options, output }) => {
  const workspace = await openWorkspace(options)
  const settings = workerOptions(workspace, options)
  const interruption = new Interruption(output, DRAINING)
  const { database, store, close } = await openDatabase(options, workspace.config.database)
  const log = new WorkerLog(output, store)
  const runs = await openRunner(workspace, { database, output, worker: settings, onSegment: (change) => log.onSegment(change) })
  const { length } = workspace.tools.tools
  output.note(`Taking runs of ${length} ${length === 1 ? 'tool' : 'tools'} of ${workspace.from}.`)
  // A timer of its own keeps the process alive whatever the database does.
  const alive = setInterval(() => {}, 60_000)
  await new Promise<void>((resolve) => {
    if (interruption.signal.aborted) resolve()
    else interruption.signal.addEventListener('abort', () => resolve(), { once: true })
  })
  await runs.close()
  await log.close()
  await close()
  clearInterval(alive)
  output.note('The worker has ended.')
  return EXIT.ok
}

/** As said here, else as configured. */
function workerOptions(workspace: Workspace, { concurrency, limit = [], drain }: WorkerCommandOptions): WorkerOptions {
  const configured = workspace.config.worker === false ? undefined : workspace.config.worker
  return {
    ...configured,
    ...(concurrency === undefined ? {} : { concurrency: wholeNumber('--concurrency', concurrency) }),
    ...(drain === undefined ? {} : { drain: toMilliseconds(drain, '--drain') }),
    limits: { ...configured?.limits, ...limitsOf(workspace, limit, configured?.limits ?? {}) },
  }
}

function limitsOf(workspace: Workspace, given: readonly string[], configured: ToolLimits): ToolLimits {
  return Object.fromEntries(
    given.map((text) => {
      const [, name, concurrency] = /^(.+)=(\d+)$/.exec(text) ?? []
      if (name === undefined) throw new CliError('usage', `--limit must be a tool and a number, such as send_mail=2, not '${text}'.`)
      pickTool(workspace, name)
      return [name, { ...configured[name], concurrency: Number(concurrency) }]
    }),
  )
}
