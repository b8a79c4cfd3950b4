import { isRecord } from '../../schema/json-schema.ts'
import { classifyError } from '../../tool/errors/classify-error.ts'
import { isConfigurationError } from '../../tool/errors/configuration-error.ts'
import { isToolError, ToolError } from '../../tool/errors/tool-error.ts'

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'it refused the connection',
  ECONNRESET: 'it ended the connection',
  UND_ERR_SOCKET: 'it ended the connection',
  ENOTFOUND: 'its name is not known',
  EAI_AGAIN: 'its name cannot be looked up at the moment',
  ENODATA: 'its name has no address',
  EHOSTUNREACH: 'there is no way to it',
  ENETUNREACH: 'there is no way to it',
  ETIMEDOUT: 'it did not answer in time',
  UND_ERR_CONNECT_TIMEOUT: 'it did not answer in time',
  UND_ERR_HEADERS_TIMEOUT: 'it did not answer in time',
  UND_ERR_BODY_TIMEOUT: 'its answer did not end in time',
  UND_ERR_HEADERS_OVERFLOW: 'the headers of its answer are too large',
  Z_DATA_ERROR: 'its answer is not compressed as it says',
  Z_BUF_ERROR: 'its answer ended too early',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'nobody vouches for its certificate',
  SELF_SIGNED_CERT_IN_CHAIN: 'nobody vouches for its certificate',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'nobody vouches for its certificate',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host',
}

interface Attempt {
  readonly host: string
  /** Whether a byte of the request may have left. */
  readonly sent: boolean
}

/** An error of the network in the words of the caller, without an address of this machine. */
export function networkFailure(thrown: unknown, { host, sent }: Attempt): unknown {
  if (isToolError(thrown) || isConfigurationError(thrown)) return thrown
  const { code, retryable } = classifyError(thrown)
  const cause = causeCode(thrown)
  return new ToolError(`The request to '${host}' failed: ${REASONS[cause] ?? `the connection failed (${cause})`}.`, {
    code,
    retryable,
    outcome: sent ? 'unknown' : 'not_started',
    cause: thrown,
  })
}

/** The code of the error, or of the first of several attempts to connect. */
function causeCode(thrown: unknown): string {
  if (!isRecord(thrown)) return 'unknown reason'
  const { code, errors, cause } = thrown
  if (typeof code === 'string' && code !== '') return code
  const [inner] = Array.isArray(errors) ? (errors as readonly unknown[]) : [cause]
  return inner === undefined ? 'unknown reason' : causeCode(inner)
}
