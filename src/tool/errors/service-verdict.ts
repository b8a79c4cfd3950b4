import { isRecord } from '../../schema/json-schema.ts'
import { httpVerdict } from './http-verdict.ts'
import {
  ABSENT,
  BROKEN,
  BUSY,
  FORBIDDEN,
  LOCKED_OUT,
  LOST,
  MALFORMED,
  NEVER,
  TAKEN,
  THROTTLED,
  UNREACHED,
  UNTRUSTED,
  verdict,
  type Verdict,
  WITHDRAWN,
  wordsFor,
} from './verdict.ts'
import { meaningOf } from './word-verdict.ts'

type Thrown = Readonly<Record<string, unknown>>

/** The verdict on an error of a service that has codes of its own, beside or instead of HTTP's. */
export function serviceVerdict(thrown: Thrown): Verdict | undefined {
  return (
    rpcVerdict(thrown) ??
    jsonRpcVerdict(thrown) ??
    redisVerdict(thrown) ??
    mongoVerdict(thrown) ??
    mailVerdict(thrown) ??
    streamVerdict(thrown) ??
    withdrawnRequest(thrown) ??
    graphVerdict(thrown)
  )
}

/** JSON-RPC, as MCP servers speak it. */
const JSON_RPC: ReadonlyMap<number, Verdict> = new Map([
  [-32700, verdict('invalid_request', 'not_started')],
  [-32600, verdict('invalid_request', 'not_started')],
  [-32601, verdict('not_found', 'not_started')],
  [-32602, verdict('invalid_request', 'not_started')],
  [-32603, BROKEN],
  [-32001, LOST],
  [-32002, ABSENT],
  [-32042, verdict('access_denied', 'not_started')],
])

const ABOUT_THE_ANSWER = /\b(?:structured content|output schema|Invalid \S+ result)\b/

function jsonRpcVerdict({ code, message }: Thrown): Verdict | undefined {
  if (typeof code !== 'number' || code > -32000 || code < -32799) return undefined
  // Clients of MCP name a request that the caller has withdrawn as one that timed out.
  if (code === -32001 && typeof message === 'string' && /^(?:MCP error -32001: )?AbortError\b/.test(message)) return WITHDRAWN
  if (code === -32000 && typeof message === 'string' && /connection closed/i.test(message)) return LOST
  // The same client refuses answers of the server by the codes for requests.
  if ((code === -32602 || code === -32600) && typeof message === 'string' && ABOUT_THE_ANSWER.test(message)) return BROKEN
  const told =
    code >= -32099 && typeof message === 'string' ? meaningOf(message.replace(/^MCP error -\d+: /, '').replaceAll(' ', '_')) : undefined
  if (told !== undefined && JSON_RPC.get(code) !== ABSENT) return told
  // The rest is the range that JSON-RPC leaves to servers.
  return JSON_RPC.get(code) ?? (code >= -32099 ? BROKEN : undefined)
}

/** gRPC, by the names that Google's HTTP services use too. */
const RPC_NAMES = wordsFor([
  [WITHDRAWN, 'CANCELLED'],
  [BROKEN, 'UNKNOWN INTERNAL DATA_LOSS'],
  [MALFORMED, 'INVALID_ARGUMENT OUT_OF_RANGE'],
  [LOST, 'DEADLINE_EXCEEDED UNAVAILABLE'],
  [ABSENT, 'NOT_FOUND'],
  [TAKEN, 'ALREADY_EXISTS FAILED_PRECONDITION'],
  [FORBIDDEN, 'PERMISSION_DENIED UNAUTHENTICATED'],
  [THROTTLED, 'RESOURCE_EXHAUSTED'],
  [BUSY, 'ABORTED'],
  [NEVER, 'UNIMPLEMENTED'],
])
/** By number, as gRPC sends them. */
const RPC_NUMBERS = (
  'OK CANCELLED UNKNOWN INVALID_ARGUMENT DEADLINE_EXCEEDED NOT_FOUND ALREADY_EXISTS PERMISSION_DENIED RESOURCE_EXHAUSTED ' +
  'FAILED_PRECONDITION ABORTED OUT_OF_RANGE UNIMPLEMENTED INTERNAL UNAVAILABLE DATA_LOSS UNAUTHENTICATED'
).split(' ')

function rpcVerdict({ code, status, details, metadata }: Thrown): Verdict | undefined {
  if (typeof code === 'number' && typeof details === 'string' && isRecord(metadata)) return RPC_NAMES.get(RPC_NUMBERS[code])
  return typeof status === 'string' ? RPC_NAMES.get(status) : undefined
}

/** The first word of a reply of Redis. */
const REDIS = wordsFor([
  [BUSY, 'BUSY LOADING TRYAGAIN CLUSTERDOWN MASTERDOWN MOVED ASK NOREPLICAS READONLY MISCONF UNBLOCKED'],
  [LOCKED_OUT, 'NOAUTH WRONGPASS DENIED'],
  [FORBIDDEN, 'NOPERM'],
  [MALFORMED, 'WRONGTYPE ERR CROSSSLOT NOPROTO INVALIDOBJ'],
  [ABSENT, 'NOSCRIPT NOGROUP NOMASTERLINK'],
  [TAKEN, 'EXECABORT BUSYGROUP'],
  [verdict('tool_crashed', 'failed'), 'OOM'],
])
const REDIS_NAMES: ReadonlySet<unknown> = new Set(['ReplyError', 'ErrorReply', 'SimpleError', 'BlobError'])

function redisVerdict({ name, message, constructor }: Thrown): Verdict | undefined {
  const isReply = REDIS_NAMES.has(name) || (typeof constructor === 'function' && REDIS_NAMES.has(constructor.name))
  if (!isReply || typeof message !== 'string') return undefined
  if (/^ERR (max number of clients|operation not permitted)/.test(message)) return message.includes('max') ? BUSY : FORBIDDEN
  return REDIS.get(message.split(' ', 1)[0])
}

const MONGO: ReadonlyMap<number, Verdict> = new Map([
  ...[13, 8000].map((code) => [code, FORBIDDEN] as const),
  ...[18, 11].map((code) => [code, LOCKED_OUT] as const),
  ...[11_000, 11_001, 12_582, 48, 68, 85, 86].map((code) => [code, TAKEN] as const),
  ...[2, 9, 14, 52, 72, 121, 10_334, 17_280].map((code) => [code, MALFORMED] as const),
  ...[26, 27, 59].map((code) => [code, ABSENT] as const),
  ...[112, 10_107, 13_435, 13_436, 189].map((code) => [code, BUSY] as const),
  [16_500, THROTTLED],
  ...[6, 7, 50, 64, 89, 91, 262, 9001, 11_600, 11_602].map((code) => [code, LOST] as const),
])

/** MongoDB says by labels what may be tried again. */
function mongoVerdict({ name, code, errorLabels, codeName }: Thrown): Verdict | undefined {
  if (typeof name !== 'string' || !name.startsWith('Mongo')) return undefined
  const known = typeof code === 'number' ? MONGO.get(code) : undefined
  if (known !== undefined) return known
  if (Array.isArray(errorLabels) && errorLabels.includes('TransientTransactionError')) return BUSY
  if (Array.isArray(errorLabels) && errorLabels.includes('RetryableWriteError')) return LOST
  return typeof codeName === 'string' ? BROKEN : undefined
}

/** SMTP: 4xx passes, 5xx stays. */
const SMTP: ReadonlyMap<number, Verdict> = new Map([
  ...[530, 534, 535, 538].map((code) => [code, LOCKED_OUT] as const),
  ...[550, 551, 553].map((code) => [code, MALFORMED] as const),
  ...[421, 450, 451, 452].map((code) => [code, BUSY] as const),
  ...[454, 455].map((code) => [code, BUSY] as const),
  ...[552, 555, 501, 503, 521, 554, 556].map((code) => [code, MALFORMED] as const),
])

/** Said before the client has spoken. */
const GREETING = /^Invalid greeting\b/

function mailVerdict({ responseCode, command, message }: Thrown): Verdict | undefined {
  if (command === 'STARTTLS') return typeof responseCode === 'number' && responseCode < 500 ? BUSY : UNTRUSTED
  const known = replyVerdict(responseCode, command)
  if (typeof message !== 'string' || !GREETING.test(message)) return known
  return verdict((known ?? BROKEN).code, 'not_started')
}

function replyVerdict(responseCode: unknown, command: unknown): Verdict | undefined {
  if (typeof responseCode !== 'number' || typeof command !== 'string') return undefined
  return SMTP.get(responseCode) ?? (responseCode >= 500 ? MALFORMED : responseCode >= 400 ? BUSY : undefined)
}

/** Why a server ended a stream or a session of HTTP/2. A refused stream was not looked at. */
const STREAM_REASONS = wordsFor([
  [UNREACHED, 'NGHTTP2_REFUSED_STREAM'],
  [verdict('rate_limited', 'unknown'), 'NGHTTP2_ENHANCE_YOUR_CALM'],
  [BROKEN, 'NGHTTP2_INTERNAL_ERROR NGHTTP2_PROTOCOL_ERROR NGHTTP2_COMPRESSION_ERROR NGHTTP2_FRAME_SIZE_ERROR'],
  [BROKEN, 'NGHTTP2_FLOW_CONTROL_ERROR'],
  [NEVER, 'NGHTTP2_INADEQUATE_SECURITY NGHTTP2_HTTP_1_1_REQUIRED'],
])

function streamVerdict({ code, message }: Thrown): Verdict | undefined {
  if ((code !== 'ERR_HTTP2_STREAM_ERROR' && code !== 'ERR_HTTP2_SESSION_ERROR') || typeof message !== 'string') return undefined
  return STREAM_REASONS.get(/\bNGHTTP2_\w+/.exec(message)?.[0])
}

/** The same of the newer clients of MCP, whose codes are words. */
function withdrawnRequest({ code, message }: Thrown): Verdict | undefined {
  return code === 'REQUEST_TIMEOUT' && typeof message === 'string' && message.startsWith('AbortError') ? WITHDRAWN : undefined
}

/** The codes that servers of GraphQL put into the extensions of an error. */
const GRAPH = wordsFor([
  [FORBIDDEN, 'UNAUTHENTICATED FORBIDDEN'],
  [MALFORMED, 'BAD_USER_INPUT GRAPHQL_VALIDATION_FAILED GRAPHQL_PARSE_FAILED BAD_REQUEST PERSISTED_QUERY_NOT_FOUND'],
  [THROTTLED, 'RATE_LIMITED THROTTLED MAX_COST_EXCEEDED'],
  [ABSENT, 'NOT_FOUND'],
  [BROKEN, 'INTERNAL_SERVER_ERROR'],
  [FORBIDDEN, 'INSUFFICIENT_SCOPES'],
  // Servers in Ruby, such as GitHub's, name what the validation found.
  [MALFORMED, 'parseError undefinedField missingRequiredArguments'],
])

/** GraphQL answers 200 to a request that failed. */
function graphVerdict({ response, graphQLErrors, extensions }: Thrown): Verdict | undefined {
  const inResponse = isRecord(response) && Array.isArray(response['errors']) ? (response['errors'] as readonly unknown[]) : []
  const listed = Array.isArray(graphQLErrors) ? (graphQLErrors as readonly unknown[]) : inResponse
  for (const each of [{ extensions }, ...listed]) {
    const own = isRecord(each) && isRecord(each['extensions']) ? each['extensions'] : {}
    const known = GRAPH.get(own['code']) ?? (isRecord(each) ? GRAPH.get(each['type']) : undefined)
    if (known !== undefined) return known
    const http = isRecord(own['http']) ? own['http']['status'] : undefined
    if (typeof http === 'number' && http >= 400 && http <= 599) return httpVerdict(http)
  }
  return undefined
}
