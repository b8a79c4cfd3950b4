import { isRecord } from '../../../schema/json-schema.ts'
import { isUnclassified } from '../../../tool/errors/brand.ts'
import { classifyError } from '../../../tool/errors/classify-error.ts'
import type { Outcome, ToolError } from '../../../tool/errors/tool-error.ts'
import type { Effect } from '../../../tool/metadata.ts'
import { httpBodyOf, httpStatusOf } from './http-status.ts'

/** By these statuses a server refuses a request, often before it looks at the call. */
const REFUSALS: ReadonlySet<number> = new Set([400, 401, 403, 404, 405, 406, 411, 413, 414, 415])
/** By the protocol nothing is done for a caller without the right to it, who is told so by a challenge. */
const DENIALS: ReadonlySet<number> = new Set([401, 403])
/** The errors of a transport, which has not passed the request on. */
const OF_TRANSPORTS: ReadonlySet<unknown> = new Set([-32_700, -32_600, -32_000, -32_001])

const METHOD_NOT_FOUND = -32_601
const INVALID_PARAMS = -32_602
const UNKNOWN_TOOL =
  /\b(?:unknown|no such|invalid|unregistered) tool\b|\btool\b.{0,200}\b(?:not found|unknown|does not exist|not registered|disabled)\b/is

interface SentFailure {
  readonly error: unknown
  readonly classified: ToolError
  readonly effect: Effect
  /** No answer to the call was a denial without a challenge. */
  readonly isDenialShown: boolean
}

/**
 * Whether a call that was sent has taken effect, by its failure. Servers use the codes of JSON-RPC and the statuses of HTTP after they have acted
 * too: an output that does not fit its schema is -32602 in many of them. For a tool that does more than read, only a refusal that shows that
 * nobody looked at the call says that nothing happened.
 */
export function sentOutcome({ error, classified, effect, isDenialShown }: SentFailure): Outcome {
  const status = Number(httpStatusOf(error) ?? 0)
  const isRefused = REFUSALS.has(status)
  if (effect !== 'read') {
    if (DENIALS.has(status)) return isDenialShown ? 'not_started' : 'unknown'
    if (status !== 0) return isRefused && isUnseen(error) ? 'not_started' : 'unknown'
    if (isProtocolError(error)) return 'unknown'
  }
  return isUnclassified(classified) || (classified.outcome === 'failed' && !isRefused) ? 'unknown' : classified.outcome
}

/** Whether the server says that it does not have the tool. That alone proves nothing: a tool may say it of another tool, after it has acted. */
export function saysUnknownTool(error: unknown): boolean {
  if (!isRecord(error)) return false
  const { code, message } = error
  return code === METHOD_NOT_FOUND || (code === INVALID_PARAMS && typeof message === 'string' && UNKNOWN_TOOL.test(message))
}

/**
 * Whether the server does not know the session any more, as after a restart. Older servers say 400 with a word about it. The connection is of no
 * use then; whether the call may be sent again is another question.
 */
export function isForgotten(error: unknown): boolean {
  const status = httpStatusOf(error)
  return status === 404 || (status === 400 && error instanceof Error && /session/i.test(error.message))
}

/** Whether an answer of 404 is one to the session, and none to this call: an error that carries the id of the call is about the call. */
export function isAboutSession(error: unknown): boolean {
  if (httpStatusOf(error) !== 404) return false
  const body = errorIn(httpBodyOf(error) ?? '')
  return body === undefined || body.id === undefined || body.id === null
}

/** Whether the answer is an error of the transport without the id of the call: who has looked at a call knows its id. */
export function isUnseen(error: unknown): boolean {
  return saysUnseen(httpBodyOf(error) ?? '')
}

/**
 * Whether a call is denied without a proof that it was not looked at. Who refuses a token before it looks at the call says so with a challenge, by
 * RFC 9110 and RFC 6750. A proxy that does not let the answer through, or a tool that passes on what somebody else said, has none.
 */
export function isBareDenial({ status, headers }: Response, body: string): boolean {
  return DENIALS.has(status) && !headers.has('www-authenticate') && !saysUnseen(body)
}

function saysUnseen(text: string): boolean {
  const body = errorIn(text)
  return body !== undefined && (body.id === undefined || body.id === null) && OF_TRANSPORTS.has(body.code)
}

/** Nobody listens where the server was. */
export function isUnreached(error: unknown): boolean {
  const { code, outcome } = classifyError(error)
  return code === 'service_unavailable' && outcome === 'not_started'
}

/** The server itself has answered with an error of JSON-RPC. Everything else tells of the link to it, which is nothing for the clients of this program. */
export function isAnswer(error: unknown): boolean {
  return isProtocolError(error) && httpStatusOf(error) === undefined
}

interface ErrorBody {
  readonly id: unknown
  readonly code: unknown
}

/** The JSON-RPC error in the body of an answer. */
function errorIn(text: string): ErrorBody | undefined {
  try {
    const body: unknown = JSON.parse(text)
    if (!isRecord(body) || body['jsonrpc'] !== '2.0' || !isRecord(body['error'])) return undefined
    return { id: body['id'], code: body['error']['code'] }
  } catch {
    return undefined
  }
}

/** The answer of a server that is an error by JSON-RPC. */
function isProtocolError(error: unknown): boolean {
  return isRecord(error) && typeof error['code'] === 'number'
}
