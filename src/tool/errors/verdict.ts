import type { FailureCode } from './error-codes.ts'
import type { Outcome } from './tool-error.ts'

/** The meaning of a foreign error: our code, and whether the effect may have happened. */
export interface Verdict {
  readonly code: FailureCode
  readonly outcome: Outcome
  /** Set if it differs from the rule of the code. */
  readonly retryable?: boolean | undefined
}

export function verdict(code: FailureCode, outcome: Outcome, retryable?: boolean): Verdict {
  return retryable === undefined ? { code, outcome } : { code, outcome, retryable }
}

const STATUSES: ReadonlyMap<number, Verdict> = new Map([
  [401, verdict('access_denied', 'failed')],
  [402, verdict('access_denied', 'failed')],
  [403, verdict('access_denied', 'failed')],
  [404, verdict('not_found', 'failed')],
  [407, verdict('access_denied', 'failed')],
  [408, verdict('service_unavailable', 'unknown')],
  [409, verdict('conflict', 'failed')],
  [410, verdict('not_found', 'failed')],
  [412, verdict('conflict', 'failed')],
  [423, verdict('conflict', 'failed')],
  [425, verdict('service_unavailable', 'failed')],
  [429, verdict('rate_limited', 'failed')],
  [501, verdict('upstream_error', 'failed', false)],
  [502, verdict('service_unavailable', 'unknown')],
  [503, verdict('service_unavailable', 'failed')],
  [504, verdict('service_unavailable', 'unknown')],
  [505, verdict('upstream_error', 'failed', false)],
  [529, verdict('service_unavailable', 'failed')],
])

/** The meaning of an HTTP status from 400 to 599. */
export function httpVerdict(status: number): Verdict {
  return STATUSES.get(status) ?? (status < 500 ? verdict('invalid_request', 'failed') : verdict('upstream_error', 'unknown'))
}

/** SQLSTATE classes (the first two characters), and the codes that differ from their class. */
const STATES: ReadonlyMap<string, Verdict> = new Map([
  ['08', verdict('service_unavailable', 'unknown')],
  ['08001', verdict('service_unavailable', 'not_started')],
  ['08004', verdict('service_unavailable', 'not_started')],
  ['0A', verdict('invalid_request', 'failed')],
  ['22', verdict('invalid_request', 'failed')],
  ['23', verdict('conflict', 'failed')],
  ['23502', verdict('invalid_request', 'failed')],
  ['23514', verdict('invalid_request', 'failed')],
  ['25006', verdict('access_denied', 'failed')],
  ['28', verdict('access_denied', 'not_started')],
  ['3D', verdict('not_found', 'not_started')],
  ['40', verdict('service_unavailable', 'failed')],
  ['40003', verdict('service_unavailable', 'unknown')],
  ['42', verdict('invalid_request', 'failed')],
  ['42501', verdict('access_denied', 'failed')],
  ['53', verdict('service_unavailable', 'failed')],
  ['54', verdict('invalid_request', 'failed')],
  ['55', verdict('service_unavailable', 'failed')],
  ['57', verdict('service_unavailable', 'unknown')],
  ['57014', verdict('deadline_exceeded', 'failed')],
  ['58', verdict('upstream_error', 'unknown')],
  ['XX', verdict('upstream_error', 'unknown')],
])

/** The meaning of a SQLSTATE; undefined for any other value. */
export function sqlVerdict(state: unknown): Verdict | undefined {
  if (typeof state !== 'string' || !/^[0-9A-Z]{5}$/.test(state)) return undefined
  return STATES.get(state) ?? STATES.get(state.slice(0, 2))
}

/** Nothing was sent. */
const UNREACHED = verdict('service_unavailable', 'not_started')
/** A request may have left already. */
const LOST = verdict('service_unavailable', 'unknown')
const BUSY = verdict('service_unavailable', 'failed')
const ABSENT = verdict('not_found', 'failed')
const FORBIDDEN = verdict('access_denied', 'failed')
const TAKEN = verdict('conflict', 'failed')
const MALFORMED = verdict('invalid_request', 'failed')
const FULL = verdict('tool_crashed', 'failed')
/** The server could not prove its identity: another attempt would fail in the same way. */
const UNTRUSTED = verdict('upstream_error', 'not_started', false)

/** Codes of the operating system, of sockets and of HTTP clients. */
const SYSTEM: ReadonlyMap<string, Verdict> = new Map([
  ['ECONNREFUSED', UNREACHED],
  ['ENOTFOUND', UNREACHED],
  ['EAI_AGAIN', UNREACHED],
  ['EAI_FAIL', UNREACHED],
  ['EHOSTUNREACH', UNREACHED],
  ['EHOSTDOWN', UNREACHED],
  ['ENETUNREACH', UNREACHED],
  ['ENETDOWN', UNREACHED],
  ['UND_ERR_CONNECT_TIMEOUT', UNREACHED],
  ['ECONNRESET', LOST],
  ['ECONNABORTED', LOST],
  ['EPIPE', LOST],
  ['ETIMEDOUT', LOST],
  ['ESOCKETTIMEDOUT', LOST],
  ['UND_ERR_SOCKET', LOST],
  ['UND_ERR_HEADERS_TIMEOUT', LOST],
  ['UND_ERR_BODY_TIMEOUT', LOST],
  ['PROTOCOL_CONNECTION_LOST', LOST],
  ['EBUSY', BUSY],
  ['EAGAIN', BUSY],
  ['EMFILE', BUSY],
  ['ENFILE', BUSY],
  ['ETXTBSY', BUSY],
  ['SQLITE_BUSY', BUSY],
  ['SQLITE_LOCKED', BUSY],
  ['ER_LOCK_WAIT_TIMEOUT', BUSY],
  ['ENOENT', ABSENT],
  ['ENOTDIR', ABSENT],
  ['EACCES', FORBIDDEN],
  ['EPERM', FORBIDDEN],
  ['EROFS', FORBIDDEN],
  ['SQLITE_READONLY', FORBIDDEN],
  ['SQLITE_AUTH', FORBIDDEN],
  ['EEXIST', TAKEN],
  ['ENOTEMPTY', TAKEN],
  ['EADDRINUSE', TAKEN],
  ['EISDIR', MALFORMED],
  ['EINVAL', MALFORMED],
  ['ENAMETOOLONG', MALFORMED],
  ['ENOSPC', FULL],
  ['EDQUOT', FULL],
  ['CERT_HAS_EXPIRED', UNTRUSTED],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', UNTRUSTED],
  ['SELF_SIGNED_CERT_IN_CHAIN', UNTRUSTED],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', UNTRUSTED],
  ['ERR_TLS_CERT_ALTNAME_INVALID', UNTRUSTED],
  ['ABORT_ERR', verdict('cancelled', 'unknown')],
  ['UND_ERR_ABORTED', verdict('cancelled', 'unknown')],
])

/** The meaning of a code of the operating system, of a socket or of an HTTP client. */
export function systemVerdict(code: string): Verdict | undefined {
  return SYSTEM.get(code) ?? (code.startsWith('SQLITE_CONSTRAINT') ? TAKEN : undefined)
}
