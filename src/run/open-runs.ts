import { openStore } from '../store/open-store.ts'
import { migrate } from '../store/migrate.ts'
import { postgresIdempotency } from '../store/postgres-idempotency.ts'
import type { OpenStore } from '../store/store-options.ts'
import type { Store } from '../store/store.ts'
import { InboxError } from '../review/inbox-error.ts'
import type { AgentTool } from '../tool/agent-tool.ts'
import type { CallOptions } from '../tool/context.ts'
import { ConfigurationError } from '../tool/errors/configuration-error.ts'
import type { DatabaseOptions } from './database-options.ts'
import { decideApproval } from './approvals/decide-approval.ts'
import { durableInbox } from './approvals/durable-inbox.ts'
import { exportRun } from './view/export-run.ts'
import { growingPause } from './waiting.ts'
import { listRuns } from './view/list-runs.ts'
import { inStoreWords } from './run-errors.ts'
import { Notices } from './postgres/notices.ts'
import { isPassing } from './postgres/passing-error.ts'
import { ReviewerDesk } from './approvals/reviewer-desk.ts'
import { pruneRuns } from './retention.ts'
import { rehearseRuns } from './segment/rehearse-runs.ts'
import { RunQueue } from './postgres/run-queue.ts'
import { resumeRuns } from './resume-runs.ts'
import { runHandle } from './run-handle.ts'
import { runTables } from './postgres/run-tables.ts'
import type { RunsContext } from './runs-context.ts'
import type { Runs } from './runs.ts'
import { sealedIdempotency } from './journal/sealed-idempotency.ts'
import { showRun } from './view/show-run.ts'
import { startRun } from './start-run.ts'
import { storable } from './journal/storable.ts'
import type { OnStopPoint } from './stop-point.ts'
import { unknownRun } from './run-errors.ts'
import { Values } from './journal/values.ts'
import type { WorkerOptions } from './worker/worker-options.ts'
import type { WorkerTimings } from './worker/worker-options.ts'
import { type OnSegment, Worker } from './worker/worker.ts'

export interface RunsOptions {
  /** A store that is open already stays the caller's to close. */
  readonly database?: DatabaseOptions | OpenStore | undefined
  /** The tools whose runs can be started and carried on here. */
  readonly tools: () => Promise<ReadonlyMap<string, AgentTool>>
  /** What the calls of a run share, but for what its starter said. */
  readonly shared?: CallOptions | undefined
  /** False where other processes carry the runs on. */
  readonly worker?: WorkerOptions | false | undefined
  /** Told what a person who runs this should know. */
  readonly warn?: ((message: string) => void) | undefined
  /** Told what the worker of this process takes up and leaves. */
  readonly onSegment?: OnSegment | undefined
  /** For tests that cannot wait. */
  readonly timings?: Partial<WorkerTimings> | undefined
  /** For tests that stop the process between two writes. */
  readonly onStopPoint?: OnStopPoint | undefined
}

/** With what tests and commands look at beside. */
export interface OpenedRuns extends Runs {
  readonly store: Store
  readonly context: RunsContext
}

/** Opens the database, brings its tables up to date, and carries runs on, unless other processes do. */
export async function openRuns(options: RunsOptions): Promise<OpenedRuns> {
  const { database = {} } = options
  const settings: DatabaseOptions = 'close' in database ? { store: database } : database
  const given = settings.store as Store | undefined
  const values = new Values(settings.encryption)
  const store = given ?? (await openStore(settings))
  try {
    return await openOn(store, values, options)
  } catch (error) {
    // What was opened for this alone must not stay behind.
    if (given === undefined) await store.close()
    throw error
  }
}

async function openOn(store: Store, values: Values, options: RunsOptions): Promise<OpenedRuns> {
  const { database = {}, tools, warn = () => {}, onStopPoint = () => {} } = options
  const isGiven = 'close' in database || database.store !== undefined
  await migrate(store.pool, [runTables], 'toolwright.runs')
  const queue = await RunQueue.open(store, options.worker !== false, (error) => warn(`The queue of runs has trouble: ${error.message}`))
  const notices = new Notices(store)
  await notices.open()
  const keys = postgresIdempotency(store.pool)
  const idempotency = sealedIdempotency(keys, values)
  const shared: CallOptions = { idempotency, ...options.shared }
  let isClosed = false
  const context: RunsContext = {
    store,
    queue,
    values,
    reach: onStopPoint,
    patiently: (work) => patiently(work, () => isClosed),
    decide: async (id, decision) => {
      try {
        await context.patiently(() => decideApproval(context, id, decision))
        return true
      } catch (error) {
        if (error instanceof InboxError) return false
        throw error
      }
    },
    onRequest: (request) => desk?.ask(request),
  }
  const { review } = shared
  const desk = review === undefined ? undefined : new ReviewerDesk({ review, notices, decide: context.decide, warn })
  const { onSegment, timings } = options
  const parts = { context, notices, tools, shared, warn, onSegment, timings, sweep: () => keys.sweep() }
  const worker = options.worker === false ? undefined : new Worker({ ...parts, options: options.worker ?? {} })
  await worker?.start()
  return inStoreWords<OpenedRuns>({
    store,
    context,
    idempotency,
    inbox: inStoreWords(durableInbox(context, notices)),
    start: async (tool, input, own) => {
      await checkRegistered(tool, tools)
      const { id } = await startRun(context, tool, input, own)
      return runHandle(context, notices, id)
    },
    get: async (id) => {
      const { rowCount } = await store.pool.query('SELECT 1 FROM toolwright.run WHERE id = $1', [storable(id)])
      if (rowCount === 0) throw unknownRun(id)
      return runHandle(context, notices, id)
    },
    list: (own) => listRuns(context, own),
    show: async (id, own) => showRun(context, id, { ...own, tools: (await tools()).values() }),
    export: async (id, own) => exportRun(context, id, { ...own, tools: (await tools()).values() }),
    rehearse: async () => rehearseRuns(context, { tools: await tools(), shared }),
    prune: (own) => pruneRuns(context, own),
    resume: (own) => resumeRuns(context, own),
    close: async () => {
      await worker?.stop()
      isClosed = true
      await Promise.all([notices.close(), queue.close()])
      if (!isGiven) await store.close()
    },
  })
}

async function checkRegistered(tool: AgentTool, tools: RunsOptions['tools']): Promise<void> {
  const registered = (await tools()).get(tool.name)
  if (registered === tool) return
  const known = registered === undefined ? 'is not among the tools of this runtime' : 'is another one than the registered tool of that name'
  throw new ConfigurationError(
    'unregistered_tool',
    `The tool '${tool.name}' ${known}. A durable run is taken up by name, maybe by another process: pass the tool to createRuntime({ tools }).`,
  )
}

async function patiently<T>(work: () => Promise<T>, isClosed: () => boolean): Promise<T> {
  const pause = growingPause()
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (!isPassing(error) || isClosed()) throw error
      await pause()
    }
  }
}
