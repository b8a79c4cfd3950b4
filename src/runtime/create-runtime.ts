import { lazyIdempotency } from '../combinators/idempotent/lazy-idempotency.ts'
import type { Inbox } from '../review/inbox.ts'
import { checkDatabase, type DatabaseOptions } from '../run/database-options.ts'
import type { RunDatabase } from '../run/store/run-store.ts'
import type { RunHandle } from '../run/run-handle.ts'
import { runtimeClosed } from '../tool/errors/runtime-closed.ts'
import type { RunsOnOptions } from '../run/runs-on.ts'
import type { Runs } from '../run/runs.ts'
import { sharedStores } from '../run/shared-stores.ts'
import type { StartOptions } from '../run/start-run.ts'
import type { SharedOptions, StepRules } from '../run/step-rules.ts'
import { checkWorkerNames, type WorkerOptions } from '../run/worker/worker-options.ts'
import type { AppOptions } from '../store/app-options.ts'
import type { OpenStore } from '../store/store-options.ts'
import { warnOfGates, warnOfUnreachable } from '../plan/gates.ts'
import { type AgentTool, isTool, type ToolSpecification } from '../tool/agent-tool.ts'
import { behaviourOf, notATool } from '../tool/behaviour.ts'
import type { CallOptions, Stores } from '../tool/context.ts'
import { checkOptionValues } from '../tool/engine/check-call-options.ts'
import { isConfigurationError } from '../tool/errors/configuration-error.ts'
import { shareOverrides } from '../tool/overrides.ts'
import type { PeerTools, ToolResolution } from '../tool/resolve/resolve.ts'
import type { ToolResult } from '../tool/result/result.ts'
import { tool } from '../tool/tool.ts'
import { warn } from '../tool/warn.ts'
import { lazyInbox } from './lazy-inbox.ts'
import { RegisteredTools } from './registered-tools.ts'
import { checkOptionNames, optionNames } from '../tool/option-names.ts'
import { SHARED_OPTION_NAMES, type SharedCallOptions } from '../tool/shared-option-names.ts'

/** The options that all calls share; a call may override them. */
export interface RuntimeOptions extends SharedCallOptions, StepRules {
  readonly tools?: readonly unknown[] | undefined
  readonly peers?: readonly PeerTools[] | undefined
  /**
   * Where durable runs are kept: a PostgreSQL by its `url`, or the embedded one. The default is `DATABASE_URL`, else the embedded one in
   * `TOOLWRIGHT_HOME`. It is opened at the first use. The caller closes a store that was open before. In tests, `memoryRuns` of
   * `toolwright/testing` needs no database.
   */
  readonly database?: DatabaseOptions | OpenStore | RunDatabase | undefined
  /**
   * Whose durable runs: `orders`, `orders:production`, or its parts. Apps that share a database see nothing of each other. The default is
   * `TOOLWRIGHT_APP`, then the name in the nearest package.json, and `NODE_ENV`, else `development`.
   */
  readonly app?: string | AppOptions | undefined
  /** How this process works on durable runs; false where it only starts them, and other processes work on them. */
  readonly worker?: WorkerOptions | false | undefined
}

/** What calls share: tools, services, reviews, policies, and the database of durable runs. Made by `createRuntime`. */
export interface Runtime {
  /** Resolves the tools anew: providers are asked for every run. */
  readonly resolve: () => Promise<ToolResolution>
  /**
   * The tools as durable runs know them. Providers and peers give new objects each time, and a run begins with a known one: they are asked once,
   * and again at a `refresh`. A provider with `onChange` is asked again after each change.
   */
  readonly registered: () => Promise<ToolResolution>
  /** Asks the providers again, and lets those that can read where their tools come from. */
  readonly refresh: () => Promise<void>
  /** Calls back when the registered tools may have changed; the function that it returns ends that. */
  readonly onChange: (listener: () => void) => () => void
  /** Lets the providers try again what they could not reach and may have this tool, as `callByName` does before it fails; gives whether any did. */
  readonly lookFor: (name: string) => Promise<boolean>
  /** What to send to a model. */
  readonly specifications: () => Promise<readonly ToolSpecification[]>
  /** Calls a tool with the options of the runtime. */
  readonly call: <I, O>(tool: AgentTool<I, O>, input: NoInfer<I>, options?: CallOptions) => Promise<ToolResult<O>>
  /** Calls a registered tool by name with a model's argument text. */
  readonly callByName: (name: string, argumentsText: string, options?: CallOptions) => Promise<ToolResult>
  /**
   * Starts a durable run of a registered tool, and resolves as soon as the run is recorded: from then on it will end, whatever
   * happens to this process. The same key gives the same run.
   */
  readonly start: <I, O>(tool: AgentTool<I, O>, input: NoInfer<I>, options?: StartOptions) => Promise<RunHandle<O>>
  /** A durable run by its id, from any process. */
  readonly run: (id: string) => Promise<RunHandle>
  /** The inbox of the database, where durable runs wait for people. */
  readonly inbox: Inbox
  /** A database was named, by `database` or by `DATABASE_URL`: bridges then start durable runs. Without one, `start` opens the embedded database. */
  readonly hasDatabase: boolean
  /** Whether a tool is one of its tools: `another` of the same name may be. Undefined where only the providers among its tools know it. */
  readonly registration: (tool: AgentTool) => 'this' | 'another' | 'none' | undefined
  /** Whose durable runs, as it was given. */
  readonly app: RuntimeOptions['app']
  /** The home of its embedded database, where `database` names one. */
  readonly home: string | undefined
  /** The caller of calls that name none. */
  readonly caller: Pick<CallOptions, 'principal' | 'session'>
  /** The options that all its calls and runs share. */
  readonly shared: SharedCallOptions
  /** A review handler was given, which is asked beside the inbox. */
  readonly hasReviewer: boolean
  /** The runs of the database: to list, to look at, to remove. */
  readonly runs: () => Promise<Runs>
  /** Waits for running steps within the drain time, and closes the database. Until then a runtime with a worker keeps its process alive. */
  readonly close: () => Promise<void>
}

/** For the names of options that hold those of a runtime too. */
export const RUNTIME_NAMES: Readonly<Record<keyof RuntimeOptions, true>> = {
  ...SHARED_OPTION_NAMES,
  tools: true,
  peers: true,
  database: true,
  app: true,
  worker: true,
  retryReads: true,
  unknownOutcome: true,
}

const NAMES = optionNames<RuntimeOptions>(RUNTIME_NAMES)

/**
 * Holds what calls share: tools, services, secrets, the reviewer, the policy, listeners, a logger, a default deadline.
 * @example
 * const runtime = createRuntime({ tools: [orders], services: { db }, review: consoleReview() })
 * const result = await runtime.call(orders, { email: 'ada@example.com' })
 */
export function createRuntime(options: RuntimeOptions = {}): Runtime {
  checkOptionNames(options, NAMES, 'The options of createRuntime')
  const { tools = [], peers, database, app, worker, retryReads, unknownOutcome, ...given } = options
  checkOptionValues(given)
  checkDatabase(database)
  if (worker !== undefined && worker !== false) checkWorkerNames(worker)
  const list = new RegisteredTools({ tools, peers, log: given.log })
  if (Array.isArray(tools)) {
    const known = tools.filter(isTool)
    foreseeApprovals(known, options, () => opening !== undefined)
    shareOverrides(given.overrides, known, { isOpen: known.length < tools.length })
  }
  let opening: Promise<Runs> | undefined
  let isClosed = false
  const keys = lazyIdempotency(async () => (await runs()).idempotency)
  const ofBoards = sharedStores({
    open: async () => (await runs()).boards,
    warn: (message) => {
      if (!isClosed) warn(given.log, message)
    },
  })
  const boards: Stores = { ...ofBoards.stores, ...given.stores }
  const durable: CallOptions = { ...given, stores: { idempotency: keys, ...boards } }
  // One set of keys, breakers and limits for runs and calls, as soon as there is a database.
  const shared = (): CallOptions => (database === undefined && opening === undefined ? given : durable)
  const runs = async (): Promise<Runs> => {
    if (isClosed) throw runtimeClosed()
    const all: SharedOptions = { ...given, stores: boards, retryReads, unknownOutcome }
    opening ??= openDurable({ database, app, worker, shared: all, list, beforeClose: ofBoards.leave }).catch((error: unknown) => {
      opening = undefined
      throw error
    })
    return opening
  }
  let closing: Promise<void> | undefined
  const close = async (): Promise<void> => {
    isClosed = true
    list.close()
    const opened = await opening?.catch(() => undefined)
    opening = undefined
    await opened?.close()
  }
  return {
    runs,
    hasDatabase: namesDatabase(database),
    registration: (asked) => registrationIn(tools, asked),
    app,
    home: database !== undefined && 'home' in database ? database.home : undefined,
    caller: { principal: given.principal, session: given.session },
    shared: given,
    hasReviewer: given.review !== undefined && given.review.isAbsent !== true,
    start: async (started, input, own) => {
      behaviourOf(started, 'The first argument of runtime.start')
      return (await runs()).start(started, input, own)
    },
    run: async (id) => (await runs()).get(id),
    inbox: lazyInbox({ open: async () => (await runs()).inbox, isClosed: () => isClosed, warn: (message) => warn(given.log, message) }),
    close: () => (closing ??= close()),
    resolve: () => list.resolve(),
    registered: () => list.registered(),
    refresh: () => list.refresh(),
    onChange: (listener) => list.onChange(listener),
    lookFor: (name) => list.lookFor(name),
    specifications: async () => (await list.resolve()).specifications,
    call: (called, input, own) => {
      if (!isTool(called)) return Promise.reject(notATool(called, 'The first argument of runtime.call'))
      return called.call(input, merged(shared(), own))
    },
    callByName: async (name, argumentsText, own) => {
      const all = merged(shared(), own)
      const resolution = await resolutionFor(list, name).catch((error: unknown) => failedResolution(error))
      if (all.log?.isLevelEnabled?.('trace') === true) {
        for (const specification of resolution.specifications) all.log.trace({ specification }, `specification of ${specification.name}`)
      }
      return resolution.call(name, argumentsText, all)
    },
  }
}

function registrationIn(tools: readonly unknown[], asked: AgentTool): ReturnType<Runtime['registration']> {
  if (tools.includes(asked)) return 'this'
  if (tools.some((each) => isTool(each) && each.name === asked.name)) return 'another'
  return tools.every((each) => isTool(each)) ? 'none' : undefined
}

/** Whether a database is named, by the option or by the environment. Many programs have a `DATABASE_URL` of another kind. */
export function namesDatabase(database: RuntimeOptions['database']): boolean {
  return database !== undefined || /^\s*postgres(ql)?:/.test(process.env['DATABASE_URL'] ?? '')
}

/** Warns of gates that nobody can open. A call may bring another reviewer or caller, so it is no error. */
function foreseeApprovals(tools: readonly AgentTool[], options: RuntimeOptions, hasStarted: () => boolean): void {
  const { review, reviewers, principal, database, log } = options
  const shared = { reviewers, principal, isOpen: true }
  const inInbox = (): void => warnOfUnreachable(tools, { deciders: 'principals', counts: true, ...shared }, log)
  if (database !== undefined) return inInbox()
  if (review !== undefined && review.isAbsent !== true)
    return warnOfUnreachable(tools, { deciders: review.deciders, counts: review.counts, ...shared }, log)
  // A program may start a run in the embedded database, which no option names. That asks in the inbox, and needs no reviewer.
  queueMicrotask(() => {
    if (hasStarted() || namesDatabase(database)) return inInbox()
    return warnOfGates(tools, {
      log,
      who: 'the runtime',
      // Whether a bridge will ask is not known yet.
      advice:
        "pass 'review' to createRuntime, or with every call. Without one, a call of your program fails; bridges and MCP servers ask through their peers, durable runs in their inbox, and need none.",
    })
  })
}

interface Durable extends Pick<RuntimeOptions, 'database' | 'app' | 'worker'>, Pick<RunsOnOptions, 'beforeClose'> {
  readonly shared: SharedOptions
  readonly list: RegisteredTools
}

/** The modules of durable runs are loaded with the first run. */
async function openDurable({ database, app, worker, shared, list, beforeClose }: Durable): Promise<Runs> {
  shareOverrides(shared.overrides, (await list.registered()).tools)
  const { log } = shared
  const options = {
    worker,
    shared,
    tools: byName(list),
    onToolsChanged: (listener: () => void) => list.onChange(listener),
    beforeClose,
    warn: (message: string): void => warn(log, message),
  }
  if (database !== undefined && 'openRuns' in database) {
    const [{ runsOn }, { appOf }] = await Promise.all([import('../run/runs-on.ts'), import('../store/app.ts')])
    const store = await database.openRuns({ app: appOf(app, { isShared: false }), hasWorker: worker !== false, warn: options.warn })
    return runsOn(store, { ...options, timings: database.timings })
  }
  const { openRuns } = await import('../run/open-runs.ts')
  return openRuns({ ...options, app, database })
}

/** The tools of this moment, each time. */
function byName(list: RegisteredTools): () => Promise<ReadonlyMap<string, AgentTool>> {
  let of: ToolResolution | undefined
  let tools: ReadonlyMap<string, AgentTool> = new Map()
  return async () => {
    const resolution = await list.registered()
    if (of !== resolution) tools = new Map(resolution.tools.map((each) => [each.name, each]))
    of = resolution
    return tools
  }
}

/** Before a name is called unknown, a provider that could not reach a server tries it again. */
async function resolutionFor(list: RegisteredTools, name: string): Promise<ToolResolution> {
  const resolution = await list.resolve()
  return resolution.get(name) === undefined && (await list.lookFor(name)) ? list.resolve() : resolution
}

/** A provider that is down is a failure of this call; a list that is wrong is a mistake in the program. */
function failedResolution(error: unknown): Promise<ToolResolution> {
  if (isConfigurationError(error)) throw error
  const provider = tool({
    name: 'tool_provider',
    description: 'Answers for a provider of tools that failed.',
    effect: 'read',
    execute: () => {
      throw error
    },
  })
  return Promise.resolve({
    tools: [],
    specifications: [],
    get: () => undefined,
    leftOut: [],
    call: (_name, _text, options) => provider.call('', { ...options, overrides: undefined }),
  })
}

/** The options of the call override the shared ones; listeners and services are combined. */
function merged(shared: CallOptions, own: CallOptions | undefined): CallOptions {
  if (own === undefined) return shared
  const given = Object.fromEntries(Object.entries(own).filter(([, value]) => value !== undefined)) as CallOptions
  return { ...shared, ...given, on: [shared.on ?? [], own.on ?? []].flat(), services: { ...shared.services, ...own.services } }
}
