import { BROKEN, BUSY, DEFECT, LOCKED_OUT, LOST, NEVER, UNREACHED, UNTRUSTED, UNUSABLE, type Verdict } from './verdict.ts'

/** Libraries whose errors have nothing but a message, each by the whole beginning of that message. */
const MESSAGES: readonly (readonly [Verdict, RegExp])[] = [
  [LOST, /^Connection terminated unexpectedly/],
  [LOST, /^Connection terminated$/],
  [LOST, /^Query read timeout$/],
  [LOST, /^Connection is closed\.$/],
  [LOST, /^Command timed out$/],
  [LOST, /^(socket hang up|stream has been aborted|Abort|aborted)$/],
  [LOST, /^((Request|Operation|The operation) (has )?timed out\b|network timeout at: )/i],
  [LOST, /^Connection lost\b/],
  [LOST, /^(connection <[^>]*> to \S+ (closed|timed out))/],
  [UNREACHED, /^Connection terminated due to connection timeout/],
  [UNREACHED, /^timeout exceeded when trying to connect$/],
  [UNREACHED, /^timeout expired$/],
  [UNREACHED, /^Client has encountered a connection error and is not queryable/],
  [UNREACHED, /^Stream isn't writeable and enableOfflineQueue options is false/],
  [UNREACHED, /^Opening handshake has timed out$/],
  [UNREACHED, /^Socket closed abruptly during opening handshake$/],
  [UNREACHED, /^(Channel|Connection) (closed|closing)$/],
  [UNREACHED, /^WebSocket was closed before the connection was established$/],
  [UNREACHED, /^Server selection timed out after/],
  [UNREACHED, /^Not connected$/],
  [UNREACHED, /^WebSocket is not open: readyState\b/],
  [BUSY, /^(sorry, )?too many clients already/],
  [LOCKED_OUT, /^SASL: /],
  [LOCKED_OUT, /^Missing credentials\b/],
  [LOCKED_OUT, /^Could not resolve authentication method\b/],
  [UNTRUSTED, /^(The server does not support SSL connections|There was an error establishing an SSL connection)$/],
  [UNUSABLE, /^(Invalid regular expression: |TypeError: Invalid URL$|unknown scheme$|bad port$)/],
  [NEVER, /^(redirect count exceeded|unexpected redirect)$/],
  [NEVER, /^(?:Server|Client) does not support\b|\bversion is not supported\b/],
  [
    UNUSABLE,
    /^(?:Unsupported state or unable to authenticate|Digest method not|Encoding not recognized|Invalid URL\b|Unknown argument|URL (?:with|scheme)\b)/,
  ],
  [DEFECT, /^(?:schema is invalid: |strict mode: |unknown format .* ignored in schema|can't resolve reference )/],
  [DEFECT, /\bcannot be \w+ (?:in|to) JSON Schema\b|\bexecutable doesn't exist\b/i],
  [DEFECT, /^(Client was closed and is not queryable|Cannot use a pool after calling end on the pool)/],
  [
    BROKEN,
    /^(Response does not match the HTTP|Invalid response body while|invalid json response body|Parse Error: )|\bUnexpected content[ -]type\b/,
  ],
  // Compressed or packed data.
  [
    BROKEN,
    /^(?:invalid zip data|Corrupted zip|Can't find end of central directory|Invalid tar header|incorrect header check|unexpected EOF$)/,
  ],
]

/** By the message, where a library gives nothing else. */
export function messageVerdict(message: unknown): Verdict | undefined {
  return typeof message === 'string' ? MESSAGES.find(([, pattern]) => pattern.test(message))?.[0] : undefined
}
