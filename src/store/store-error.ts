import { isRecord } from '../schema/json-schema.ts'
import { classifyError } from '../tool/errors/classify-error.ts'
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

/** What the driver says without a code. */
const MESSAGES: readonly (readonly [RegExp, StoreVerdict])[] = [
  [/^SASL: .*password must be a(?: non-empty)? string/, DENIED],
  [/^Query read timeout$/, SILENT],
  [/^timeout e(xceeded|xpired)|due to connection timeout/, UNREADY],
  [/^(Connection terminated|Client has encountered a connection error|Client was closed)/, LOST],
  [/^The server does not support SSL/, UNTRUSTED],
  [/^Cannot use a pool after calling end/, { ...UNREACHED, says: 'was closed', retryable: false }],
]

/**
 * What the database or the system threw, as a coded error: `store_unavailable`, `store_credentials`, `store_full`, or what it means elsewhere.
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
  return new ToolError(`${subject} ${says}: ${reason}`, { ...rest, cause })
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
