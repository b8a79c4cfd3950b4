import type { CallToolResult } from '@modelcontextprotocol/client'
import { isRecord } from '../../../schema/json-schema.ts'
import type { ToolContext } from '../../../tool/context.ts'
import { isUnclassified } from '../../../tool/errors/brand.ts'
import { classifyError } from '../../../tool/errors/classify-error.ts'
import { isConfigurationError } from '../../../tool/errors/configuration-error.ts'
import { isToolError, ToolError } from '../../../tool/errors/tool-error.ts'
import { LONGEST_TIMEOUT_MS } from '../../../tool/ports/clock.ts'
import { KEY_META } from '../call-key.ts'
import { MessageTooLong } from './bounded-fetch.ts'
import { httpStatusOf } from './http-status.ts'
import type { McpInput } from './imported-tool.ts'
import { readableText } from './readable-text.ts'
import type { OpenLink, ServerLink } from './server-link.ts'
import type { ToolDefinition } from './tool-definition.ts'
import type { UpstreamQuestions } from './upstream-questions.ts'

export interface UpstreamCalls {
  readonly server: string
  readonly link: ServerLink
  readonly questions: UpstreamQuestions
  /** The connection, once it is known that the tool is there what it was when it was taken over. Else a ToolError: nothing was sent. */
  readonly ready: () => Promise<OpenLink>
}

export interface UpstreamCall {
  readonly definition: ToolDefinition
  readonly input: McpInput
  readonly context: ToolContext
}

const LONGEST_MESSAGE = 2000
const MOST_REPORTS = 10_000

/** Calls a tool on its server. Everything that goes wrong is thrown as a classified error. */
export async function callUpstream(calls: UpstreamCalls, call: UpstreamCall): Promise<CallToolResult> {
  const link = await whileWanted(calls.ready(), call.context.signal)
  try {
    return await send(calls, call, link)
  } catch (error) {
    // A server that has forgotten the session has not looked at the call.
    if (!isForgotten(error, link) || call.context.signal.aborted) throw upstreamError(calls.server, link, error)
    await calls.link.lose(link, 'the server has forgotten the session')
    const next = await whileWanted(calls.ready(), call.context.signal)
    return send(calls, call, next).catch((again: unknown) => Promise.reject(upstreamError(calls.server, next, again)))
  }
}

async function send(
  { questions, link }: UpstreamCalls,
  { definition, input, context }: UpstreamCall,
  { client }: OpenLink,
): Promise<CallToolResult> {
  const { name, inputSchema } = definition
  let reports = 0
  const result = await questions.during(context, () =>
    client.callTool(
      { name, arguments: { ...input }, _meta: { [KEY_META]: context.idempotencyKey } },
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

/**
 * A server that has been started anew does not know the session that it gave out, and says so before it looks at the call. Older servers say 400
 * with a word about it.
 */
function isForgotten(error: unknown, { transport }: OpenLink): boolean {
  if (transport.sessionId === undefined) return false
  const status = httpStatusOf(error)
  return status === 404 || (status === 400 && error instanceof Error && /session/i.test(error.message))
}

/** By these statuses a server refuses a request before it looks at the call. */
const REFUSALS: ReadonlySet<number> = new Set([400, 401, 403, 404, 405, 406, 411, 413, 414, 415])

function upstreamError(server: string, { ending }: OpenLink, error: unknown): unknown {
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
  // After the call has left, only a refusal of the request itself says that nothing happened.
  const isRefused = REFUSALS.has(Number(httpStatusOf(error) ?? 0))
  const outcome = isUnclassified(classified) || (classified.outcome === 'failed' && !isRefused) ? 'unknown' : classified.outcome
  const how = code === 'service_unavailable' ? ending() : undefined
  const text = readableText(how === undefined ? message : `${message} (${how})`, LONGEST_MESSAGE)
  const internal = classified.internal || !isAnswer(error)
  return new ToolError(`MCP server '${server}': ${text}`, { code, outcome, retryable, retryAfterMs, internal, cause: error })
}

/** The server itself has answered with an error of JSON-RPC. Everything else tells of the link to it, which is nothing for the clients of this program. */
function isAnswer(error: unknown): boolean {
  return isRecord(error) && typeof error['code'] === 'number' && httpStatusOf(error) === undefined
}

function messageTooLong(error: unknown, ending: string | undefined): string | undefined {
  for (let each = error, depth = 0; each instanceof Error && depth < 5; each = each.cause, depth++)
    if (each instanceof MessageTooLong || /sent a message of more than/.test(each.message)) return each.message
  return ending?.includes('sent a message of more than') === true ? ending : undefined
}
