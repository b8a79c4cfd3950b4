import { type Verdict, verdict } from './verdict.ts'

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
/** The other side could not prove who it is: another attempt would find the same. */
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

/** What the code of a system error, or of a client that speaks to the system, means. */
export function systemVerdict(code: string): Verdict | undefined {
  return SYSTEM.get(code) ?? (code.startsWith('SQLITE_CONSTRAINT') ? TAKEN : undefined)
}
