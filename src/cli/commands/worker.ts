import type { OpenedRuns } from '../../run/open-runs.ts'
import type { RunStatus } from '../../run/state/run-state.ts'
import type { ToolLimits } from '../../run/worker/tool-limit.ts'
import type { OnSegment } from '../../run/worker/worker-options.ts'
import type { WorkerOptions } from '../../run/worker/worker-options.ts'
import { appText } from '../../store/app.ts'
import type { Store } from '../../store/store.ts'
import { type Duration, toMilliseconds } from '../../tool/duration.ts'
import { printable } from '../../tool/printable.ts'
import { CliError } from '../cli-error.ts'
import type { Command, CommonOptions } from '../command.ts'
import { EXIT } from '../exit-code.ts'
import { Interruption } from '../interruption.ts'
import { shortId } from '../match-id.ts'
import { type DatabaseFlags, openDatabase } from '../open-database.ts'
import { openRunner } from '../open-runner.ts'
import { jsonText, type Output } from '../output.ts'
import { statusFormat } from '../status-format.ts'
import { wholeNumber } from '../whole-number.ts'
import { openWorkspace, pickTool, type Workspace } from '../workspace.ts'
import { onOneLine } from '../../review/on-one-line.ts'

interface WorkerCommandOptions extends CommonOptions, DatabaseFlags {
  readonly concurrency?: string | undefined
  readonly limit?: readonly string[] | undefined
  readonly drain?: Duration | undefined
}

const DRAINING = 'Taking no more runs. What is under way may end; once more to end at once.'

/** `toolwright worker`: works on durable runs until it is told to stop. Then running steps may end within the drain time; other workers continue the rest. */
export const worker: Command<WorkerCommandOptions> = async ({ options, output }) => {
  const workspace = await openWorkspace(options, output)
  const settings = workerOptions(workspace, options)
  const interruption = new Interruption(output, DRAINING)
  const log = new WorkerLog(output, async () => (await opening).runs.store)
  const opening = openWorker(workspace, options, { output, settings, onSegment: (change) => log.onSegment(change) })
  // A database that does not answer is given up after half a minute only. Nothing is under way before.
  const opened = await Promise.race([opening, interruption.overdue])
  if (opened === undefined) {
    output.note('The worker has not begun, and has ended without waiting for the database.')
    return interruption.code ?? EXIT.terminated
  }
  const { runs, close } = opened
  const { length } = workspace.tools.tools
  output.note(
    `Taking runs of ${length} ${length === 1 ? 'tool' : 'tools'} of ${printable(workspace.from)}, for the app ${printable(appText(runs.app))}.`,
  )
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

interface Opening {
  readonly output: Output
  readonly settings: WorkerOptions
  readonly onSegment: OnSegment
}

interface OpenedWorker {
  readonly runs: OpenedRuns
  readonly close: () => Promise<void>
}

async function openWorker(
  workspace: Workspace,
  options: WorkerCommandOptions,
  { output, settings, onSegment }: Opening,
): Promise<OpenedWorker> {
  const { database, app, close } = await openDatabase(options, workspace)
  return { runs: await openRunner(workspace, { database, app, output, worker: settings, onSegment }), close }
}

/** From the flags, else from the configuration. */
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

type Change = Parameters<OnSegment>[0]

const PASSING = ['taken', 'taken over', 'passed on'] as const

/** What happens to a run that goes on: this worker takes it, another one has it, or another one must take it. */
type Passing = (typeof PASSING)[number]

function isPassing(state: RunStatus | Passing): state is Passing {
  return (PASSING as readonly string[]).includes(state)
}

/** Runs that end within this time are looked up together. */
const LOOK_UP_MS = 100

interface LeftRow {
  readonly id: string
  readonly status: RunStatus
  readonly message: string | null
}

/** Prints a line for every run that a worker starts or leaves, as JSON with --json. */
class WorkerLog {
  readonly #output: Output
  readonly #store: () => Promise<Store>
  /** The runs that this worker runs now. */
  readonly #here = new Set<string>()
  #left: Change[] = []
  #timer: NodeJS.Timeout | undefined

  constructor(output: Output, store: () => Promise<Store>) {
    this.#output = output
    this.#store = store
  }

  onSegment(change: Change): void {
    if (change.state === 'taken') {
      this.#here.add(change.run)
      return this.#print(change, 'taken')
    }
    this.#here.delete(change.run)
    if (change.unable !== undefined) return this.#print(change, 'passed on', change.unable)
    this.#left.push(change)
    this.#timer ??= setTimeout(() => void this.#lookUp(), LOOK_UP_MS)
  }

  async close(): Promise<void> {
    clearTimeout(this.#timer)
    await this.#lookUp()
  }

  /** Prints the status of the runs that were left. A run that is running again is with another worker, unless this worker took it again. */
  async #lookUp(): Promise<void> {
    this.#timer = undefined
    const left = this.#left
    this.#left = []
    if (left.length === 0) return
    try {
      const { pool } = await this.#store()
      const { rows } = await pool.query<LeftRow>(
        "SELECT id, status, why ->> 'message' AS message FROM toolwright.run WHERE id = ANY($1::text[])",
        [left.map(({ run }) => run)],
      )
      const found = new Map(rows.map((row) => [row.id, row]))
      for (const change of left) {
        const { status, message } = found.get(change.run) ?? {}
        if (status === 'running') {
          if (!this.#here.has(change.run)) this.#print(change, 'taken over')
        } else if (status !== undefined) this.#print(change, status, message ?? undefined)
      }
    } catch {
      // The database does not answer. The status of the runs is in the database, not only in this log.
    }
  }

  #print({ run, tool }: Change, state: RunStatus | Passing, why?: string): void {
    const { json } = this.#output
    if (json) return this.#output.printData(jsonText({ at: Date.now(), state, run, tool, ...(why === undefined ? {} : { why }) }))
    const painted = this.#output.paint(isPassing(state) ? 'dim' : statusFormat(state), state.padEnd(9))
    this.#output.print(`${painted} ${shortId(run)} ${printable(tool)}${why === undefined ? '' : `: ${printable(onOneLine(why))}`}`)
  }
}
