import { InboxError } from '../review/inbox-error.ts'
import type { AgentTool } from '../tool/agent-tool.ts'
import type { Stores } from '../tool/context.ts'
import type { IdempotencyStore } from '../tool/ports/idempotency-store.ts'
import { digest } from '../tool/journal/hash.ts'
import { decideApproval } from './approvals/decide-approval.ts'
import { durableInbox } from './approvals/durable-inbox.ts'
import { ReviewerDesk } from './approvals/reviewer-desk.ts'
import { growingPause, within } from './host.ts'
import { sealedIdempotency } from './journal/sealed-idempotency.ts'
import { Values } from './journal/values.ts'
import { pruneRuns } from './retention.ts'
import { Openness } from './openness.ts'
import { unknownRun } from './run-errors.ts'
import { runHandle } from './run-handle.ts'
import type { RunsContext } from './runs-context.ts'
import type { Runs } from './runs.ts'
import { rehearseRuns } from './segment/rehearse-runs.ts'
import { sharedStores } from './shared-stores.ts'
import { startRun } from './start-run.ts'
import { starterOf } from './starter.ts'
import { checkStepRules, type SharedOptions } from './step-rules.ts'
import type { OnStopPoint } from './stop-point.ts'
import type { ResumeOptions } from './store/run-changes.ts'
import type { RunStore } from './store/run-store.ts'
import { isTakenBack, takeBack } from './taken-back.ts'
import { exportRun } from './view/export-run.ts'
import { listRuns } from './view/list-runs.ts'
import { unregisteredTool } from '../tool/errors/unregistered-tool.ts'
import { recordedRuns } from './view/recorded-runs.ts'
import { showRun } from './view/show-run.ts'
import type { WorkerOptions, WorkerTimings } from './worker/worker-options.ts'
import type { OnSegment } from './worker/worker-options.ts'
import { Worker } from './worker/worker.ts'
import { checkOptionNames, optionNames } from '../tool/option-names.ts'

export interface RunsOnOptions {
  /** The tools whose runs can be started and carried on here. */
  readonly tools: () => Promise<ReadonlyMap<string, AgentTool>>
  /** Calls back when `tools` may give others; the function that it returns ends that. */
  readonly onToolsChanged?: ((listener: () => void) => () => void) | undefined
  /** What the calls of a run share, but for what its starter said. */
  readonly shared?: SharedOptions | undefined
  /** False where other processes carry the runs on. */
  readonly worker?: WorkerOptions | false | undefined
  /** Told what a person who runs this should know. */
  readonly warn?: ((message: string) => void) | undefined
  /** Told what the worker of this process takes up and leaves. */
  readonly onSegment?: OnSegment | undefined
  /** Called when the worker has stopped and the database is still open. It is waited for, for half a second. */
  readonly beforeClose?: (() => Promise<void>) | undefined
  /** For tests that cannot wait. */
  readonly timings?: Partial<WorkerTimings> | undefined
  /** For tests that stop the process between two writes. */
  readonly onStopPoint?: OnStopPoint | undefined
}

const KEYS_AT_ONCE = 100
/** A process that closes waits no longer until the others know. */
const LEAVE_MS = 500

/** With what tests and commands look at beside. */
export interface RunsOn extends Runs {
  readonly context: RunsContext
  /** Of the worker of this process. */
  readonly workerId: string | undefined
}

/** What users ask of the database, and wait for. */
type Asked = Omit<Runs, 'inbox' | 'inboxOn' | 'idempotency' | 'boards' | 'fingerprints' | 'close'>

const RESUME_NAMES = optionNames<ResumeOptions>({ code: true, tool: true })

/** The runs of a store, which they close. Carries runs on, unless other processes do. */
export async function runsOn(store: RunStore, options: RunsOnOptions, values: Values = new Values()): Promise<RunsOn> {
  checkStepRules(options.shared ?? {})
  const { tools, onStopPoint = () => {}, onSegment, timings } = options
  const openness = new Openness()
  // Of a database that is closed on purpose there is nothing to say.
  const warn = (message: string): void => {
    if (!openness.isClosed) options.warn?.(message)
  }
  const idempotency = sealedIdempotency(store.idempotency, values)
  const { boards } = store
  const ofBoards = sharedStores({ open: async () => boards, warn })
  const stores: Stores = { idempotency, ...(boards === undefined ? {} : ofBoards.stores), ...options.shared?.stores }
  const shared: SharedOptions = { ...options.shared, stores }
  const { channel = 'handler' } = shared.review ?? {}
  const context: RunsContext = {
    store,
    values,
    idempotency,
    reach: onStopPoint,
    openness,
    starter: starterOf(shared),
    start: (run) => (worker === undefined ? store.start(run) : worker.startRun(run)),
    patiently: (work) => patiently(store, work, openness),
    tools,
    secrets: shared.secrets,
    reviewers: options.shared?.reviewers,
    decide: (id, decision) => decideFirst(context, () => decideApproval(context, id, { decision, by: decision.by, channel })),
    onRequest: (request) => desk?.ask(request),
  }
  const { review } = shared
  const desk =
    review === undefined
      ? undefined
      : new ReviewerDesk({ review, notices: store, clock: store.clock, reviewers: context.reviewers, decide: context.decide, warn })
  const parts = { context, tools, shared, warn, onSegment, timings, onToolsChanged: options.onToolsChanged }
  const worker = options.worker === false ? undefined : new Worker({ ...parts, options: options.worker ?? {} })
  await worker?.start()
  const close = async (): Promise<void> => {
    await worker?.stop()
    await within(store.clock, Promise.all([openness.close(), ofBoards.leave(), options.beforeClose?.()]), LEAVE_MS)
    await store.close()
  }
  let closing: Promise<void> | undefined
  const asked = openness.guard<Asked>({
    start: async (tool, input, own) => {
      await checkRegistered(tool, tools)
      const { id, isNew } = await startRun(context, tool, input, own)
      return runHandle(context, id, isNew)
    },
    get: async (id) => {
      if ((await store.findRun(id)) === undefined) throw unknownRun(id)
      return runHandle(context, id)
    },
    takeBack: (id) => takeBack(context, id),
    isTakenBack: (id) => isTakenBack(context, id),
    openKeys: (start, below) => store.readOpenKeys(start, below, KEYS_AT_ONCE),
    list: (own) => listRuns(context, own),
    show: (id, own) => showRun(context, id, own),
    export: (id, own) => exportRun(context, id, own),
    rehearse: async () => rehearseRuns(context, { tools: await tools(), shared }),
    recorded: (own) => recordedRuns(context, own),
    prune: (own) => pruneRuns(context, own),
    resume: async (own = {}) => {
      checkOptionNames(own, RESUME_NAMES, 'The options of runs.resume')
      return store.resumeBlocked(own)
    },
  })
  return {
    ...asked,
    context,
    workerId: worker?.id,
    idempotency: forUsers(openness, idempotency),
    boards: boards && { ...openness.inWords(boards), breakers: openness.inWords(boards.breakers), limits: openness.inWords(boards.limits) },
    inbox: durableInbox(context),
    inboxOn: (way, identity) => durableInbox(context, { channel: way, identity }),
    fingerprints: (text) => {
      openness.check()
      return values.fingerprints(digest(text))
    },
    // A store that is lost answers nothing: there is nothing to wait for.
    close: () => (closing ??= Promise.race([close(), ...(store.lost === undefined ? [] : [store.lost])])),
  }
}

/** Nobody who closes waits until a key has changed. */
function forUsers(openness: Openness, { changed, ...keys }: IdempotencyStore): IdempotencyStore {
  const own = openness.guard<Omit<IdempotencyStore, 'changed'>>(keys)
  if (changed === undefined) return own
  const whileOpen = async (...given: Parameters<typeof changed>): Promise<void> => {
    openness.check()
    return changed(...given)
  }
  return { ...own, changed: whileOpen }
}

async function checkRegistered(tool: AgentTool, tools: RunsOnOptions['tools']): Promise<void> {
  const registered = (await tools()).get(tool.name)
  if (registered !== tool) throw unregisteredTool(tool, registered !== undefined)
}

/** False where it does not count. */
async function decideFirst({ patiently: trying }: RunsContext, decide: () => Promise<unknown>): Promise<boolean> {
  try {
    await trying(decide)
    return true
  } catch (error) {
    if (error instanceof InboxError) return false
    throw error
  }
}

async function patiently<T>(store: RunStore, work: () => Promise<T>, openness: Openness): Promise<T> {
  const pause = growingPause(store.clock)
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (!store.isPassing(error) || openness.isClosed) throw error
      await untilClosed(openness, pause())
      if (openness.isClosed) throw error
    }
  }
}

async function untilClosed({ onClose }: Openness, pause: Promise<void>): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const stopListening = onClose(resolve)
  await Promise.race([pause, promise])
  stopListening()
}
