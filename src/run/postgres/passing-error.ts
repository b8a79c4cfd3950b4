/** SQLSTATE classes of what passes: lost connections, a server that starts or stops, a full disk, too many connections, a lock that is held. */
const PASSING_CLASSES = ['08', '53', '57', '58', '40', '55']
/** A transaction that stood still for too long was ended. */
const PASSING_STATES = new Set(['25P03', '25P04'])
const PASSING_SYSTEM = new Set(['ECONNREFUSED', 'ECONNRESET', 'ENOENT', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'EAI_AGAIN'])
const PASSING_CODES = new Set(['store_unavailable', 'store_full'])

/** Whether the same statement may succeed later: the database is away or full, and the data is not at fault. */
export function isPassing(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code } = error as { readonly code?: unknown }
  if (typeof code !== 'string') return /connection|timeout|terminated|closed/i.test(error.message)
  if (PASSING_STATES.has(code)) return true
  return PASSING_SYSTEM.has(code) || PASSING_CODES.has(code) || (code.length === 5 && PASSING_CLASSES.includes(code.slice(0, 2)))
}
