import { isRecord } from '../schema/json-schema.ts'
import { excerpt } from '../schema/quote.ts'
import { classifyError } from '../tool/errors/classify-error.ts'
import { ToolError } from '../tool/errors/tool-error.ts'
import { printable } from '../tool/printable.ts'

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'the process may not do that there.',
  EPERM: 'the process may not do that there.',
  EROFS: 'the file system is read-only.',
  ENOSPC: 'the disk is full.',
  EDQUOT: 'the quota is used up.',
  EFBIG: 'the file would be larger than the system allows.',
  EIO: 'the disk reported an error.',
  EMFILE: 'too many files are open.',
  ENFILE: 'too many files are open.',
  ENOENT: 'its folder is gone.',
  EISDIR: 'a folder stands there by now.',
}

/** An error of the operating system in the words of the caller: with the path that was asked for, and none of this machine. */
export function explainFailure(error: unknown, path: string, verb: 'read' | 'write'): unknown {
  const code = systemCode(error)
  if (code === undefined) return error
  const { code: own, outcome, retryable } = classifyError(error)
  return new ToolError(`Cannot ${verb} ${shownPath(path)}: ${REASONS[code] ?? `the system says ${code}.`}`, {
    code: own,
    outcome,
    retryable,
  })
}

const LONGEST_SHOWN = 200

/** A path as a message may show it. */
export function shownPath(path: string): string {
  return `'${printable(excerpt(path, LONGEST_SHOWN))}'`
}

/** A path that must not be used. Nothing was touched. */
export function pathRefused(path: string, why: string): ToolError {
  return new ToolError(`The path ${shownPath(path)} is refused: ${why}`, { code: 'path_refused', outcome: 'not_started' })
}

/** The code of an error of the operating system: `ENOENT`. */
export function systemCode(error: unknown): string | undefined {
  const code: unknown = isRecord(error) ? error['code'] : undefined
  return typeof code === 'string' && /^E[A-Z0-9]+$/.test(code) ? code : undefined
}
