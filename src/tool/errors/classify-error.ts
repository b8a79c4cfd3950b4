import { isRecord } from '../schema/json-schema.ts'
import type { FailureCode } from './error-codes.ts'
import { isToolError, type Outcome, ToolError, type ToolErrorOptions } from './tool-error.ts'

type Verdict = readonly [code: FailureCode, outcome: Outcome]

/** Errors of the operating system and of sockets. Where a request may have left already, the outcome is unknown. */
const SYSTEM: Record<string, Verdict> = {
  ECONNREFUSED: ['service_unavailable', 'not_started'],
  ENOTFOUND: ['service_unavailable', 'not_started'],
  EAI_AGAIN: ['service_unavailable', 'not_started'],
  EHOSTUNREACH: ['service_unavailable', 'not_started'],
  ENETUNREACH: ['service_unavailable', 'not_started'],
  UND_ERR_CONNECT_TIMEOUT: ['service_unavailable', 'not_started'],
  ECONNRESET: ['service_unavailable', 'unknown'],
  ECONNABORTED: ['service_unavailable', 'unknown'],
  EPIPE: ['service_unavailable', 'unknown'],
  ETIMEDOUT: ['service_unavailable', 'unknown'],
  UND_ERR_SOCKET: ['service_unavailable', 'unknown'],
  UND_ERR_HEADERS_TIMEOUT: ['service_unavailable', 'unknown'],
  UND_ERR_BODY_TIMEOUT: ['service_unavailable', 'unknown'],
  EBUSY: ['service_unavailable', 'failed'],
  EAGAIN: ['service_unavailable', 'failed'],
  EMFILE: ['service_unavailable', 'failed'],
  ENOENT: ['not_found', 'failed'],
  ENOTDIR: ['not_found', 'failed'],
  EACCES: ['access_denied', 'failed'],
  EPERM: ['access_denied', 'failed'],
  EROFS: ['access_denied', 'failed'],
  EEXIST: ['conflict', 'failed'],
  ENOSPC: ['tool_crashed', 'failed'],
}

/** SQLSTATE classes (first two characters), and the few codes that differ from their class. */
const SQLSTATE: Record<string, Verdict> = {
  '40': ['service_unavailable', 'failed'],
  '53': ['service_unavailable', 'failed'],
  '55': ['service_unavailable', 'failed'],
  '57': ['service_unavailable', 'unknown'],
  '08': ['service_unavailable', 'unknown'],
  '28': ['access_denied', 'not_started'],
  '22': ['invalid_request', 'failed'],
  '23': ['conflict', 'failed'],
  '42': ['invalid_request', 'failed'],
  '42501': ['access_denied', 'failed'],
  '57014': ['deadline_exceeded', 'failed'],
}

/** JSON-RPC, as MCP servers speak it. */
const JSON_RPC: Record<number, Verdict> = {
  [-32700]: ['invalid_request', 'not_started'],
  [-32600]: ['invalid_request', 'not_started'],
  [-32601]: ['not_found', 'not_started'],
  [-32602]: ['invalid_request', 'not_started'],
  [-32603]: ['upstream_error', 'unknown'],
  [-32001]: ['service_unavailable', 'unknown'],
  [-32002]: ['not_found', 'failed'],
}

const DEFECTS: readonly string[] = ['TypeError', 'ReferenceError', 'RangeError', 'SyntaxError', 'EvalError']
const RETRY_AFTER_MAX_MS = 24 * 60 * 60 * 1000

/** Whatever was thrown, as a coded error: by HTTP status, SQLSTATE, system code, JSON-RPC code or name. */
export function classifyError(thrown: unknown): ToolError {
  if (isToolError(thrown)) return thrown
  const message = messageOf(thrown)
  const [code, outcome] = verdictOn(thrown) ?? ['tool_failed', 'failed']
  const retryAfterMs = code === 'rate_limited' || code === 'service_unavailable' ? retryAfter(thrown) : undefined
  const options: ToolErrorOptions = { code, outcome, cause: thrown, retryAfterMs }
  return new ToolError(message, options)
}

function verdictOn(thrown: unknown): Verdict | undefined {
  if (!isRecord(thrown)) return undefined
  const code = thrown['code']
  const status = statusOf(thrown)
  if (status !== undefined) return byStatus(status)
  if (typeof code === 'string')
    return SYSTEM[code] ?? SQLSTATE[code] ?? (/^[0-9A-Z]{5}$/.test(code) ? SQLSTATE[code.slice(0, 2)] : undefined) ?? fromCause(thrown)
  if (typeof code === 'number' && JSON_RPC[code] !== undefined) return JSON_RPC[code]
  if (thrown['name'] === 'AbortError') return ['cancelled', 'unknown']
  if (thrown['name'] === 'TimeoutError') return ['service_unavailable', 'unknown']
  return fromCause(thrown) ?? (DEFECTS.includes(String(thrown['name'])) ? ['tool_crashed', 'failed'] : undefined)
}

/** `fetch failed` keeps the reason in its cause. */
function fromCause(thrown: Record<string, unknown>): Verdict | undefined {
  const cause = thrown['cause']
  return isRecord(cause) && cause !== thrown && typeof cause['code'] === 'string' ? SYSTEM[cause['code']] : undefined
}

function statusOf(thrown: Record<string, unknown>): number | undefined {
  const response = thrown['response']
  const candidates = [thrown['status'], thrown['statusCode'], isRecord(response) ? response['status'] : undefined]
  return candidates.find((each): each is number => typeof each === 'number' && each >= 400 && each <= 599)
}

function byStatus(status: number): Verdict {
  if (status === 429) return ['rate_limited', 'failed']
  if (status === 401 || status === 403 || status === 407) return ['access_denied', 'failed']
  if (status === 404 || status === 410) return ['not_found', 'failed']
  if (status === 409 || status === 412) return ['conflict', 'failed']
  if (status === 408 || status === 502 || status === 504) return ['service_unavailable', 'unknown']
  if (status === 425 || status === 503) return ['service_unavailable', 'failed']
  return status < 500 ? ['invalid_request', 'failed'] : ['upstream_error', 'unknown']
}

/** Reads `Retry-After` where an HTTP client left its headers on the error: seconds, or a date. */
function retryAfter(thrown: unknown): number | undefined {
  if (!isRecord(thrown)) return undefined
  if (typeof thrown['retryAfterMs'] === 'number') return thrown['retryAfterMs']
  const response = thrown['response']
  const headers = thrown['headers'] ?? (isRecord(response) ? response['headers'] : undefined)
  const value = headers instanceof Headers ? headers.get('retry-after') : isRecord(headers) ? headers['retry-after'] : undefined
  if (value === undefined || value === null) return undefined
  const seconds = Number(value)
  const ms = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(String(value)) - Date.now()
  return Number.isFinite(ms) ? Math.min(Math.max(0, ms), RETRY_AFTER_MAX_MS) : undefined
}

function messageOf(thrown: unknown): string {
  const message = isRecord(thrown) && typeof thrown['message'] === 'string' ? thrown['message'] : typeof thrown === 'string' ? thrown : ''
  return message.trim() === '' ? 'The tool failed without a message.' : message
}
