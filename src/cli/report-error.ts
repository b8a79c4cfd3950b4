import { inspect } from 'node:util'
import { isConfigurationError } from '../tool/errors/configuration-error.ts'
import { isExitEarly } from '../tool/errors/exit-early.ts'
import { InboxError } from '../review/inbox-error.ts'
import { isToolError } from '../tool/errors/tool-error.ts'
import { CliError } from './cli-error.ts'
import type { CommonOptions } from './command-request.ts'
import { EXIT, type ExitCode } from './exit-code.ts'
import type { Output } from './output.ts'

/** Tells what went wrong: in words to a person, as data to a program. The stack is for those who ask for it. */
export function reportError(error: unknown, output: Output, { debug = false }: Pick<CommonOptions, 'debug'>): ExitCode {
  const { code, message, hint, exit } = verdict(error)
  if (output.json) output.printJson({ ok: false, error: { code, message, ...(hint === undefined ? {} : { hint }) } })
  output.note(`${output.paintNote('red', 'error:')} ${message}${hint === undefined ? '' : `\n${hint}`}`)
  if (debug || (process.env['TOOLWRIGHT_DEBUG'] ?? '') !== '') output.note(inspect(error))
  return exit
}

interface Verdict {
  readonly code: string
  readonly message: string
  readonly hint?: string | undefined
  readonly exit: ExitCode
}

/** The command was right, and what it is about does not stand as it would have to. */
const STATES: ReadonlySet<string> = new Set(['run_not_open', 'key_conflict'])

function verdict(error: unknown): Verdict {
  if (error instanceof CliError) return { code: error.code, message: error.message, hint: error.hint, exit: error.exit }
  if (isConfigurationError(error))
    return { code: error.code, message: error.message, exit: STATES.has(error.code) ? EXIT.failed : EXIT.usage }
  if (isToolError(error)) return { code: error.code, message: error.message, hint: error.hint, exit: EXIT.failed }
  if (error instanceof InboxError) return { code: error.code, message: error.message, exit: EXIT.failed }
  if (isExitEarly(error)) return { code: error.code, message: error.message, exit: EXIT.failed }
  const message = error instanceof Error ? `${error.name}: ${error.message}` : inspect(error)
  return { code: 'unexpected', message, hint: 'Add --debug to see where it was thrown.', exit: EXIT.failed }
}
