import type { CallToolResult, InputRequiredResult, ServerContext } from '@modelcontextprotocol/server'
import { isRecord } from '../../schema/json-schema.ts'
import { excerpt } from '../../schema/quote.ts'
import type { Runtime } from '../../runtime/create-runtime.ts'
import { decideRequest } from '../../runtime/decide-request.ts'
import { durableAtDoor } from '../../runtime/durable-at-door.ts'
import type { DoorRun, DoorRuns, KnownRun } from '../../runtime/durable-call.ts'
import { isRunStatus, runStatusOf } from '../../runtime/run-status.ts'
import type { AgentTool } from '../../tool/agent-tool.ts'
import type { CallOptions } from '../../tool/context.ts'
import { ToolError } from '../../tool/errors/tool-error.ts'
import { ModelArguments } from '../../tool/input/arguments.ts'
import { systemClock } from '../../tool/ports/clock.ts'
import type { ToolResult } from '../../tool/result/result.ts'
import { followCaller } from '../../tool/returning-caller.ts'
import type { ReviewHandler } from '../../tool/review.ts'
import { CHANNELS } from '../channels.ts'
import { askClient } from './ask-client.ts'
import { givenKey, namedRun, RUN_META } from './call-key.ts'
import { formFor } from './form-for.ts'
import { heardForm, MOST_FORMS } from './heard-form.ts'
import type { McpLibrary } from './load-mcp.ts'
import { callerNowOf, clientOf } from './mcp-caller.ts'
import { ProgressReports } from './progress-reports.ts'
import {
  type CallState,
  type ForeignState,
  optionsFor,
  type RunState,
  told,
  toldFatal,
  unknownState,
  type Wanted,
  type WayToAsk,
} from './serving.ts'
import { openRequests } from '../durable-answers.ts'
import { OwnRun } from '../own-run.ts'
import type { RoutedResults } from '../routed-results.ts'
import type { CurrentCatalog } from './tool-catalog.ts'
import { withHeartbeat } from './with-heartbeat.ts'

interface DurableServingParts {
  readonly mcp: McpLibrary
  readonly catalog: CurrentCatalog
  readonly shared: CallOptions
  readonly routed: RoutedResults
  /** How long the client's user is waited for. */
  readonly waitMs: number
  /** The client, where one connection has one. */
  readonly client: string | undefined
  /** Aborted when the server closes: the calls end, the runs go on. */
  readonly closing: AbortSignal
}

/** The call must outlast the waiting, so that the receipt comes, and not a failure. */
const GRACE_MS = 10_000

/** The tools of a server whose calls are durable runs. No process has to stay: the client comes back with the id of the run. */
export class DurableServing {
  readonly #parts: DurableServingParts

  constructor(parts: DurableServingParts) {
    this.#parts = parts
  }

  serves(tool: AgentTool): boolean {
    const { durable } = this.#parts.catalog.now
    return durable.of(tool) !== undefined || (isRunStatus(tool) && durable.runtimes.length > 0)
  }

  /** One round of a call: to the end of its run, to the questions that the client asks its user, or to a receipt. */
  async call(wanted: Wanted, context: ServerContext, way: WayToAsk): Promise<CallToolResult | InputRequiredResult> {
    const { shared, routed } = this.#parts
    const telling = { context, log: shared.log, routed, caller: optionsFor(shared, context) }
    try {
      return isRunStatus(wanted.tool)
        ? await told(wanted.tool, await this.#status(wanted, context), telling)
        : await this.#run(wanted, context, way)
    } catch (fatal) {
      return toldFatal(wanted.tool, fatal, telling)
    }
  }

  #status({ given }: Wanted, context: ServerContext): Promise<ToolResult> {
    const { durable, offered } = this.#parts.catalog.now
    const shared = optionsFor(this.#parts.shared, context)
    const status = runStatusOf(durable.runtimes, { client: this.#client(context), upstream: durable.upstream })
    const input = ModelArguments.ofValue(given, offered.get(status.name)?.decoder) as never
    return status.call(input, { ...shared, signal: context.mcpReq.signal })
  }

  async #run({ tool, given }: Wanted, context: ServerContext, way: WayToAsk): Promise<CallToolResult | InputRequiredResult> {
    const { mcp, waitMs, catalog, routed } = this.#parts
    const { durable, offered } = catalog.now
    const shared = optionsFor(this.#parts.shared, context)
    const telling = { context, log: shared.log, routed, caller: shared }
    const parts = durable.of(tool)
    if (parts === undefined) throw new TypeError(`'${tool.name}' does not run durably.`)
    const { runtime, rules } = parts
    const isOwnReviewer = shared.review !== undefined || runtime.hasReviewer
    const ownRun = new OwnRun()
    const progress = new RunProgress(context)
    const review = shared.review ?? (way === 'request' && !isOwnReviewer ? this.#asking(context, progress.reports) : undefined)
    const answering: Answering = { runtime, answered: new Set(), forms: new Map(), problems: new Map(), isOther: false }
    const ends = endsOf(context, { mcp, closing: this.#parts.closing })
    if (context.http !== undefined) followCaller(ends.cancel, () => callerNowOf(context)?.principal)
    const atDoor = durableAtDoor(parts.tool, runtime, {
      ...rules,
      reviewMs: waitMs,
      deadline: shared.deadline ?? rules.deadline,
      client: this.#client(context),
      key: givenKey(context),
      review,
      left: ends.left,
      isApart: () => false,
      known: (runs) => this.#known(runs, context, answering),
      onRun: (run) => {
        ownRun.onRun(run)
        progress.follow(run)
      },
    })
    const { principal, session, agent, task, tokenBudget, on, log, clock } = shared
    const own = { principal, session, agent, task, tokenBudget, on, log, clock, signal: ends.cancel }
    const input = ModelArguments.ofValue(given, offered.get(tool.name)?.decoder) as never
    const result: ToolResult = await runtime
      .call(atDoor, input, { ...own, deadline: Math.max(rules.patienceMs, waitMs) + GRACE_MS })
      .finally(ends.stop)
    if (answering.isOther) throw unknownState(mcp)
    const waiting = ownRun.waitingIn(result)
    await progress.end(result.ok || result.error.pending === undefined)
    const toldOfRun = async (): Promise<CallToolResult> => withRun(await told(tool, result, telling), ownRun.receiptIn(result))
    if (waiting === undefined || way !== 'result' || isOwnReviewer) return toldOfRun()
    // An answer that did not count is not asked for again: others may decide.
    const open = await openRequests(runtime, waiting)
    const items = open.filter(({ request }) => !answering.answered.has(request.id))
    if (items.length === 0) return toldOfRun()
    const inputRequests = Object.fromEntries(
      items.map(({ request }) => [request.id, mcp.inputRequired.elicit(formFor(request, telling, answering.problems.get(request.id)))]),
    )
    const forms = answering.forms.size === 0 ? {} : { forms: Object.fromEntries(answering.forms) }
    return mcp.inputRequired({ inputRequests, requestState: runState({ run: waiting, ...forms }) })
  }

  /** The run that the client goes on with, after the answers of its user are in the inbox. */
  async #known(runs: DoorRuns, context: ServerContext, answering: Answering): Promise<KnownRun | undefined> {
    const { runtime, answered, forms, problems } = answering
    const { inputResponses = {}, requestState } = context.mcpReq
    const state = requestState<CallState | RunState | ForeignState>()
    if (state === undefined) return knownByName(runs, namedRun(context))
    const run = 'run' in state ? await runs.find(state.run) : undefined
    if (run === undefined) {
      answering.isOther = true
      throw unknownState(this.#parts.mcp)
    }
    const refused: string[] = []
    for (const { request } of await openRequests(runtime, run.id)) {
      if (!Object.hasOwn(inputResponses, request.id)) continue
      const form = await heardForm(request, inputResponses[request.id])
      if ('problem' in form) {
        const filled = ('run' in state && state.forms?.[request.id]) || 0
        forms.set(request.id, filled + 1)
        problems.set(request.id, form.problem)
        if (filled + 1 < MOST_FORMS) continue
      }
      answered.add(request.id)
      const why = 'problem' in form ? form.problem : await decideRequest(runtime, request.id, { ...form, channel: CHANNELS.mcp })
      if (why !== undefined) refused.push(why)
    }
    return { run, refused }
  }

  /** The request of the client is open meanwhile. */
  #asking(context: ServerContext, reports: ProgressReports): ReviewHandler {
    const { shared, waitMs } = this.#parts
    return withHeartbeat(askClient({ context, log: shared.log }, waitMs), reports, shared.clock ?? systemClock)
  }

  #client(context: ServerContext): string | undefined {
    return clientOf(context) ?? this.#parts.client
  }
}

/** The run that a client of ours names. It may be gone, and the call is not to begin again then. */
async function knownByName(runs: DoorRuns, name: string | undefined): Promise<KnownRun | undefined> {
  if (name === undefined) return undefined
  const run = await runs.find(name)
  if (run !== undefined) return { run, refused: [] }
  throw new ToolError(`There is no run '${excerpt(name, LONGEST_NAME)}' of this call.`, { code: 'not_found', outcome: 'not_started' })
}

const LONGEST_NAME = 200

/** A receipt that names the run of its call. */
function withRun(result: CallToolResult, run: string | undefined): CallToolResult {
  return run === undefined ? result : { ...result, _meta: { ...result._meta, [RUN_META]: run } }
}

/** The progress of a run, for a client that asked for it. */
class RunProgress {
  readonly reports = new ProgressReports()
  readonly #over = new AbortController()
  readonly #isWanted: boolean
  #following: Promise<void> | undefined

  constructor({ mcpReq: { _meta, notify } }: ServerContext) {
    this.#isWanted = _meta?.progressToken !== undefined
    this.reports.to(_meta?.progressToken, notify)
  }

  follow(run: DoorRun): void {
    if (this.#isWanted) this.#following = this.reports.follow(run, this.#over.signal)
  }

  /** A report after the result is lost: all reports of a run that has ended are sent before. */
  async end(hasEnded: boolean): Promise<void> {
    if (!hasEnded) this.#over.abort(new DOMException('The call has ended.', 'AbortError'))
    await this.#following
    await this.reports.sent
  }
}

interface Answering {
  readonly runtime: Runtime
  /** The requests that this round has answered. */
  readonly answered: Set<string>
  /** How many forms of a request did not count, and why the last one does not. */
  readonly forms: Map<string, number>
  readonly problems: Map<string, string>
  /** The state that the client sent names no run of this call. */
  isOther: boolean
}

interface CallEnds {
  /** The client does not want the call any more. */
  readonly cancel: AbortSignal
  /** The client has gone, or waits no longer: the run goes on. */
  readonly left: AbortSignal
  readonly stop: () => void
}

/** A client that loses its connection, or whose time is over, may still want the call. One that cancels it does not. */
function endsOf({ mcpReq: { signal } }: ServerContext, { mcp, closing }: Pick<DurableServingParts, 'mcp' | 'closing'>): CallEnds {
  const cancel = new AbortController()
  const left = new AbortController()
  const end = (): void => {
    const { reason } = signal as { readonly reason: unknown }
    const isGone = isRecord(reason) && reason['code'] === mcp.SdkErrorCode.ConnectionClosed
    const isLate = typeof reason === 'string' && /time(?:d )?-?out/i.test(reason)
    ;(isGone || isLate ? left : cancel).abort(reason)
  }
  signal.addEventListener('abort', end, { once: true })
  if (signal.aborted) end()
  return { cancel: cancel.signal, left: AbortSignal.any([left.signal, closing]), stop: () => signal.removeEventListener('abort', end) }
}

const RUN_STATE = 'run.'

function runState(state: RunState): string {
  return `${RUN_STATE}${Buffer.from(JSON.stringify(state)).toString('base64url')}`
}

/** The state of a durable run; undefined for another one. It is not signed: the run is looked up for the same caller, tool and arguments. */
export function readRunState(text: string): RunState | undefined {
  if (!text.startsWith(RUN_STATE)) return undefined
  const state: unknown = JSON.parse(Buffer.from(text.slice(RUN_STATE.length), 'base64url').toString())
  if (!isRecord(state) || typeof state['run'] !== 'string') throw new TypeError('The state names no run.')
  const { forms } = state
  const isCount = isRecord(forms) && Object.values(forms).every((each) => Number.isSafeInteger(each))
  return { run: state['run'], ...(isCount ? { forms: forms as Record<string, number> } : {}) }
}
