import type { CallToolResult } from '@modelcontextprotocol/client'
import type { AgentTool } from '../../../tool/agent-tool.ts'
import type { ToolContext } from '../../../tool/context.ts'
import { classifyError } from '../../../tool/errors/classify-error.ts'
import { isConfigurationError } from '../../../tool/errors/configuration-error.ts'
import { isToolError, ToolError } from '../../../tool/errors/tool-error.ts'
import { type Effect, mayRepeat } from '../../../tool/metadata.ts'
import { LONGEST_TIMEOUT_MS } from '../../../tool/ports/clock.ts'
import { KEY_META, RUN_META } from '../call-key.ts'
import { MessageTooLong } from './bounded-fetch.ts'
import { httpStatusOf } from './http-status.ts'
import type { McpInput } from './mcp-input.ts'
import type { AskingCall, DecidedRequest } from './link-calls.ts'
import { readableText } from './readable-text.ts'
import { isAboutSession, isAnswer, isForgotten, isUnreached, isUnseen, saysUnknownTool, sentOutcome } from './sent-outcome.ts'
import type { OpenLink, ServerLink } from './server-link.ts'
import type { McpToolDefinition } from './tool-definition.ts'
import type { UpstreamQuestions } from './upstream-questions.ts'

export interface UpstreamCalls {
  readonly server: string
  readonly link: ServerLink
  readonly questions: UpstreamQuestions
  /** The connection, once it is known that the tool is there what it was when it was taken over. Else a ToolError: nothing was sent. */
  readonly ready: () => Promise<OpenLink>
  /** Whether a list that is read now, on the same connection, no longer has the tool. */
  readonly isGone: (definition: McpToolDefinition, link: OpenLink) => Promise<boolean>
}

export interface UpstreamCall {
  readonly definition: McpToolDefinition
  readonly input: McpInput
  readonly context: ToolContext
  readonly tool: Pick<AgentTool, 'effect' | 'idempotent'>
  /** The key of an earlier call, which this one goes on with; that of the context by default. */
  readonly key?: string | undefined
  /** The run of that call at the server: nothing is begun there if it is gone. */
  readonly run?: string | undefined
  /** What was decided about a request of that call. */
  readonly decided?: DecidedRequest | undefined
}

const LONGEST_MESSAGE = 2000
const MOST_REPORTS = 10_000

/** The answer of a server. */
export interface UpstreamAnswer {
  readonly answer: CallToolResult
  /** Why a question of the server was not decided here. */
  readonly undecided: string | undefined
  /** Whether the server has asked for what was decided before, and got it. */
  readonly isBrought: boolean
}

/** Calls a tool on its server. Everything that goes wrong is thrown as a classified error. */
export async function callUpstream(calls: UpstreamCalls, call: UpstreamCall): Promise<UpstreamAnswer> {
  const asking = askingCall(call)
  const answer = await answerOf(calls, call, asking)
  return { answer, undecided: asking.undecided, isBrought: asking.isBrought }
}

async function answerOf(calls: UpstreamCalls, call: UpstreamCall, asking: AskingCall): Promise<CallToolResult> {
  const { signal } = call.context
  const link = await whileWanted(calls.ready(), signal)
  try {
    return await send(calls, call, { link, asking })
  } catch (error) {
    const isInSession = link.transport.sessionId !== undefined
    const failure = await failed(calls, call, { link, error, asking })
    // That a server has not looked at a call is its word only: what must not happen twice is not sent twice.
    const isAgain = isInSession && isAboutSession(error) && mayRepeat(call.tool) && !signal.aborted
    if (!isAgain) throw failure
    // That there is no connection now says nothing about the call that was sent.
    const next = await whileWanted(calls.ready(), signal).catch(() => Promise.reject(failure))
    return send(calls, call, { link: next, asking }).catch(async (again: unknown) =>
      Promise.reject(await failed(calls, call, { link: next, error: again, asking })),
    )
  }
}

const FORGOTTEN = 'the server has forgotten the session'

interface Sending {
  readonly link: OpenLink
  readonly asking: AskingCall
}

interface FailedSending extends Sending {
  readonly error: unknown
}

function askingCall({ context, tool, decided }: UpstreamCall): AskingCall {
  return {
    context,
    decided,
    mayRepeat: mayRepeat(tool),
    questions: 0,
    isBrought: false,
    undecided: undefined,
    denial: undefined,
    unanswered: new Set(),
  }
}

/** What the failure says of the call. A connection that is of no use any more is given up. */
async function failed(calls: UpstreamCalls, { definition, context, tool }: UpstreamCall, sending: FailedSending): Promise<unknown> {
  const { link, error, asking } = sending
  const { server, isGone } = calls
  const { signal } = context
  const isInSession = link.transport.sessionId !== undefined
  if (isInSession && isForgotten(error)) {
    await calls.link.lose(link, FORGOTTEN)
    if (isUnseen(error))
      return new ToolError(`MCP server '${server}': ${FORGOTTEN}.`, { code: 'service_unavailable', outcome: 'not_started', cause: error })
  }
  if (isUnreached(error)) await calls.link.unreached(link, classifyError(error).message)
  if (saysUnknownTool(error) && !signal.aborted && (await whileWanted(isGone(definition, link), signal).catch(() => false)))
    return new ToolError(`MCP server '${server}' has no such tool any more.`, {
      code: 'unknown_tool',
      outcome: 'not_started',
      cause: error,
    })
  return upstreamError(server, link, { error, effect: tool.effect, isDenialShown: asking.denial === undefined })
}

async function send(
  { questions, link }: UpstreamCalls,
  { definition, input, context, key = context.idempotencyKey, run }: UpstreamCall,
  { link: { client, calls }, asking }: Sending,
): Promise<CallToolResult> {
  const { name, inputSchema } = definition
  let reports = 0
  const result = await questions.during(asking, calls, () =>
    client.callTool(
      { name, arguments: { ...input }, _meta: { [KEY_META]: key, ...(run === undefined ? {} : { [RUN_META]: run }) } },
      {
        signal: context.signal,
        // The deadline of the call ends it, and stands still while a person is asked.
        timeout: LONGEST_TIMEOUT_MS,
        onprogress: ({ progress, total, message }) => {
          if (++reports > MOST_REPORTS) return
          context.progress({ progress, total, message: message === undefined ? undefined : readableText(message, LONGEST_MESSAGE) })
        },
        // Its output is checked here, by the schema that the tool was taken over with.
        toolDefinition: { name, inputSchema: { ...inputSchema, type: 'object' } },
      },
    ),
  )
  link.answered()
  return result
}

/** A call that is given up does not wait for a connection. */
async function whileWanted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  if (signal.aborted) throw signal.reason
  const given = Promise.withResolvers<never>()
  const onAbort = (): void => given.reject(signal.reason)
  signal.addEventListener('abort', onAbort, { once: true })
  try {
    return await Promise.race([promise, given.promise])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}

interface UpstreamFailure {
  readonly error: unknown
  readonly effect: Effect
  readonly isDenialShown: boolean
}

function upstreamError(server: string, { ending }: OpenLink, { error, effect, isDenialShown }: UpstreamFailure): unknown {
  if (isConfigurationError(error)) return error
  if (isToolError(error)) return error
  const tooLong = messageTooLong(error, ending())
  if (tooLong !== undefined)
    return new ToolError(`MCP server '${server}': ${tooLong}`, {
      code: 'result_too_large',
      outcome: 'unknown',
      hint: "The answer is longer than is read ('maxBytes'). Ask for less: a smaller range, fewer rows.",
      cause: error,
    })
  const classified = classifyError(error)
  const { message, code, retryable, retryAfterMs } = classified
  const outcome = sentOutcome({ error, classified, effect, isDenialShown })
  // To correct the input, or to call again, is no advice after something that may have happened.
  const hint = outcome === 'unknown' && effect !== 'read' ? CHECK_FIRST : undefined
  const how = code === 'service_unavailable' ? ending() : undefined
  const text = readableText(how === undefined ? message : `${message} (${how})`, LONGEST_MESSAGE)
  const internal = classified.internal || !isAnswer(error)
  const status = httpStatusOf(error)
  const answered = typeof status === 'number' ? ` (HTTP ${status})` : ''
  const what = code === 'access_denied' ? `refuses access${answered}` : answered.trimStart()
  return new ToolError(`MCP server '${server}'${what === '' ? '' : ` ${what}`}: ${text}`, {
    code,
    outcome,
    retryable,
    retryAfterMs,
    hint,
    internal,
    cause: error,
  })
}

const CHECK_FIRST = 'It is not known whether it took effect. Check that before you call again.'

function messageTooLong(error: unknown, ending: string | undefined): string | undefined {
  for (let each = error, depth = 0; each instanceof Error && depth < 5; each = each.cause, depth++)
    if (each instanceof MessageTooLong || /sent a message of more than/.test(each.message)) return each.message
  return ending?.includes('sent a message of more than') === true ? ending : undefined
}
