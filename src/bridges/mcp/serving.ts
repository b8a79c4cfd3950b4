import type { CallToolRequest, CallToolResult, InputRequiredResult, Server, ServerContext } from '@modelcontextprotocol/server'
import { isRecord } from '../../schema/json-schema.ts'
import { type AgentTool, identityOf } from '../../tool/agent-tool.ts'
import { systemClock } from '../../tool/ports/clock.ts'
import type { CallOptions } from '../../tool/context.ts'
import { isConfigurationError } from '../../tool/errors/configuration-error.ts'
import { isExitEarly } from '../../tool/errors/exit-early.ts'
import { ModelArguments } from '../../tool/input/arguments.ts'
import { hashOf } from '../../tool/journal/hash.ts'
import { didYouMean } from '../../schema/did-you-mean.ts'
import { nearestNames } from '../../schema/nearest-names.ts'
import type { ToolResult } from '../../tool/result/result.ts'
import type { ReviewHandler } from '../../tool/review.ts'
import { measure, nodesIn } from '../../schema/measure.ts'
import { mayAsk } from '../../plan/gates.ts'
import type { Runtime } from '../../runtime/create-runtime.ts'
import type { HeldBytes } from '../held-bytes.ts'
import type { ParkedOptions } from '../parked-call.ts'
import type { RoutedResults } from '../routed-results.ts'
import { askClient } from './ask-client.ts'
import { callKey, namedRun } from './call-key.ts'
import { callResult, failedCall, notRecorded, stoppedCall, tooMuchToShow } from './call-result.ts'
import type { DurableServing } from './durable-serving.ts'
import { formFor, type Telling } from './form-for.ts'
import type { McpLibrary } from './load-mcp.ts'
import { callerKey, callerNowOf, mcpCallerOf } from './mcp-caller.ts'
import type { OpenCall, OpenCalls } from './open-calls.ts'
import { ProgressReports } from './progress-reports.ts'
import type { CurrentCatalog } from './tool-catalog.ts'
import { fatalOutside, toldOutside } from './told-outside.ts'
import { withHeartbeat } from './with-heartbeat.ts'

/** The state that a client passes from one round of a call to the next; signed, so that it cannot name another client's call. It is good for one use. */
export interface CallState {
  readonly call: string
}

/** The same of a durable run, which any process finds by its id, for the same caller, tool and arguments only. */
export interface RunState {
  readonly run: string
  /** How many forms of a request came back filled in a way that does not count. */
  readonly forms?: Readonly<Record<string, number>> | undefined
}

/** A state that a handler of the program has made: no call of ours goes on with it. */
export interface ForeignState {
  readonly foreign: string
}

/** Whether a state looks like one that a server has signed. */
export function isSigned(text: string): boolean {
  return text.startsWith('v1.')
}

interface ServingParts {
  readonly mcp: McpLibrary
  readonly server: Server
  readonly catalog: CurrentCatalog
  readonly shared: CallOptions
  readonly routed: RoutedResults
  /** With the options that the calls do not have. */
  readonly runtime: Runtime | undefined
  readonly calls: OpenCalls
  /** What the calls hold that wait for the users of clients. */
  readonly held: HeldBytes
  readonly durable: DurableServing
  /** A person is not asked about arguments with more values. */
  readonly maxValues: number
  /** How long the client's user is waited for. */
  readonly waitMs: number
  readonly state: { readonly mint: (payload: CallState, context: ServerContext) => Promise<string> }
  /** Told of each result that a call ends with, durable ones excepted. */
  readonly onResult: (tool: AgentTool, result: ToolResult) => void
}

/** A call as the client wants it. */
export interface Wanted {
  readonly tool: AgentTool
  readonly given: Readonly<Record<string, unknown>>
}

/** How the user of a client is asked: by a request of the server, in the result of the call, or not at all. */
export type WayToAsk = 'request' | 'result' | 'none'

/** The tools as one connection calls them. */
export class Serving {
  readonly #parts: ServingParts

  constructor(parts: ServingParts) {
    this.#parts = parts
  }

  /** One round of a call: from its beginning, or from where it waited for people, to its end or to the next wait. */
  async call(params: CallToolRequest['params'], context: ServerContext): Promise<CallToolResult | InputRequiredResult> {
    const tool = this.#find(params.name)
    const wanted = { tool, given: params.arguments ?? {} }
    const { durable, shared, routed, maxValues } = this.#parts
    if (nodesIn(measure(wanted.given)) > maxValues && mayAsk(tool)) return tooMuchToShow(tool, maxValues)
    if (durable.serves(tool)) return durable.call(wanted, context, this.#wayToAsk(context))
    if (namedRun(context) !== undefined) return notRecorded(tool)
    const call = this.#continueOrBegin(wanted, context)
    const { signal, inputResponses } = context.mcpReq
    const cancel = (): void => call.parked.cancel(signal.reason)
    signal.addEventListener('abort', cancel, { once: true })
    // Before anything is decided: an answer that was given up approves nothing.
    if (signal.aborted) cancel()
    try {
      if (inputResponses !== undefined) await decide(call, inputResponses)
      const stop = await call.parked.nextStop()
      if (call.progress.hasSent) await call.progress.sent
      if (!('result' in stop)) return await this.#wait(call, wanted, context)
      this.#parts.onResult(tool, stop.result)
      if (!routed.isOn) return toldWhole(tool, stop.result, { context, log: shared.log })
      return await told(tool, stop.result, { context, log: shared.log, routed, caller: optionsFor(shared, context) })
    } catch (fatal) {
      return toldFatal(tool, fatal, { context, log: shared.log })
    } finally {
      signal.removeEventListener('abort', cancel)
    }
  }

  #find(name: string): AgentTool {
    const { catalog } = this.#parts
    const found = catalog.now.get(name)
    if (found !== undefined) return found
    throw this.unknown(
      name,
      catalog.now.tools.map((each) => each.name),
    )
  }

  /** The error of a name that is not there, for a caller who may know these. */
  unknown(name: string, names: readonly string[]): Error {
    const { mcp } = this.#parts
    const hint = didYouMean(nearestNames(name, names), 'tools/list names those that there are.')
    return new mcp.ProtocolError(mcp.ProtocolErrorCode.InvalidParams, `Unknown tool '${name.slice(0, 64)}'. ${hint}`)
  }

  #continueOrBegin(wanted: Wanted, context: ServerContext): OpenCall {
    const { mcp, calls } = this.#parts
    const { requestState, notify, _meta, signal } = context.mcpReq
    const state = requestState<CallState | RunState | ForeignState>()
    if (state !== undefined && !('call' in state)) throw unknownState(mcp)
    if (state === undefined) {
      const progress = new ProgressReports()
      progress.to(_meta?.progressToken, notify)
      const begun = calls.begin(progress, (options) => this.#begin(wanted, context, { options, progress }), signal)
      if (context.http !== undefined) begun.parked.calledBy(() => callerNowOf(context)?.principal)
      return begun
    }
    const subject = calls.subjectOf(state.call)
    if (subject !== undefined && subject !== subjectOf(wanted)) throw otherCall(mcp)
    const call = calls.take(state.call)
    if (call === undefined) throw overCall(mcp)
    call.progress.to(_meta?.progressToken, notify)
    call.parked.calledBy(() => callerNowOf(context)?.principal)
    return call
  }

  #begin({ tool, given }: Wanted, context: ServerContext, { options, progress }: Beginning): Promise<ToolResult> {
    const { catalog } = this.#parts
    const shared = optionsFor(this.#parts.shared, context)
    const listeners = shared.on === undefined ? [] : [shared.on].flat()
    const isFollowed = context.mcpReq._meta?.progressToken !== undefined
    const own: CallOptions = {
      ...shared,
      signal: options.signal,
      idempotencyKey: callKey(context, tool.name, given),
      review: shared.review ?? this.#reviewer(context, { options, progress }),
      on: isFollowed ? [...listeners, (event) => progress.onEvent(event)] : listeners,
    }
    const input = ModelArguments.ofValue(given, catalog.now.offered.get(tool.name)?.decoder) as never
    const { runtime } = this.#parts
    return runtime === undefined ? tool.call(input, own) : runtime.call(tool, input, own)
  }

  async #wait(call: OpenCall, wanted: Wanted, context: ServerContext): Promise<InputRequiredResult> {
    const { mcp, calls, state, shared } = this.#parts
    const telling = { context, log: shared.log }
    const inputRequests = Object.fromEntries(
      call.parked.requests.map((request) => [
        request.id,
        mcp.inputRequired.elicit(formFor(request, telling, call.formsOf(request).problem)),
      ]),
    )
    const requestState = await state.mint({ call: calls.keep(call, subjectOf(wanted), ownerOf(context)) }, context)
    return mcp.inputRequired({ inputRequests, requestState })
  }

  #reviewer(context: ServerContext, { options, progress }: Beginning): ReviewHandler {
    const way = this.#wayToAsk(context)
    if (way === 'none') return NOBODY
    const { waitMs, shared, held } = this.#parts
    const asking =
      way === 'request'
        ? withHeartbeat(askClient({ context, log: shared.log }, waitMs), progress, shared.clock ?? systemClock)
        : options.review
    return held.asking(asking, ownerOf(context))
  }

  #wayToAsk(context: ServerContext): WayToAsk {
    if (!this.#canAsk(context)) return 'none'
    return (this.#parts.server.getNegotiatedProtocolVersion() ?? '') < FIRST_THAT_ASKS_IN_RESULTS ? 'request' : 'result'
  }

  /** By the capabilities in the request, or by those of the connection. A client that can only open pages has no forms. */
  #canAsk({ mcpReq }: ServerContext): boolean {
    const { mcp, server } = this.#parts
    const envelope = mcpReq.envelope as Readonly<Record<string, unknown>> | undefined
    return hasForms(envelope?.[mcp.CLIENT_CAPABILITIES_META_KEY] ?? server.getClientCapabilities())
  }
}

async function decide(call: OpenCall, responses: Readonly<Record<string, unknown>>): Promise<void> {
  const answered = call.parked.requests.filter(({ id }) => Object.hasOwn(responses, id))
  const heard = await Promise.all(answered.map(async (request) => call.formsOf(request).heard(responses[request.id])))
  // What one answer decides is decided together.
  answered.forEach(({ id }, at) => heard[at] !== undefined && call.parked.decide(id, heard[at]))
}

interface Told extends Telling {
  readonly routed: RoutedResults
  readonly caller: CallOptions
}

export async function told(tool: AgentTool, result: ToolResult, { context, log, routed, caller }: Told): Promise<CallToolResult> {
  const entering = result.ok ? await routed.told(result, { tool, caller }) : result
  return toldWhole(tool, entering, { context, log }, routed.isOn)
}

/** A process that was started by its user may know everything. */
function toldWhole(tool: AgentTool, result: ToolResult, { context, log }: Telling, isText = false): CallToolResult {
  return context.http === undefined ? callResult(tool, result, isText) : toldOutside(tool, result, { log, isText })
}

/** An error that ends a call without a result; others are thrown on. */
export function toldFatal(tool: AgentTool, fatal: unknown, { context, log }: Telling): CallToolResult {
  if (isConfigurationError(fatal) && context.http !== undefined) return fatalOutside(tool, fatal, log)
  if (isExitEarly(fatal)) return stoppedCall(fatal)
  if (isConfigurationError(fatal)) return failedCall(fatal.message)
  throw fatal
}

/** The options of a call: those of the server, with the caller of the request. */
export function optionsFor(shared: CallOptions, context: ServerContext): CallOptions {
  const caller = mcpCallerOf(context)
  return caller === undefined ? shared : { ...shared, principal: caller.principal }
}

/** Who shares the places of calls that wait with others; undefined where nobody has asked who calls. */
function ownerOf(context: ServerContext): string | undefined {
  const caller = mcpCallerOf(context)
  return caller === undefined ? undefined : callerKey(caller)
}

/** Whether a client with these capabilities can ask its user. */
export function hasForms(capabilities: unknown): boolean {
  const ways = isRecord(capabilities) ? capabilities['elicitation'] : undefined
  return isRecord(ways) && ('form' in ways || !('url' in ways))
}

/** As the library answers a state that was never made: a state of somebody else is not told apart from it. */
export function unknownState({ ProtocolError, ProtocolErrorCode }: McpLibrary): Error {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, 'Invalid or expired requestState', { reason: 'invalid_request_state' })
}

function otherCall({ ProtocolError, ProtocolErrorCode }: McpLibrary): Error {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, 'The answer belongs to a call of another tool or with other arguments.')
}

function overCall({ ProtocolError, ProtocolErrorCode }: McpLibrary): Error {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, 'The call that this answers is over or was given up. Call the tool again.')
}

function subjectOf({ tool, given }: Wanted): string {
  return `${identityOf(tool)}\n${hashOf(given)}`
}

interface Beginning {
  readonly options: ParkedOptions
  readonly progress: ProgressReports
}

/** From this revision on a server sends no requests: it returns its questions as a result, and the client calls again. */
const FIRST_THAT_ASKS_IN_RESULTS = '2026-07-28'

const NOBODY: ReviewHandler = {
  isAbsent: true,
  review: () => ({
    action: 'reject',
    cause: 'unreachable',
    reason: 'A person must approve this, and the client cannot ask one: it does not support elicitation.',
  }),
}
