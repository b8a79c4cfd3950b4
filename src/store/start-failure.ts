import { ToolError } from '../tool/errors/tool-error.ts'

const FULL = /No space left on device|Disk quota exceeded/

/** Why the embedded database in `home` could not be started, in the words of its programs. */
export function startFailure(home: string, reason: string, cause?: unknown): ToolError {
  const code = FULL.test(reason) ? 'store_full' : 'store_unavailable'
  return new ToolError(`The embedded database in ${home} could not be started: ${reason}`, { code, outcome: 'not_started', cause })
}
