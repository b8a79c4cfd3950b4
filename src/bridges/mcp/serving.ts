import type { CallToolRequest, CallToolResult, InputRequiredResult, Server, ServerContext } from '@modelcontextprotocol/server'
import { isRecord } from '../../schema/json-schema.ts'
import { type AgentTool, identityOf } from '../../tool/agent-tool.ts'
import { LONGEST_TIMEOUT_MS, systemClock } from '../../tool/ports/clock.ts'
import type { CallOptions } from '../../tool/context.ts'
import { isConfigurationError } from '../../tool/errors/configuration-error.ts'
import { isExitEarly } from '../../tool/errors/exit-early.ts'
import { ModelArguments } from '../../tool/input/arguments.ts'
import { hashOf } from '../../tool/journal/hash.ts'
import { didYouMean } from '../../tool/resolve/did-you-mean.ts'
import { nearestNames } from '../../tool/resolve/nearest-names.ts'
import type { offeredTools } from '../../tool/resolve/offered-tools.ts'
import type { ToolResolution } from '../../tool/resolve/resolve.ts'
import type { ToolResult } from '../../tool/result/result.ts'
import type { ReviewHandler } from '../../tool/review.ts'
import type { ParkedOptions } from '../parked-call.ts'
import { callResult, failedCall } from './call-result.ts'
import { decisionOf, elicitation } from './elicitation.ts'
import type { loadMcp } from './load-mcp.ts'
import type { OpenCall, OpenCalls } from './open-calls.ts'
import { ProgressReports } from './progress-reports.ts'
import { withHeartbeat } from './with-heartbeat.ts'

/** The state that a client passes from one round of a call to the next; signed, so that it cannot name another client's call. It is good for one use. */
export interface CallState {
  readonly call: string
}

interface ServingParts {
  readonly mcp: Awaited<ReturnType<typeof loadMcp>>
  readonly server: Server
  readonly resolution: ToolResolution
  /** The tools as the client sees them. */
  readonly offered: ReturnType<typeof offeredTools>
  readonly shared: CallOptions
  readonly calls: OpenCalls
  /** How long the client's user is waited for. */
  readonly waitMs: number
  readonly state: { readonly mint: (payload: CallState, context: ServerContext) => Promise<string> }
}

interface Wanted {
  readonly tool: AgentTool
  readonly given: Readonly<Record<string, unknown>>
}

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
    const call = this.#continueOrBegin(wanted, context)
    const { signal, inputResponses = {} } = context.mcpReq
    for (const request of call.parked.requests)
      if (Object.hasOwn(inputResponses, request.id)) call.parked.decide(request.id, decisionOf(request, inputResponses[request.id]))
    const cancel = (): void => call.parked.cancel(signal.reason)
    signal.addEventListener('abort', cancel, { once: true })
    if (signal.aborted) cancel()
    try {
      const stop = await call.parked.nextStop()
      await call.progress.sent
      return 'result' in stop ? callResult(tool, stop.result) : await this.#wait(call, wanted, context)
    } catch (fatal) {
      if (isConfigurationError(fatal) || isExitEarly(fatal)) return failedCall(fatal.message)
      throw fatal
    } finally {
      signal.removeEventListener('abort', cancel)
    }
  }

  #find(name: string): AgentTool {
    const { mcp, resolution } = this.#parts
    const found = resolution.get(name)
    if (found !== undefined) return found
    const near = nearestNames(
      name,
      resolution.tools.map((each) => each.name),
    )
    const hint = didYouMean(near, 'tools/list names those that there are.')
    throw new mcp.ProtocolError(mcp.ProtocolErrorCode.InvalidParams, `Unknown tool '${name.slice(0, 64)}'. ${hint}`)
  }

  #continueOrBegin(wanted: Wanted, context: ServerContext): OpenCall {
    const { mcp, calls } = this.#parts
    const { requestState, notify, _meta } = context.mcpReq
    const state = requestState<CallState>()
    if (state === undefined) {
      const progress = new ProgressReports()
      progress.to(_meta?.progressToken, notify)
      return calls.begin(progress, (options) => this.#begin(wanted, context, { options, progress }))
    }
    const subject = calls.subjectOf(state.call)
    if (subject !== undefined && subject !== subjectOf(wanted))
      throw new mcp.ProtocolError(
        mcp.ProtocolErrorCode.InvalidParams,
        'The answer belongs to a call of another tool or with other arguments.',
      )
    const call = calls.take(state.call)
    if (call === undefined)
      throw new mcp.ProtocolError(
        mcp.ProtocolErrorCode.InvalidParams,
        'The call that this answers is over or was given up. Call the tool again.',
      )
    call.progress.to(_meta?.progressToken, notify)
    return call
  }

  #begin({ tool, given }: Wanted, context: ServerContext, { options, progress }: Beginning): Promise<ToolResult> {
    const { shared, offered } = this.#parts
    const listeners = shared.on === undefined ? [] : [shared.on].flat()
    const isFollowed = context.mcpReq._meta?.progressToken !== undefined
    return tool.call(ModelArguments.ofValue(given, offered.get(tool.name)?.decoder) as never, {
      ...shared,
      signal: options.signal,
      review: shared.review ?? this.#reviewer(context, { options, progress }),
      on: isFollowed ? [...listeners, (event) => progress.onEvent(event)] : listeners,
    })
  }

  async #wait(call: OpenCall, wanted: Wanted, context: ServerContext): Promise<InputRequiredResult> {
    const { mcp, calls, state } = this.#parts
    const inputRequests = Object.fromEntries(
      call.parked.requests.map((request) => [request.id, mcp.inputRequired.elicit(elicitation(request))]),
    )
    const requestState = await state.mint({ call: calls.keep(call, subjectOf(wanted)) }, context)
    return mcp.inputRequired({ inputRequests, requestState })
  }

  #reviewer(context: ServerContext, { options, progress }: Beginning): ReviewHandler {
    if (!this.#canAsk(context)) return NOBODY
    const { server, waitMs, shared } = this.#parts
    if ((server.getNegotiatedProtocolVersion() ?? '') >= FIRST_THAT_ASKS_IN_RESULTS) return options.review
    return withHeartbeat(askClient(context, waitMs), progress, shared.clock ?? systemClock)
  }

  /** By the capabilities in the request, or by those of the connection. A client that can only open pages has no forms. */
  #canAsk({ mcpReq }: ServerContext): boolean {
    const { mcp, server } = this.#parts
    const envelope = mcpReq.envelope as Readonly<Record<string, unknown>> | undefined
    return hasForms(envelope?.[mcp.CLIENT_CAPABILITIES_META_KEY] ?? server.getClientCapabilities())
  }
}

/** Whether a client with these capabilities can ask its user. */
export function hasForms(capabilities: unknown): boolean {
  const ways = isRecord(capabilities) ? capabilities['elicitation'] : undefined
  return isRecord(ways) && ('form' in ways || !('url' in ways))
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

/** The library gives up later than we do, so that the reason is ours. */
const GRACE_MS = 1000

/** Asks the client's user while the request of the client waits: as revisions before 2026-07-28 have it. A request that is withdrawn is withdrawn there too. */
function askClient({ mcpReq }: ServerContext, timeoutMs: number): ReviewHandler {
  return {
    channel: 'mcp',
    deciders: 'unnamed',
    timeoutMs,
    review: async (request, { signal }) => {
      const timeout = Math.min((request.timeoutMs ?? timeoutMs) + GRACE_MS, LONGEST_TIMEOUT_MS)
      const params = { mode: 'form', ...elicitation(request) }
      return decisionOf(request, await mcpReq.send({ method: 'elicitation/create', params }, { signal, timeout }))
    },
  }
}
