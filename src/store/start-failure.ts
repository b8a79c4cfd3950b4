import { ToolError } from '../tool/errors/tool-error.ts'

const FULL = /No space left on device|Disk quota exceeded/

const NAMELESS = /could not look up (effective )?user ID/

/** Why the embedded database in `home` could not be started, in the words of its programs. */
export function startFailure(home: string, reason: string, cause?: unknown): ToolError {
  if (NAMELESS.test(reason)) return nameless(home, cause)
  const code = FULL.test(reason) ? 'store_full' : 'store_unavailable'
  return new ToolError(`The embedded database in ${home} could not be started: ${reason}`, { code, outcome: 'not_started', cause })
}

/** As in a container that runs under any number. */
function nameless(home: string, cause: unknown): ToolError {
  const message = `The embedded database in ${home} could not be started: PostgreSQL asks for the name of the user ${process.getuid?.()}, and this system knows none.`
  const hint = 'Give the user a line in /etc/passwd, run as another user, or set DATABASE_URL to a PostgreSQL that runs elsewhere.'
  return new ToolError(message, { code: 'store_unavailable', outcome: 'not_started', retryable: false, hint, cause })
}
