import { isRecord } from '../schema/json-schema.ts'
import { classifyError } from '../tool/errors/classify-error.ts'
import { ConfigurationError, isConfigurationError } from '../tool/errors/configuration-error.ts'
import type { FailureCode } from '../tool/errors/error-codes.ts'
import { isToolError, type Outcome, ToolError } from '../tool/errors/tool-error.ts'

type StoreCode = Extract<FailureCode, 'store_unavailable' | 'store_credentials' | 'store_full'>

interface StoreVerdict {
  readonly code: StoreCode
  readonly outcome: Outcome
  readonly says: string
  readonly retryable?: boolean
}

const UNREACHED: StoreVerdict = { code: 'store_unavailable', outcome: 'not_started', says: 'cannot be reached' }
const UNREADY: StoreVerdict = { code: 'store_unavailable', outcome: 'not_started', says: 'takes no connections at the moment' }
const LOST: StoreVerdict = { code: 'store_unavailable', outcome: 'unknown', says: 'went away' }
const HELD_UP: StoreVerdict = { code: 'store_unavailable', outcome: 'failed', says: 'took too long' }
const SILENT: StoreVerdict = { code: 'store_unavailable', outcome: 'unknown', says: 'gives no answer' }
const DENIED: StoreVerdict = { code: 'store_credentials', outcome: 'not_started', says: 'refused the credentials' }
const FULL: StoreVerdict = { code: 'store_full', outcome: 'failed', says: 'has no room left' }
const UNTRUSTED: StoreVerdict = { ...UNREACHED, says: 'cannot be reached safely', retryable: false }

const CODES: ReadonlyMap<unknown, StoreVerdict> = new Map([
  ...[
    'ECONNREFUSED',
    'ENOENT',
    'ENOTFOUND',
    'EAI_AGAIN',
    'EAI_FAIL',
    'EHOSTUNREACH',
    'EHOSTDOWN',
    'ENETUNREACH',
    'EADDRNOTAVAIL',
    '08001',
  ].map((code) => [code, UNREACHED] as const),
  ...['57P03', '53300', '08004', 'EAGAIN', 'EMFILE', 'ENFILE'].map((code) => [code, UNREADY] as const),
  ...['ECONNRESET', 'EPIPE', 'ETIMEDOUT', '57P01', '57P02', '57P05', '25P03', '25P04', '08000', '08003', '08006'].map(
    (code) => [code, LOST] as const,
  ),
  ...['55P03', '57014'].map((code) => [code, HELD_UP] as const),
  ...['28P01', '28000', '3D000'].map((code) => [code, DENIED] as const),
  ...['53100', 'ENOSPC', 'EDQUOT'].map((code) => [code, FULL] as const),
  ...['CERT_HAS_EXPIRED', 'DEPTH_ZERO_SELF_SIGNED_CERT', 'SELF_SIGNED_CERT_IN_CHAIN', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'].map(
    (code) => [code, UNTRUSTED] as const,
  ),
  ['ERR_TLS_CERT_ALTNAME_INVALID', UNTRUSTED],
])

/** Messages of the driver without a code. */
const MESSAGES: readonly (readonly [RegExp, StoreVerdict])[] = [
  [/^SASL: .*password must be a(?: non-empty)? string/, DENIED],
  [/^Query read timeout$/, SILENT],
  [/^timeout e(xceeded|xpired)|due to connection timeout/, UNREADY],
  [/^(Connection terminated|Client has encountered a connection error|Client was closed)/, LOST],
  [/^The server does not support SSL/, UNTRUSTED],
  [/^Cannot use a pool after calling end/, { ...UNREACHED, says: 'was closed', retryable: false }],
]

/**
 * An error of the database or of the system as a coded error: `store_unavailable`, `store_credentials`, `store_full`, or the code that it has elsewhere.
 * @example
 * const { code, retryable } = storeError(Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })) // store_unavailable, true
 */
export function storeError(cause: unknown, place = 'the database'): ToolError {
  if (isToolError(cause)) return cause
  const reason = reasonOf(cause)
  const verdict = verdictOn(cause, reason)
  if (verdict === undefined) return classifyError(cause)
  const { says, ...rest } = verdict
  const subject = `${place.slice(0, 1).toUpperCase()}${place.slice(1)}`
  return new ToolError(`${subject} ${says}: ${reason}`, { ...rest, cause, internal: true })
}

function verdictOn(cause: unknown, reason: string): StoreVerdict | undefined {
  if (!isRecord(cause)) return undefined
  return CODES.get(cause['code']) ?? MESSAGES.find(([pattern]) => pattern.test(reason))?.[1]
}

/** A host of several addresses fails with an error for each and no message of its own. */
function reasonOf(cause: unknown): string {
  if (cause instanceof AggregateError && cause.message === '') return cause.errors.map(reasonOf).join(', ')
  return cause instanceof Error ? cause.message : String(cause)
}

const REFUSED: ReadonlyMap<unknown, string> = new Map([
  ['EACCES', 'this user may not write there'],
  ['EPERM', 'this user may not write there'],
  ['EROFS', 'it is read-only'],
  ['ENOTDIR', 'something on the way to it is not a folder'],
  ['EEXIST', 'something on the way to it is not a folder'],
  ['ELOOP', 'its links lead nowhere'],
  ['ENAMETOOLONG', 'its path is too long'],
])

/** An error of the file system in the home of the embedded database, as an error that says where and what to do. */
export function homeError(cause: unknown, home: string): Error {
  if (cause instanceof Error && (isConfigurationError(cause) || isToolError(cause))) return cause
  const reason = REFUSED.get((cause as { readonly code?: unknown }).code)
  if (reason === undefined) return storeError(cause, `the embedded database in ${home}`)
  return new ConfigurationError(
    'invalid_option',
    `The embedded database cannot use ${home}: ${reason} (${(cause as Error).message}). ` +
      'Set TOOLWRIGHT_HOME to a folder that this user may write, or DATABASE_URL to a PostgreSQL that runs elsewhere.',
    { cause },
  )
}

const DISK_FULL = /No space left on device|Disk quota exceeded/

const NAMELESS = /could not look up (effective )?user ID/

/** Why the embedded database in `home` could not be started, in the words of its programs. */
export function startFailure(home: string, reason: string, cause?: unknown): ToolError {
  if (NAMELESS.test(reason)) return nameless(home, cause)
  const code = DISK_FULL.test(reason) ? 'store_full' : 'store_unavailable'
  return new ToolError(`The embedded database in ${home} could not be started: ${reason}`, {
    code,
    outcome: 'not_started',
    cause,
    internal: true,
  })
}

/** As in a container that runs under any number. */
function nameless(home: string, cause: unknown): ToolError {
  const message = `The embedded database in ${home} could not be started: PostgreSQL asks for the name of the user ${process.getuid?.()}, and this system knows none.`
  const hint = 'Give the user a line in /etc/passwd, run as another user, or set DATABASE_URL to a PostgreSQL that runs elsewhere.'
  return new ToolError(message, { code: 'store_unavailable', outcome: 'not_started', retryable: false, hint, cause, internal: true })
}
